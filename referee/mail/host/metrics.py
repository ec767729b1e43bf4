"""Numbers of a desk in Prometheus' text format, without addresses, names or secrets.

Every number is counted from the store on each request, so it stays right over restarts and for several processes.
Only the counts of the parts of `serve` are those of one process.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import ceil
from threading import Lock

from referee.mail.host.nondelivery import unreached
from referee.mail.intake.classification import LetterKind
from referee.mail.office import KILLED, Office

TYPE = "text/plain; version=0.0.4; charset=utf-8"

SOON = (1, 12, 24, 48)
"""Hours within which deadlines are counted."""

QUANTILES = (0.5, 0.9, 1.0)
"""Shares of the letters of a day, the quickest first."""

_WORD = re.compile(r"[a-z][a-z0-9-]{0,40}")
_KINDS = frozenset(kind.value for kind in LetterKind)


@dataclass(slots=True)
class Meter:
    """Work of the parts of a running desk since it began; many threads may count."""

    rounds: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    items: Counter[str] = field(default_factory=Counter)
    seconds: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    _lock: Lock = field(default_factory=Lock, repr=False)

    def count(self, part: str, seconds: float, items: int | None) -> None:
        """Count a round of a part's work, and the number of things it handled; None if it failed."""
        with self._lock:
            self.rounds[part] += 1
            self.seconds[part] += seconds
            self.items[part] += items or 0
            self.faults[part] += items is None

    def families(self) -> Iterator[str]:
        """The numbers of every part."""
        with self._lock:
            parts = sorted(self.rounds)
            for name, help_, counts in (
                ("rounds", "Rounds of work of each part since serve began.", self.rounds),
                ("faults", "Rounds that failed.", self.faults),
                ("items", "Things that each part dealt with, such as letters.", self.items),
                ("seconds", "Seconds spent in these rounds.", self.seconds),
            ):
                samples = (({"part": part}, counts[part]) for part in parts)
                yield _family(f"work_{name}_total", help_, *samples, kind="counter")


def exposition(office: Office, at: datetime, meter: Meter | None = None) -> str:
    """All numbers of a desk at a time, in the text format."""
    found = (*_letters_in(office, at), *_letters_out(office, at), *_games(office, at))
    return "".join((*found, *(meter.families() if meter is not None else ())))


def _family(name: str, help_: str, *samples: tuple[Mapping[str, str], float], kind: str = "gauge") -> str:
    """Numbers of one name, each with its labels; those of a `counter` only grow, those of a `gauge` may fall."""
    lines = [f"# HELP referee_{name} {help_}", f"# TYPE referee_{name} {kind}"]
    for labels, value in samples:
        said = ",".join(f'{label}="{text}"' for label, text in labels.items())
        lines.append(f"referee_{name}{f'{{{said}}}' if said else ''} {value:.15g}")
    return "".join(f"{line}\n" for line in lines)


def _letters_in(office: Office, at: datetime) -> Iterator[str]:
    verdicts, limits = Counter[str](), Counter[str](size=0, day=0, kill=0)
    for tally in office.desk.inbox.tally():
        verdict = _verdict(tally.note, done=tally.done, waits=tally.waits)
        verdicts[verdict] += tally.number
        limits["size"] += tally.number if verdict == LetterKind.TOO_LARGE.value and not tally.cut else 0
        limits["day"] += tally.number if tally.cut else 0
        limits["kill"] += tally.number if tally.note == KILLED else 0
    samples = (({"verdict": verdict}, number) for verdict, number in sorted(verdicts.items()))
    yield _family("letters_in", "Letters that came, by what became of them.", *samples)
    help_ = "Letters stopped by a limit: of size, of their sender's day, or of attempts that killed the process."
    yield _family("letters_limited", help_, *(({"limit": one}, number) for one, number in sorted(limits.items())))
    waits = sorted(office.desk.inbox.handling_seconds(at - timedelta(days=1)))
    quickest = (({"quantile": f"{share:g}"}, waits[ceil(share * len(waits)) - 1]) for share in QUANTILES if waits)
    help_ = "Seconds from a letter's arrival until it was dealt with, over the last day."
    yield _family("letter_handling_seconds", help_, *quickest)
    came, _ = office.desk.upkeep.oldest_waiting()
    help_ = "Age of the oldest letter that waits to be dealt with."
    yield _family("letters_in_oldest_seconds", help_, ({}, _age(came, at)))


def _letters_out(office: Office, at: datetime) -> Iterator[str]:
    counts = Counter[tuple[str, str]]()
    for tally in office.desk.outbox.tally():
        counts[_word(tally.kind.partition("/")[0]), tally.state] += tally.number
    samples = (({"kind": kind, "state": state}, number) for (kind, state), number in sorted(counts.items()))
    yield _family("letters_out", "Letters of the outbox, by kind and state.", *samples)
    _, queued = office.desk.upkeep.oldest_waiting()
    yield _family("outbox_oldest_seconds", "Age of the oldest letter that waits to be sent.", ({}, _age(queued, at)))


def _games(office: Office, at: datetime) -> Iterator[str]:
    rules, looks = office.desk.catalogue.all_rules(), office.desk.games.glances(running=True)
    counts = Counter(
        (look.game, "invited" if look.invited else "paused" if look.paused else "running") for look in looks
    )
    running = {look.id for look in looks}
    counts.update((rule, "over") for game, rule in rules.items() if game not in running)
    samples = (({"rules": _word(rule), "state": state}, number) for (rule, state), number in sorted(counts.items()))
    yield _family("games", "Games, by rules and state.", *samples)
    deadlines = [seat.due for look in looks for seat in look.seats.values() if seat.deadline and seat.due is not None]
    soon = {hours: sum(at <= one < at + timedelta(hours=hours) for one in deadlines) for hours in SOON}
    within = (({"hours": str(hours)}, number) for hours, number in soon.items())
    yield _family("deadlines_soon", "Deadlines within a number of hours.", *within)
    overdue = sum(one < at for one in deadlines)
    yield _family("deadlines_overdue", "Deadlines that have passed without an end of the game.", ({}, overdue))
    help_ = "Seats in running games that no letter reaches."
    yield _family("seats_unreached", help_, ({}, len(unreached(office, at))))
    seen = _age(office.desk.upkeep.seen(), at)
    yield _family("clock_seen_seconds", "Seconds since the desk last looked at its clock.", ({}, seen))


def _verdict(note: str, *, done: bool, waits: bool) -> str:
    """The state of a letter in one word: the result of its first command, or its kind if it was filed.

    The notes of letters that open games, and of answers to them, name neither a seat nor a kind. Other notes have a
    single word of ours for the result.
    """
    if not done:
        return "waiting" if waits else "aside"
    kind, colon, rest = note.partition(": ")
    if not colon:
        return "arranged"
    return kind if kind in _KINDS else _word(rest.partition(",")[0])


def _word(text: str) -> str:
    """A word that can be a label: no text from a letter gets in."""
    return text if _WORD.fullmatch(text) else "other"


def _age(since: datetime | None, at: datetime) -> float:
    return max(0.0, (at - since).total_seconds()) if since is not None else 0.0
