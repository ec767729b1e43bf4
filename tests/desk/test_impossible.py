"""Findings of the audit in logs with impossible events, beginnings and reopenings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.desk.log import events
from referee.desk.log.events import kind_of
from tests.desk.audited import codes, forged, logged, whole
from tests.support.desks import ADDRESSES, Desk, holds, request, submit
from tests.support.logs import chain
from tests.support.rows import each


def reopened() -> Desk:
    """A game that ended twice by the host's mistake."""
    desk = Desk("beams")
    for word in ("adjudicate south", "reopen A mistake"):
        desk.ask(request(desk, "host", word), after=1)
    for move in ("south", "north"):
        desk.ask(request(desk, move, "submit P M1 A2 12"))
    for word in ("close", "reopen Another mistake"):
        desk.ask(request(desk, "host", word), after=1)
    return desk


def test_a_reopened_game_holds_and_runs() -> None:
    desk = reopened()
    holds(desk)
    assert desk.kinds[-2:] == ["closed", "reopened"]
    assert (desk.state.outcome, desk.state.as_file().ending, len(desk.state.plies)) == (None, None, 1)


@pytest.mark.parametrize(
    ("number", "change", "code"),
    [
        (3, {"reason": "two\nlines"}, "text"),
    ],
)
def test_no_game_is_reopened_otherwise(number: int, change: dict[str, Any], code: str) -> None:
    entries = reopened().entries
    assert kind_of(entries[number].event) == "reopened"
    assert code in codes(forged(entries, lambda at, data: {**data, **change} if at == number else data))


def test_a_game_is_reopened_right_after_its_end_only() -> None:
    entries = reopened().entries
    for number, last in enumerate(entries, 1):
        log = "".join(f"{entry.as_line()}\n" for entry in entries[:number])
        again = events.Reopened("No")
        (forgery,) = chain(last.game, last.number, last.digest, last.at, [again])
        wanted = set() if kind_of(last.event) == "closed" else {"order"}
        assert codes(f"{log}{forgery.as_line()}\n") == wanted, last


@pytest.mark.parametrize("before", ["nothing", "settled", "moves"])
def test_games_that_cannot_be_reopened(before: str) -> None:
    desk = whole("laser-chess") if before == "moves" else Desk("beams")
    if before == "settled":
        for side, word in (("south", "offer"), ("north", "accept")):
            desk.ask(request(desk, side, word))
    assert (desk.state.closed is None) is (before == "nothing")
    (last,) = chain(desk.state.id, desk.state.number, desk.state.head, desk.at, [events.Reopened("No")])
    decided = before != "moves" or desk.state.position.outcome is not None
    assert codes(f"{desk.exported}{last.as_line()}\n") == ({"order"} if decided else set())


_PROMISE = "ab" * 32


_PLY = events.Played(1, {"south": "P M1 A2 12", "north": "P S A2"}, {}, ("south", "north"), None)


_END = events.Closed("resignation", "south", "north", {"south": 0, "north": 0}, {}, None, None, ADDRESSES)


IMPOSSIBLE: list[tuple[list[events.LogEvent], str]] = [
    ([replace(_PLY, moves={"south": "P M1 A2 12"})], "order"),
    ([replace(_PLY, moves={"south": "P M1 A1 12", "north": "P S A2"})], "unknown-cell"),
    ([replace(_PLY, moves={"south": "p m1 a2 12", "north": "P S A2"})], "canonical"),
    ([replace(_PLY, ply=2)], "order"),
    ([replace(_PLY, owing=("south",))], "owing"),
    ([replace(_PLY, known={"columns": 7})], "known"),
    ([replace(_PLY, nonces={"south": _PROMISE, "north": _PROMISE})], "commitment"),
    ([events.Offered("south"), _PLY, replace(_PLY, ply=2)], "commitment"),
    ([events.Submitted(1, "south", "no digest")], "commitment"),
    ([events.Submitted(1, "south", _PROMISE), events.Sealed(1, "south", _PROMISE)], "order"),
    ([events.Submitted(1, "west", _PROMISE)], "side"),
    ([events.Revealed(1, "south", "P M1 A2 12", _PROMISE)], "order"),
    ([events.Accepted("south")], "order"),
    ([events.Offered("south"), events.Declined("south")], "order"),
    ([events.Offered("south"), events.Offered("north")], "order"),
    ([events.Offered("south"), events.Accepted("north"), events.MessageSent("south", "no")], "order"),
    ([events.Resigned("south"), events.Offered("south")], "order"),
    ([events.MessageSent("south", "")], "text"),
    ([events.MessageSent("south", " hello")], "text"),
    ([events.MessageSent("south", "x" * 8001)], "text"),
    ([events.VacationTaken("south", "2027-03-02", "2027-03-30")], "clock"),
    ([events.VacationTaken("south", "20270302", "20270302")], "clock"),
    ([events.VacationTaken("south", "tomorrow", "2027-03-30")], "clock"),
    ([events.Reminded("south", 3, "2027-03-03T12:00:00.000000Z")], "clock"),
    ([events.Extended("south", 10**9)], "clock"),
    ([events.Resumed()], "order"),
    ([events.Paused(""), events.Paused("")], "order"),
    ([events.Replaced("south", "")], "text"),
    ([events.Replaced("south", "Grace\x1b[2J")], "text"),
    ([events.Paused("\x1b[2J")], "text"),
    ([events.Adjudicated("south", "one\ntwo")], "text"),
    ([events.Claimed("south", "timeout")], "claim"),
    ([events.Claimed("south", "repetition")], "claim"),
    ([events.Claimed("south", "everything")], "claim"),
    ([events.Adjudicated("west", "")], "side"),
    ([_END], "end"),
    ([replace(_END, how="timeout", by="south")], "end"),
    ([replace(_END, how="agreement", by=None)], "end"),
    ([replace(_END, how="repetition", by="south")], "end"),
    ([replace(_END, how="score", by=None)], "end"),
    ([events.Resigned("south"), replace(_END, how="resignation", by="north")], "end"),
    ([events.Resigned("north"), replace(_END, how="resignation", by="north")], "outcome"),
    ([events.Resigned("south"), replace(_END, secret="x")], "secret"),
    (
        [
            events.Resigned("south"),
            replace(_END, unplayed={"south": {"move": "", "nonce": ""}}),
        ],
        "commitment",
    ),
    ([events.Resigned("south"), _END, events.Resumed()], "order"),
    ([events.Opened(1, "beams", 1, None, {}, {}, None, ())], "order"),
]


@each(IMPOSSIBLE)
def test_impossible_events(row: tuple[list[events.LogEvent], str]) -> None:
    events, code = row
    assert codes(logged(Desk(clock={"days": 2, "vacation": 3}), *events)) == {code}


def test_a_timeout_must_be_due() -> None:
    desk = Desk(clock={"days": 2, "timeout": "loss"})
    desk.ask(submit("south", "P M1 A2 12"))
    kept = events.Closed("timeout", "north", "south", {"south": 0, "north": 0}, {}, None, None, ADDRESSES)
    told = {"south": dict(zip(("move", "nonce"), desk.secrets["move/1/south"].rsplit(" ", 1), strict=True))}
    assert codes(logged(desk, replace(kept, unplayed=told), hours=49)) == set()
    assert codes(logged(desk, replace(kept, unplayed=told), hours=47)) == {"end"}
    assert codes(logged(desk, kept, hours=49)) == {"commitment"}
    assert codes(logged(desk, events.Offered("south"), hours=49)) == {"order"}


NO_BEGINNINGS: list[tuple[dict[str, Any], str]] = [
    ({"log": 2}, "log"),
    ({"game": "chess"}, "unknown-game"),
    ({"rules": 9}, "rules"),
    ({"players": {}}, "players"),
    ({"options": {"columns": 2}}, "option"),
    ({"options": {"tables": 2}}, "option"),
    ({"clock": {"days": 0}}, "clock"),
    ({"clock": {"days": 3}}, "clock"),
    ({"clock": {"zone": "../x"}}, "clock"),
    ({"clock": {"zone": []}}, "clock"),
    ({"title": "Cup\x1b[2J"}, "text"),
    ({"players": {"south": "", "north": "Ben"}}, "text"),
    ({"owing": []}, "owing"),
]


@each(NO_BEGINNINGS)
def test_impossible_beginnings(row: tuple[dict[str, Any], str]) -> None:
    change, code = row
    assert codes(forged(Desk(clock={}).entries, lambda _, data: {**data, **change})) == {code}


@pytest.mark.slow
def test_a_log_without_its_beginning() -> None:
    lines = whole("beams").exported.splitlines()
    assert "log" in codes("\n".join(lines[1:]))
    assert codes("") == {"json"}
