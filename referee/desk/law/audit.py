"""The audit of a whole log by the log, the rules and SHA-256 alone, trusting no one (spec/log.md, "The audit")."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

from referee.desk.law import law, plans
from referee.desk.law.automatic import immediate
from referee.desk.law.disclosure import Findings
from referee.desk.law.recomputation import EngineMoves
from referee.desk.log import events, log
from referee.desk.log.heads import Head, HeadSource
from referee.desk.log.log import Entry, read_entry
from referee.desk.state.state import State
from referee.errors import Finding, RefereeError

MOST_FAULTS = 1000
"""Maximum findings; the rest of the log is not read."""

_OTHER_LOG = ": it is not the log that the letter was made from"
_PROVEN = ", and that or a later entry of this log too: it has shown two histories, and the letters prove it"

Witness = Callable[[State | None, Entry], Findings]
"""Findings of another source about a possible entry, given the state before it."""

Gauge = Callable[[int], AbstractContextManager[Callable[[int], object]]]
"""Shows the progress of an audit with the moves of engines: it takes their number, and yields what counts them."""

_LOST = ", with a key that it no longer had by entry {}, as the log says: it may have lost what it wrote then"


@dataclass(frozen=True, slots=True)
class Audit:
    """Results of an audit: the number of valid entries, the findings by line, and the state after the valid entries.

    `behind` counts the entries after the one with the given head; None without a head, or if it is missing. `shown`
    counts the given heads that are in the log. `whole` is true if the log agrees with itself, so that all findings
    come from what it was compared with. `recomputed` counts the engine moves that were made again, `by_programs`
    the moves of programs, which cannot be. Heads that are not in the log, but could be forged, are only counted:
    `ignored` were quoted, and `unproven` are in letters that claim to be the desk's. `key` is the desk's newest key
    in the log.
    """

    entries: int
    findings: tuple[Finding, ...]
    state: State | None
    behind: int | None = None
    shown: int = 0
    whole: bool = False
    recomputed: int = 0
    by_programs: int = 0
    ignored: int = 0
    unproven: int = 0
    key: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The audit by name, and the game after the valid entries."""
        state = self.state
        return {
            "ok": not self.findings,
            "entries": self.entries,
            "game": state.id if state else None,
            "rules": state.protocol if state else None,
            "plies": len(state.plies) if state else 0,
            "outcome": state.outcome.as_json() if state and state.outcome else None,
            "head": state.head if state else None,
            "behind": self.behind,
            "recomputed": self.recomputed,
            "findings": [finding.as_json() for finding in self.findings],
        }


def no_gauge(_: int) -> AbstractContextManager[Callable[[int], object]]:
    """A gauge that shows nothing."""
    return nullcontext(lambda _: None)


def audit(
    lines: Iterable[str],
    head: str | None = None,
    shown: Collection[Head] = (),
    witness: Witness | None = None,
    *,
    gauge: Gauge = no_gauge,
) -> Audit:
    """Judge an exported game again: JSON Lines, one entry each; each is read once and forgotten.

    Digests are checked to the end, the game up to the first impossible entry. One entry must have the digest `head`,
    such as the one in a letter: a log that was cut short has none. Each of the `shown` heads of letters must be at
    its number; those of other games do not count. `witness` is asked about each possible entry. `gauge` shows the
    progress of the engine moves, which may take minutes.
    """
    findings: list[Finding] = []
    state: State | None = None
    last: Entry | None = None
    number, holds, found = 0, 0, 0
    whole = True
    engines = EngineMoves()
    digests: dict[int, str] = {}
    keys: dict[str, int | None] = {}
    mailboxes: set[str] = set()
    wanted = {one.number for one in shown}
    for number, line in enumerate(lines, 1):
        try:
            entry = read_entry(line)
        except RefereeError as error:
            return Audit(holds, (*findings, Finding(error.code, error.message, number)), state)
        wrong = list(log.chain_faults(entry, last))
        if holds == number - 1:
            wrong += (impossible := list(_findings(state, entry)))
            whole = whole and not wrong
            if not impossible:
                wrong += witness(state, entry) if witness is not None else ()
                engines.note(state, entry, number)
                state = State.start(entry) if state is None else state.after(entry)
                holds += 1
        findings += [Finding(code, message, number) for code, message in wrong]
        if len(findings) >= MOST_FAULTS:
            return Audit(holds, tuple(findings), state)
        last, found = entry, number if entry.digest == head else found
        if entry.number in wanted:
            digests[entry.number] = entry.digest
        if isinstance(entry.event, events.Rekeyed) and entry.event.old is None:
            keys = {key: entry.number if lost is None else lost for key, lost in keys.items()}
        if state is not None and state.desk is not None:
            keys.setdefault(state.desk, None)
        if holds == number and isinstance(entry.event, events.Closed) and entry.event.addresses is not None:
            mailboxes.update(entry.event.addresses["mailboxes"])
    if state is not None and whole and immediate(state) is not None:
        whole = False
        message = "the log is cut short: what has to follow its last entry at once is missing"
        findings.append(Finding("cut", message, number))
    if state is not None and whole:
        with gauge(engines.recomputed(state)) as advance:
            wrong_moves = list(engines.findings(state, advance))
        whole = not wrong_moves
        findings += wrong_moves
    if head is not None and not found:
        message = "no entry has the digest that was asked for: the log is cut short, or is another game's"
        findings.append(Finding("cut", message, number))
    mine = [one for one in shown if last is not None and one.game == last.game]
    counting = [
        one
        for one in mine
        if one.source is HeadSource.READER or one.sender in mailboxes or any(map(one.is_signed, keys))
    ]
    findings += _shown_findings(counting, digests, keys)
    there = {one.number for one in mine if digests.get(one.number) == one.digest}
    absent = {str(one): one for one in mine if digests.get(one.number) != one.digest and one not in counting}
    return Audit(
        holds,
        tuple(findings),
        state,
        behind=number - found if found else None,
        shown=len(there),
        whole=whole,
        recomputed=engines.recomputed(state) if state is not None and whole else 0,
        by_programs=engines.by_programs(state) if state is not None else 0,
        ignored=sum(one.source is HeadSource.QUOTATION for one in absent.values()),
        unproven=sum(one.source is HeadSource.LETTER for one in absent.values()),
        key=next(reversed(keys), None),
    )


def _shown_findings(
    shown: Collection[Head], digests: Mapping[int, str], keys: Mapping[str, int | None]
) -> Iterator[Finding]:
    """Findings about heads of letters that the log lacks; `keys` have the entry at which each was lost, if any."""
    signers = {head: key for head in shown for key in keys if head.is_signed(key)}
    proven = {str(head) for head in signers}
    anchors = {head: key for head, key in signers.items() if digests.get(head.number) == head.digest}
    for head in sorted(shown, key=lambda one: one.number):
        key = signers.get(head)
        if key is None and str(head) in proven:
            continue
        letter = "a signed letter of the desk" if head.sender else "a letter"
        by = "the desk has signed" if key else f"{letter} shows"
        if head.number not in digests:
            yield Finding("cut", f"the log ends before entry {head.number}, which {by}", head.number + 1)
        elif digests[head.number] != head.digest:
            lost = keys[key] if key else None
            if lost is not None and lost <= head.number:
                means = _LOST.format(lost)
            else:
                is_fork = any(anchors[one] == key and one.number >= head.number for one in anchors)
                means = _PROVEN if is_fork else _OTHER_LOG
            yield Finding("shown", f"{by} another entry {head.number} than this log has{means}", head.number + 1)
        elif keys and head.signature is not None and key is None:
            yield Finding("signature", "the desk has not signed this head as the letter shows it", head.number + 1)


def _findings(state: State | None, entry: Entry) -> Findings:
    if state is None:
        yield from law.first_findings(entry.event, entry.at, entry.came)
        return
    faults = law.faults(state, entry.event, entry.at, entry.came)
    findings = [(finding, refusal.message) for finding, refusal in faults if finding is not None]
    yield from findings
    if isinstance(entry.event, events.Published) and not findings:
        yield from plans.unfaithful(state, entry.event)
