"""Engines on the desk: their moves, acts that must wait for them, and their seeds at the end of a game."""

from __future__ import annotations

import json
import random
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update

from referee.desk import audit, public
from referee.desk.law.automatic import next_due
from referee.desk.law.engine_seats import EngineFirstError, engine_turn, found_move
from referee.desk.law.summary import audit_lines
from referee.desk.log import acts, events
from referee.desk.log.events import LogEvent, kind_of
from referee.desk.log.log import write_time
from referee.desk.play.decisions import Context
from referee.desk.play.progress import move_engine
from referee.desk.service import Desk as Games
from referee.desk.state.engagements import seed_promise
from referee.desk.state.fold import fold
from referee.desk.store.projections.snapshots import snapshot_text, state_in
from referee.desk.store.store import Store
from referee.desk.store.tables.schema import PROJECTION
from referee.errors import RefereeError
from referee.game import GameFile
from referee.mail.evidence.evidence import LetterEvidence
from tests.desk.audited import codes, logged
from tests.desk.test_dues import is_right
from tests.oracles.verifier import verify
from tests.support.desks import BEGIN, KEY, Desk, holds, request, submit
from tests.support.dues import expect_dues
from tests.support.engine_games import MODES, begun, played
from tests.support.forgeries import Timed, rechained
from tests.support.logs import audit_text, fold_log, letter
from tests.support.rows import each
from tests.support.vectors import FOLDER

HOUR = timedelta(hours=1)
LOSS = {"days": 1, "timeout": "loss", "reminders": [6]}
DIGEST = "ab" * 32


def to_seal(clock: dict[str, Any] | None = None) -> Desk:
    """A game of beams whose engine has not sealed its first move."""
    return Desk(clock=clock, engines={"north": 1})


def in_turn(clock: dict[str, Any] | None = None) -> Desk:
    """A game of boundary in which an engine is to move."""
    desk = Desk("boundary", clock=clock, engines={"north": 1})
    desk.ask(submit("south", "P a1-a2"), after=1)
    return desk


# An engine moves, and no player acts before it.


def acts_of(side: str, other: str) -> list[LogEvent]:
    """Acts of players other than their moves."""
    return [
        events.Sealed(1, side, DIGEST),
        events.Offered(side),
        events.Accepted(side),
        events.Declined(side),
        events.Resigned(side),
        events.Claimed(side, "timeout"),
        events.MessageSent(side, "hello"),
        events.VacationTaken(side, "2027-03-02", "2027-03-03"),
        events.Gave(side, other, 5),
        events.Aborted(side),
        events.Keyed(side, None, None, "lost"),
    ]


@each(acts_of("north", "south"))
def test_an_engine_moves_and_does_nothing_else(event: LogEvent) -> None:
    found = audit_text(logged(to_seal({"vacation": 9}), event)).findings
    assert (found[0].code, "does nothing else" in found[0].message) == ("order", True)
    assert audit_text(logged(in_turn({"vacation": 9}), event)).findings[0].code == "order"
    desk = to_seal()
    desk.ask(request(desk, "host", "close"))
    assert codes(logged(desk, event)) == {"order"}


def test_no_message_of_an_engine_comes_after_the_end() -> None:
    desk = in_turn()
    desk.ask(request(desk, "south", "resign"))
    assert codes(logged(desk, events.MessageSent("south", "hello"))) == set()
    assert codes(logged(desk, events.MessageSent("north", "hello"))) == {"order"}


@each(
    [
        "submit P M1 A2 12",
        "seal P M1 A2 12",
        "offer",
        "resign",
        "message Hi",
        "give 3",
        "abort",
        "key a",
        "claim timeout",
    ]
)
def test_no_player_acts_before_an_engine_has_sealed_its_move(words: str) -> None:
    desk = to_seal({"days": 1})
    before = desk.exported
    with pytest.raises(EngineFirstError, match="game-1"):
        desk.ask(request(desk, "south", words), after=30)
    assert desk.exported == before


def test_acts_before_the_seal_of_an_engine_are_found() -> None:
    desk = to_seal({"days": 1, "vacation": 5})
    for event in (*acts_of("south", "north"), events.Submitted(1, "south", DIGEST)):
        found = audit_text(logged(desk, event)).findings
        assert found[0].code == "order"
        assert any("engine seals its move" in one.message for one in found)
    assert desk.think() == 1
    assert codes(logged(desk, events.Submitted(1, "south", DIGEST))) == {"cut"}
    assert codes(logged(desk, events.MessageSent("south", "hello"))) == set()


@each(["pause", "extend 5 south", "extend 5 north", "adjudicate", "close", "replace south Eve", "replace north Eve"])
def test_the_host_does_not_wait_for_an_engine(words: str) -> None:
    desk = to_seal({"days": 1})
    desk.ask(request(desk, "host", words), after=1)
    holds(desk)
    sealed = desk.think(after=1)
    assert sealed == (words in ("pause", "extend 5 south", "extend 5 north", "replace south Eve"))
    if sealed:
        assert desk.entries[-1].at == BEGIN + 2 * HOUR, "when the engine has found it"
    holds(desk)
    assert verify(desk.exported) == []


@each([("came", "came"), ("twice", "order")])
def test_a_seal_of_an_engine_has_no_letter_and_comes_once(row: tuple[str, str]) -> None:
    what, code = row
    desk = to_seal()
    desk.think()
    *before, last = (Timed(one.at, one.event) for one in desk.entries)
    again = last._replace(event=events.Submitted(1, "north", DIGEST, desk.state.begun))
    more = {
        "came": [last._replace(came=letter("north", last.at))],
        "twice": [last, again],
    }
    found = audit(one.as_line() for one in rechained("game-1", [*before, *more[what]])).findings
    assert found[0].code == code


@pytest.mark.parametrize("engines", [{"p2": 1, "p3": 1, "p4": 1}, {"p2": 1, "p3": 1}])
def test_no_draw_is_offered_to_engines_alone(engines: dict[str, int]) -> None:
    desk = Desk("the-beam", secret="x", engines=engines)
    (answer,) = desk.ask(request(desk, "p1", "offer"))
    assert answer.code == ("engine" if len(engines) == 3 else "offered"), answer
    holds(desk)


# Time.


def test_no_time_runs_out_for_an_engine() -> None:
    desk = in_turn(LOSS)
    assert desk.state.clock.deadline("north") is None
    assert next_due(desk.state) is None
    desk.ask(acts.Tick(), after=999)
    assert (desk.kinds[-1], desk.state.closed) == ("played", None)
    (answer,) = desk.ask(request(desk, "south", "claim timeout"))
    assert answer.code == "no-claim"
    desk.think()
    assert desk.state.clock.deadline("south") == desk.at + 24 * HOUR
    holds(desk)


@pytest.mark.parametrize("by", ["engine", "host"])
def test_a_player_s_turn_begins_once_no_engine_is_waited_for(by: str) -> None:
    """The desk did nothing for a month; no player could move before the engine, so none has lost on time."""
    desk = to_seal(LOSS)
    desk.ask(request(desk, "host", "extend 5 south"), after=720)
    assert desk.state.clock.deadline("south") == BEGIN + 29 * HOUR
    assert not desk.state.clock.at("south", desk.at).overdue
    assert next_due(desk.state) is None
    desk.ask(acts.Tick(), after=1)
    assert desk.kinds[-1] == "extended"
    if by == "engine":
        desk.think()
    else:
        desk.ask(request(desk, "host", "replace north Eve"))
        assert desk.state.clock.deadline("north") == desk.at + 24 * HOUR
    assert desk.state.clock.deadline("south") == desk.entries[-1].at + 29 * HOUR
    desk.ask(submit("south", "P M1 A2 12"), after=1)
    assert desk.state.closed is None
    holds(desk)
    assert verify(desk.exported) == []


def test_a_seat_that_an_engine_leaves_has_a_turn_of_its_own() -> None:
    desk = in_turn(LOSS)
    desk.ask(request(desk, "host", "extend 9 north"), after=1)
    desk.ask(request(desk, "host", "replace north Grace"), after=100)
    assert desk.state.clock.deadline("north") == desk.at + 24 * HOUR
    assert next_due(desk.state) == desk.at + 18 * HOUR
    desk.ask(acts.Tick(), after=24)
    assert desk.kinds[-4:] == ["extended", "replaced", "closed", "disclosed"]
    holds(desk)
    assert verify(desk.exported) == []


def test_a_turn_that_waits_for_a_reveal_stays_when_an_engine_that_has_sealed_leaves() -> None:
    desk = to_seal(LOSS)
    desk.think()
    desk.ask(request(desk, "host", "replace north Grace"), after=5)
    assert desk.state.clock.deadline("south") == BEGIN + 24 * HOUR
    assert desk.state.clock.deadline("north") is None


@pytest.mark.slow
@each(range(10), name=str)
def test_ticks_do_something_when_it_is_due_and_the_fold_of_a_log_is_its_state(seed: int) -> None:
    chance = random.Random(f"due {seed}")
    desk = begun(MODES[seed % len(MODES)], chance)
    played(desk, chance, 3)
    for number in range(len(desk.entries)):
        state = fold_log(desk.entries[: number + 1])
        if state.begun:
            is_right(state, desk.secrets)
        assert fold(desk.entries[: number + 1]) == state
        again = state_in(snapshot_text(state))
        assert again == state
        assert [*again.engines] == [*state.engines], "their seeds are told in this order"


# Seeds.


@pytest.mark.slow
@each(range(10), name=str)
def test_no_seed_is_shown_before_the_end(seed: int) -> None:
    chance = random.Random(f"seen {seed}")
    desk = begun(MODES[seed % len(MODES)], chance)
    played(desk, chance, 2)
    seeds = [value for name, value in desk.secrets.items() if name.startswith("engine/")]
    assert len(seeds) == len(desk.state.engines) > 0
    end = desk.kinds.index("closed")
    for number in range(end + 1):
        state = fold_log(desk.entries[: number + 1])
        told = [desk.entries[number].as_line(), repr(state), repr(state.engines), snapshot_text(state)]
        told += [json.dumps(public(state, state.at)), repr(state.position.facts()), repr(state.as_file())]
        assert not any(one in text for one in seeds for text in told)
    lines = desk.exported.splitlines()
    assert [one for one in seeds if not any(one in line for line in lines[end + 1 :])] == []


def test_an_end_tells_each_seed_once() -> None:
    desk = Desk("the-beam", secret="x", engines={"p4": 1, "p1": 1, "p2": 2})
    desk.ask(request(desk, "host", "replace p1 Eve"))
    desk.ask(request(desk, "host", "close"))
    told = [entry.event for entry in desk.entries if isinstance(entry.event, events.Disclosed)]
    assert [one.side for one in told] == ["p4", "p1", "p2"]
    for one in told:
        assert seed_promise("game-1", one.side, one.seed) == desk.state.engines[one.side].promise
    holds(desk)
    assert codes(logged(desk, told[0])) == {"order"}


def test_a_game_is_reopened_only_if_all_engines_have_left() -> None:
    desk = to_seal()
    desk.think()
    desk.ask(request(desk, "host", "close"))
    (answer,) = desk.ask(request(desk, "host", "reopen A slip"))
    assert answer.code == "told"
    left = to_seal()
    left.think()
    for words in ("replace north Eve", "close", "reopen A slip", "close"):
        (answer,) = left.ask(request(left, "host", words), after=1)
        assert not answer.refused, answer
    assert left.kinds[-5:] == ["replaced", "closed", "disclosed", "reopened", "closed"]
    holds(left)
    assert verify(left.exported) == []


# Recomputed moves.


def test_an_audit_makes_each_move_of_an_engine_again() -> None:
    desk = in_turn()
    for move in ("P a2-b2", "P b2-b3"):
        desk.think()
        desk.ask(submit("south", move), after=1)
    assert audit_text(desk.exported).recomputed == 0, "the seed is not told yet"
    desk.ask(request(desk, "south", "resign"))
    report = audit_text(desk.exported)
    assert (report.findings, report.recomputed) == ((), 2)
    assert "2 moves of engines follow from the seed" in "\n".join(audit_lines(report, "log"))


@pytest.mark.parametrize("leaves", [False, True])
def test_a_move_that_an_engine_did_not_find_is_found_out_even_if_it_has_left(leaves: bool) -> None:
    desk = to_seal()
    desk.think(honestly=False)
    if leaves:
        desk.ask(request(desk, "host", "replace north Eve"))
    desk.ask(submit("south", "P M1 A2 12"), after=1)
    assert audit_text(desk.exported).findings == ()
    place = desk.kinds.index("played")
    if not leaves:
        desk.think()
    desk.ask(request(desk, "host", "close"))
    (finding,) = audit_text(desk.exported).findings
    assert (finding.code, finding.line) == ("engine", place + 1)
    assert "had to play" in finding.message
    assert verify(desk.exported) == [(place + 1, "engine")]


def test_the_moves_of_a_person_on_an_engine_s_seat_are_their_own() -> None:
    desk = in_turn()
    desk.ask(request(desk, "host", "replace north Grace"))
    desk.ask(submit("north", "P f6-f5"), after=1)
    desk.ask(request(desk, "south", "resign"))
    report = audit_text(desk.exported)
    assert (report.findings, report.recomputed) == ((), 0)


def test_an_engine_finds_the_same_move_wherever_it_is_asked() -> None:
    desk = to_seal()
    turn = engine_turn(desk.state, desk.secrets)
    assert turn is not None
    anew = turn._replace(position=fold_log(to_seal().entries).position)
    assert (found_move(turn), found_move(anew)) == (found_move(anew), found_move(turn))
    with pytest.raises(RefereeError, match="version 2") as raised:
        found_move(turn._replace(version=2))
    assert raised.value.code == "engine-version"
    with pytest.raises(RefereeError):
        move_engine(Context(desk.state, desk.at, desk.secrets, KEY.draw), "south", found_move(turn))


@pytest.mark.slow
@each(["beams-engine", "laser-chess-engine", "the-beam-engines"])
def test_an_audit_with_letters_asks_for_none_of_an_engine(name: str) -> None:
    log = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    witness = LetterEvidence([], {})
    assert audit(log, witness=witness).findings == ()
    assert (witness.unsent, len(witness.missing)) == (0, witness.acts)


# In a store.


def test_a_desk_makes_a_move_once_and_keeps_what_it_owes(where: str) -> None:
    with Store.create(where) as store:
        games = Games(store)
        game = GameFile("laser-chess", options={"setup": "ace"})
        games.open("spring-1", game, BEGIN, engines={"blue": 1})
        expect_dues(store)
        assert store.engine_turns.take(BEGIN, 9) == ["spring-1"]
        assert store.engine_turns.take(BEGIN, 9) == [], "it belongs to a worker"
        table = games.table("spring-1")
        turn = engine_turn(table.state, table.secrets)
        assert turn is not None
        move = found_move(turn)
        assert games.play_engine(turn, move, BEGIN + HOUR)
        assert not games.play_engine(turn, move, BEGIN + HOUR), "a second worker has found it, too"
        assert [kind_of(entry.event) for entry in store.games.log("spring-1")] == ["opened", "engaged", "played"]
        for repair in (store.games.rebuild, lambda: store.games.note(games.state("spring-1"))):
            with store.database.transaction() as connection:
                connection.execute(update(PROJECTION).values(owed="1 blue", since=write_time(BEGIN), taken=None))
            assert store.engine_turns.take(BEGIN, 9) == ["spring-1"]
            repair()
            assert store.engine_turns.take(BEGIN, 9) == []
            expect_dues(store)
