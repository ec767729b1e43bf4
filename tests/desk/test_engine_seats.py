"""Engines take seats on the desk: where a game begins, and in invitations."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from referee.desk.law import law
from referee.desk.law.summary import audit_lines
from referee.desk.log import events
from referee.desk.log.events import LogEvent
from referee.desk.log.secrets import engine_seed_name
from referee.desk.play.proposals import rematch
from referee.errors import RefereeError
from referee.game import loads
from tests.desk.audited import codes, logged
from tests.desk.cheats import first_move
from tests.oracles.verifier import verify
from tests.support.desks import BEGIN, Desk, holds, request, sides, signer, submit
from tests.support.engine_games import MODES, Mode, begun, played
from tests.support.logs import audit_text, letter
from tests.support.rows import each

HOUR = timedelta(hours=1)
DIGEST = "ab" * 32
KEY_OF_EVE = signer("Eve").public


def first_fault(desk: Desk, event: LogEvent, after: timedelta = timedelta(0)) -> tuple[str | None, str] | None:
    """The reason why an event cannot happen: the code for an audit, and that for the player."""
    found = law.fault(desk.state, event, desk.state.at + after)
    return found and (found.finding, found.refusal.code)


@pytest.mark.slow
@each(MODES, name=str)
def test_an_engine_has_a_name_and_moves_like_a_player(mode: Mode) -> None:
    chance = random.Random(str(mode))
    desk = begun(mode, chance, level=2)
    engines = desk.state.engine_sides
    played(desk, chance, 2)
    assert engines == {side for side, one in desk.state.engines.items() if one.level == 2}
    assert {side for side, name in desk.state.players.items() if name == "Engine 2"} == desk.state.engine_sides
    holds(desk)
    assert verify(desk.exported) == []


def test_no_engine_leaves_the_log_as_it_is() -> None:
    assert Desk(engines={}).exported == Desk().exported


@each(
    [
        ("boundary", {"south": 1, "north": 1}, "engines"),
        ("boundary", {"west": 1}, "unknown-side"),
        ("boundary", {"north": -1}, "level"),
        ("the-beam", {"p1": 1, "p2": 9}, "level"),
        ("the-beam", {"p1": 1, "p2": 1, "p3": 1, "p4": 1}, "engines"),
    ]
)
def test_engines_that_cannot_play_are_refused(row: tuple[str, dict[str, int], str]) -> None:
    game, engines, code = row
    for begin in (Desk, Desk.invited):
        with pytest.raises(RefereeError) as raised:
            begin(game, engines=engines)
        assert raised.value.code == code


def test_a_game_with_engines_begins_without_moves() -> None:
    with pytest.raises(RefereeError, match="begins without moves") as raised:
        Desk(file=loads("game: laser-chess\nmoves: |\n  1. R j1 L\n"), engines={"red": 1})
    assert raised.value.code == "engine-start"


def engaged(side: str, **changes: Any) -> events.Engaged:  # noqa: ANN401 - fields of the event
    return replace(events.Engaged(side, 1, 1, DIGEST), **changes)


def test_an_engine_takes_its_seat_where_a_game_begins() -> None:
    opened = Desk("the-beam", secret="x")
    asked, proposed = Desk.invited("the-beam"), Desk.invited("the-beam", "p1")
    for desk in (opened, asked, proposed):
        assert first_fault(desk, engaged("p2")) is None
        assert first_fault(desk, engaged("p2"), HOUR) == ("order", "order")
        assert first_fault(desk, engaged("west")) == ("side", "unknown-side")
        assert first_fault(desk, engaged("p2", level=9)) == ("engine", "level")
        assert first_fault(desk, engaged("p2", level=-1)) == ("engine", "level")
        assert first_fault(desk, engaged("p2", level=0)) == (("engine", "level") if desk is proposed else None)
        assert first_fault(desk, engaged("p2", version=0)) == ("engine", "level")
    assert first_fault(proposed, engaged("p1")) == ("order", "seat-taken")
    asked.ask(request(asked, "p2", "accept"))
    assert first_fault(asked, engaged("p3")) == ("order", "order"), "a guest has joined"
    (mover,) = opened.state.owing
    opened.ask(submit(mover, first_move(opened.state.position, mover)))
    assert first_fault(opened, engaged("p3")) == ("order", "order"), "a move was made"
    three = Desk("the-beam", secret="x", engines={"p1": 1, "p4": 1, "p2": 1})
    assert first_fault(three, engaged("p4")) == ("order", "seat-taken")
    assert first_fault(three, engaged("p3")) == ("order", "engines")


def test_an_engine_does_not_take_a_seat_without_a_name_or_by_letter() -> None:
    desk = Desk.invited("beams", "south", open_to=["north"])
    assert first_fault(desk, engaged("north")) == ("invitation", "invitation")
    assert verify(logged(desk, engaged("north"))) == [(3, "invitation")]
    desk = Desk.invited("beams", "south")
    found = [*law.faults(desk.state, engaged("north"), desk.at, letter("north", desk.at))]
    assert [one.finding for one in found] == ["came"]


def test_a_player_who_invites_engines_alone_begins_at_once() -> None:
    desk = Desk.invited("the-beam", "p3", word="tea", engines={"p4": 1, "p1": 2, "p2": 1})
    assert desk.kinds == ["invited", "joined", "engaged", "engaged", "engaged", "opened"]
    assert {entry.at for entry in desk.entries} == {BEGIN}
    assert [*desk.state.players.values()] == ["Engine 2", "Engine 1", "player of p3", "Engine 1"]
    desk.think()
    holds(desk)
    said = "\n".join(audit_lines(audit_text(desk.exported), "log"))
    assert "the host knew the word of the only player before drawing what chance decides" in said


def test_engines_have_joined_and_others_are_waited_for() -> None:
    desk = Desk.invited("the-beam", "p3", word="tea", engines={"p1": 2}, open_to=["p4"])
    assert desk.state.invitation is not None
    assert [desk.state.standing(side) for side in sides("the-beam")] == ["joined", "invited", "joined", "invited"]
    assert desk.state.invitation.open == ("p4",)
    taken = (events.Joined("p1", "Eve", None, ""), events.Left("p1"), events.Refused("p1", never=False))
    for event in (*taken, events.Keyed("p1", KEY_OF_EVE, None, "")):
        assert audit_text(logged(desk, event)).findings[0].code == "order"
    desk.ask(request(desk, "p2", "accept milk"), after=1)
    desk.ask(request(desk, "guest", "seat p4 Dora cups"), after=1)
    assert desk.kinds[-1] == "opened"
    words = [desk.state.origin.joined[side].word for side in ("p2", "p3", "p4")]  # type: ignore[union-attr]
    assert words == ["milk", "tea", "cups"]
    desk.think()
    desk.ask(request(desk, "p2", "resign"), after=1)
    holds(desk)
    assert verify(desk.exported) == []
    assert "chance decides" not in "\n".join(audit_lines(audit_text(desk.exported), "log"))


@pytest.mark.parametrize("words", ["never", "decline"])
def test_a_declined_invitation_tells_no_seed(words: str) -> None:
    desk = Desk.invited("the-beam", "p3", engines={"p1": 2})
    desk.ask(request(desk, "p2", words), after=1)
    assert desk.kinds[-2:] == ["refused", "closed"]
    holds(desk)
    disclosed = events.Disclosed("p1", desk.secrets[engine_seed_name("p1")])
    assert codes(logged(desk, disclosed)) == {"order"}


def test_engines_play_a_rematch_on_the_next_sides() -> None:
    desk = Desk("the-beam", secret="x", engines={"p1": 1, "p3": 2})
    desk.ask(request(desk, "host", "close"), after=1)
    assert rematch(desk.state, "p2", BEGIN + 99 * HOUR).engines == {"p2": 1, "p4": 2}
    left = Desk(engines={"north": 1})
    left.think()
    left.ask(request(left, "host", "replace north Eve"))
    left.ask(request(left, "south", "resign"), after=1)
    assert rematch(left.state, "south", BEGIN + 99 * HOUR).engines == {}


def test_a_game_that_is_begun_again_has_another_seed() -> None:
    games = [Desk.invited("beams", engines={"north": 1}, days=days) for days in (1, 2, 1)]
    first, second, third = (one.secrets[engine_seed_name("north")] for one in games)
    assert first == third != second
