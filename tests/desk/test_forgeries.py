"""The law could have written every log that the audit accepts, and the audit accepts every log of the law."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from referee.desk import Entry, Terms, audit
from referee.desk.law import automatic
from referee.desk.log import events
from referee.desk.log.events import LogEvent
from referee.desk.log.heads import Head
from referee.desk.log.log import read_entry
from referee.desk.log.seals import commitment
from referee.desk.log.secrets import CHANCE
from referee.desk.log.signatures import Past
from referee.rules.the_beam.deal import dealt
from tests.oracles.verifier import verify
from tests.support.desk_law import known_later, unwritten
from tests.support.desks import ADDRESSES, Desk, request, submit
from tests.support.forgeries import Base, Timed, forged, rechained
from tests.support.logs import audit_text, fold_log, letter
from tests.support.rows import each
from tests.support.strategies import any_move
from tests.support.vectors import FOLDER

LOGS = [*sorted(Path(__file__).with_name("logs").glob("*.jsonl")), *sorted(FOLDER.glob("*.jsonl"))]


@cache
def base(path: Path) -> Base:
    return Base(tuple(map(read_entry, path.read_text(encoding="utf-8").splitlines())))


def exported(entries: list[Entry]) -> str:
    return "".join(f"{entry.as_line()}\n" for entry in entries)


@pytest.mark.slow
@each(LOGS, name=lambda path: path.stem, every=3)
def test_a_log_that_the_desk_wrote_always_holds(path: Path) -> None:
    report = audit_text(path.read_text(encoding="utf-8"))
    assert report.findings == ()
    assert unwritten(base(path).entries) is None
    assert exported(rechained(base(path).entries[0].game, base(path).timed, base(path))) == path.read_text(
        encoding="utf-8"
    )


def forge(path: Path, seeds: range) -> int:
    """Forge a log again and again; return the number of forgeries that both verifiers accepted."""
    accepted = 0
    for seed in seeds:
        entries = forged(base(path), random.Random(f"{path.stem} {seed}"))
        found = audit_text(exported(entries)).findings
        assert bool(found) == bool(verify(exported(entries))), f"{path.stem} {seed}: the verifiers do not agree"
        if not found:
            reason = unwritten(entries)
            assert reason is None, f"{path.stem} {seed}: {reason}"
            accepted += 1
    return accepted


@pytest.mark.slow
@each(LOGS, name=lambda path: path.stem, every=3)
def test_the_law_could_have_written_every_log_that_the_audit_accepts(path: Path) -> None:
    forge(path, range(2))


@pytest.mark.slow
@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_so_it_is_with_hundreds_of_forgeries(path: Path) -> None:
    assert forge(path, range(400)) > 20


@pytest.mark.slow
@each(LOGS, name=lambda path: path.stem)
def test_no_forgery_passes_with_the_heads_of_letters(path: Path) -> None:
    """Hundreds of each log, each with right digests: two kept letters expose every one.

    A log that only goes on after the last letter is no forgery.
    """
    entries = list(base(path).entries)
    shown = [Head(one.game, one.number, one.digest) for one in (entries[len(entries) // 2], entries[-1])]
    tried = (forged(base(path), random.Random(f"{path.stem} {seed}")) for seed in range(400))
    forgeries = [one for one in tried if one[: len(entries)] != entries]
    assert len(forgeries) > 320
    for one in forgeries:
        assert audit(exported(one).splitlines(), shown=shown).findings


# Forgeries by hand, and those that the mutator found.

Forgery = list[Timed]
LATER, NEVER = timedelta(days=60), timedelta(days=366)
LOSS = {"days": 2, "timeout": "loss"}
NONCE = "00" * 32


def said(
    *words: str,
    game: str = "beams",
    clock: dict[str, Any] | None = None,
    secret: str | None = None,
) -> Forgery:
    """The events of a game after requests, each "side words"."""
    desk = Desk(game, clock=clock, secret=secret)
    for one in words:
        who, _, rest = one.partition(" ")
        desk.ask(request(desk, who, rest), after=1)
    return [Timed(entry.at, entry.event, entry.came) for entry in desk.entries]


def then(timed: Forgery, *more: LogEvent, after: timedelta = timedelta(0)) -> Forgery:
    """More events, some time after the last one."""
    at = timed[-1].at + after
    said = ((event, letter(event.side, at) if isinstance(event, events.Failed) else None) for event in more)
    return [*timed, *(Timed(at, event, came) for event, came in said)]


def ending(timed: Forgery, how: str, by: str | None, after: timedelta = timedelta(0), **changes: Any) -> Forgery:  # noqa: ANN401
    """With the end that the law would write if the game ended now in this way."""
    entries = rechained("game-1", timed)
    state = fold_log(entries)
    kept = {CHANCE: "one"} if state.description.secret else {}
    closed = automatic.end(state, how, by, {**kept, **known_later(entries)})
    return then(timed, replace(closed, **changes), after=after)


def but(timed: Forgery, number: int, **changes: Any) -> Forgery:  # noqa: ANN401 - fields of events
    """With one entry changed."""
    event = replace(timed[number].event, **changes)
    return [*timed[:number], timed[number]._replace(event=event), *timed[number:][1:]]


def late(timed: Forgery, number: int, by: timedelta = NEVER) -> Forgery:
    """With everything from an entry on later by this time."""
    return [*timed[:number], *(one.moved(one.at + by) for one in timed[number:])]


def promised(move: str) -> dict[str, str]:
    """The commitment to south's first move, and the other parts of its seal."""
    head = rechained("game-1", said())[0].digest
    past = Past(head, head)
    return {"commitment": commitment("game-1", 1, "south", "beams 1", move, bytes(32), past), "head": head}


def sealed_illegally(move: str) -> Forgery:
    """The referee itself sealed an illegal move, and then the game ended."""
    sealed = events.Submitted(1, "south", **promised(move))
    timed = then(said(), sealed, events.Resigned("north"))
    closed = events.Closed(
        "resignation", "north", "south", {"south": 0, "north": 0}, {"south": {"move": move, "nonce": NONCE}}, None
    )
    return then(timed, replace(closed, addresses=ADDRESSES))


def failing(code: str, move: str, sealed: str) -> Forgery:
    bound = promised(sealed)
    timed = then(said(), events.Sealed(1, "south", **bound))
    timed = then(timed, events.Submitted(1, "north", "ab" * 32, bound["head"]))
    return then(timed, events.Failed(1, "south", code, move, NONCE))


def beam(moves: int) -> Forgery:
    """The Beam with the seed `one`, after a number of moves."""
    desk, chance = Desk("the-beam", secret="one"), random.Random(1)
    for _ in range(moves):
        side = sorted(desk.state.owing)[0]
        desk.ask(submit(side, str(any_move(desk.state.position, side, chance))), after=1)
    return [Timed(entry.at, entry.event, entry.came) for entry in desk.entries]


def forgeries() -> list[tuple[str, Forgery, set[str]]]:
    """Forgeries by name, each with the codes of its faults."""
    round_ = beam(2)
    begun = round_[0].event.options  # type: ignore[union-attr]
    deal = round_[2].event.known["deal"]  # type: ignore[union-attr, index]
    whole = dealt("one")
    left = then(beam(0), events.Resigned("p1"))

    def told(**changes: Any) -> Forgery:  # noqa: ANN401 - of a deal
        other = {name: value for name, value in {**deal, **changes}.items() if value is not None}
        return but(round_, 2, known={"deal": other})

    drawn = said("south offer", "north accept", clock=LOSS)[:-1]
    decided = then(said(clock=LOSS), events.Adjudicated("south", ""))
    given_up = then(said(clock=LOSS), events.Resigned("north"))
    *won, end = beam(24)
    played = said("south submit P M1 A2 12", "north submit P S A2")
    legal = "P M1 A2 12"
    claimable, timed = said(clock={"days": 2}), said(clock={})
    reminded = said("host tick", clock={"days": 2, "reminders": [47]})

    return [
        ("a timeout after a resignation", ending(given_up, "timeout", None, LATER), {"time", "end"}),
        ("a timeout after an agreed draw", ending(drawn, "timeout", None, LATER), {"time", "end"}),
        ("a timeout after an adjudication", ending(decided, "timeout", None, LATER), {"time", "end"}),
        ("a resignation whose end comes late", ending(given_up, "resignation", "north", LATER), {"time"}),
        ("an agreed draw whose end comes late", ending(drawn, "agreement", None, LATER), {"time"}),
        ("an adjudication whose end comes late", ending(decided, "adjudication", "south", LATER), {"time"}),
        ("the end of the moves that comes late", then(won, end.event, after=LATER), {"time"}),
        ("a ply that is played a year later", late(played, 3), {"time"}),
        ("a resignation that is abandoned", ending(given_up, "abandoned", None), {"end"}),
        ("an agreed draw that is abandoned", ending(drawn, "abandoned", None), {"end"}),
        ("an adjudication that is abandoned", ending(decided, "abandoned", None), {"end"}),
        ("a lost game that is abandoned", ending(said(clock=LOSS), "abandoned", None, LATER), {"end"}),
        ("a won game that is abandoned", then(won, ending(won[:-1], "abandoned", None)[-1].event), {"end"}),
        ("a timeout where a timeout may be claimed", ending(claimable, "timeout", None, LATER), {"end"}),
        ("a log that ends within an end", given_up, {"cut"}),
        ("a log that ends before a ply", played[:-1], {"cut"}),
        ("a log that ends between two reminders", reminded[:-1], {"cut"}),
        ("a reminder without the other side's", then(reminded[:-1], events.Offered("south")), {"order"}),
        ("reminders in another order", [reminded[0], reminded[2], reminded[1]], {"clock"}),
        ("a reminder that comes later than the other", late(reminded, 2, timedelta(minutes=1)), {"time"}),
        (
            "an agreement of the one who agrees already",
            then(said("p1 offer", "p2 accept", game="the-beam"), events.Accepted("p2")),
            {"order"},
        ),
        ("all cards told at once", told(decks=[list(deck) for deck in whole.decks]), {"known"}),
        ("one round of cards too many", told(decks=[list(deck[:3]) for deck in whole.decks]), {"known"}),
        ("another card of before", told(decks=[[deck[0] % 6 + 1, deck[1]] for deck in whole.decks]), {"known"}),
        ("the seed told while the game runs", told(seed="one"), {"known"}),
        ("nothing but the seed", told(seed="one", discs=None, decks=None), {"known"}),
        ("another commitment", told(commitment="ab" * 32), {"known"}),
        ("a commitment in capital letters", told(commitment=deal["commitment"].upper()), {"known"}),
        ("no commitment any more", told(commitment=None), {"known"}),
        ("other discs", told(discs={**deal["discs"], "red": [1, 2, 4], "blue": [1, 2, 4]}), {"known"}),
        ("cards before the round is over", but(beam(1), 1, known={"deal": deal}), {"known"}),
        ("told, and nothing turned over", but(beam(1), 1, known=begun), {"known"}),
        ("nothing told in a later round", but(beam(4), 4, known=None, owing=()), {"known"}),
        ("a seed that is never told", ending(left, "resignation", "p1", secret=None), {"secret"}),
        ("another seed", ending(left, "resignation", "p1", secret="two"), {"secret"}),
        ("a seed of a deal that was told", but(round_, 0, options={"deal": {"seed": "one"}}), {"known"}),
        ("a deal of which nothing is said", but(beam(0), 0, options={}), {"known"}),
        ("a sealed move that nobody may make", sealed_illegally("P M1 A1 12"), {"unknown-cell"}),
        ("a sealed move that is none", sealed_illegally("hello"), {"syntax"}),
        ("a sealed move in small letters", sealed_illegally("p m1 a2 12"), {"canonical"}),
        ("a failed reveal in small letters", failing("mismatch", "p m1 a2 12", "P S A2"), {"canonical"}),
        ("a failed reveal of five thousand letters", failing("mismatch", "x" * 5000, "P S A2"), {"syntax"}),
        ("a reveal that failed by its notation", failing("syntax", "hello", "hello"), {"syntax"}),
        ("a reveal that failed by its form", failing("canonical", "p m1 a2 12", "p m1 a2 12"), {"canonical"}),
        ("a reveal that failed and was right", failing("unknown-cell", legal, legal), {"commitment"}),
        *(
            (f"the zone {zone}", but(timed, 0, clock={**Terms().as_json(), "zone": zone}), {"clock"})
            for zone in ("localtime", "posixrules", "Factory", "posix/Europe/Vienna", "right/Europe/Vienna")
        ),
    ]  # fmt: skip


def near_forgeries() -> dict[str, Forgery]:
    """Logs that are nearly forgeries, and valid."""
    played = said("south submit P M1 A2 12", "north submit P S A2")
    return {
        "a timeout that loses": ending(said(clock=LOSS), "timeout", None, LATER),
        "a game that the host ends": ending(played, "abandoned", None, LATER),
        "a reveal that failed": failing("mismatch", "P M1 A2 12", "P S A2"),
        "a reveal of an illegal move": failing("unknown-cell", "P M1 A1 12", "P M1 A1 12"),
        "cards told as the rules have it": beam(2),
        "reminders of both": said("host tick", clock={"days": 2, "reminders": [47]}),
    }


@pytest.mark.slow
def test_each_forgery_is_found() -> None:
    for shows, timed, codes in forgeries():
        report = audit_text(exported(rechained("game-1", timed)))
        assert {finding.code for finding in report.findings} == codes, (shows, report.findings)


def test_logs_that_are_nearly_forgeries_hold() -> None:
    for shows, timed in near_forgeries().items():
        entries = rechained("game-1", timed)
        assert audit_text(exported(entries)).findings == (), shows
        assert unwritten(entries) is None, shows
