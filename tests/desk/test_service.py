"""The desk's facade without mail: games are opened, played, given orders and viewed, with notices of all events."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from referee.desk import By, Desk, Notice, Progress, Terms
from referee.desk.log import acts
from referee.desk.play.notices import Topic
from referee.desk.records import Outgoing
from referee.desk.store.store import Store
from referee.errors import RefereeError
from referee.game import GameFile
from tests.support.desks import BEGIN
from tests.support.logs import audit_text

HOUR = timedelta(hours=1)


class Told:
    """Writes no letters, and keeps the notices that ask for them."""

    def __init__(self) -> None:
        self.notices: list[Notice] = []

    def __call__(self, result: Progress) -> tuple[Outgoing, ...]:
        self.notices = list(result.notices)
        return ()

    @property
    def kinds(self) -> dict[str, list[str]]:
        return {one.side: [entry.as_json()["kind"] for entry in one.entries] for one in self.notices}


@pytest.fixture
def desk(where: str) -> Iterator[Desk]:
    with Store.create(where) as store:
        yield Desk(store)


def test_a_game_from_its_opening_to_its_end(desk: Desk) -> None:
    told = Told()
    desk.open("game-1", GameFile("beams"), BEGIN, addresses={"south": "ada@example.org"}, writer=told)
    assert told.kinds == {"south": ["opened"], "north": ["opened"]}
    assert [one.address for one in told.notices] == ["ada@example.org", None]
    desk.act("game-1", By("south"), [acts.MakeMove("P M1 A2 12")], BEGIN + HOUR, writer=told)
    assert told.kinds == {"north": ["submitted"]}
    assert "P M1 A2 12" not in repr(told.notices)
    result = desk.act(
        "game-1", By("north", 1), [acts.MakeMove("P S A2"), acts.OfferDraw()], BEGIN + HOUR, writer=told
    )
    assert [answer.code for answer in result.answers] == ["moved", "offered"]
    assert told.kinds == {"south": ["submitted", "played", "offered"], "north": ["played"]}
    desk.act("game-1", By("south"), [acts.Accept()], BEGIN + 2 * HOUR, writer=told)
    assert told.kinds == {"south": ["closed"], "north": ["accepted", "closed"]}
    state = desk.state("game-1")
    assert state.outcome is not None
    assert state.outcome.termination == "agreement"
    log = desk.log("game-1")
    assert log[-1].digest == state.head
    assert audit_text("".join(f"{entry.as_line()}\n" for entry in log)).findings == ()


def test_a_refused_order_changes_nothing(desk: Desk) -> None:
    desk.open("game-1", GameFile("beams"), BEGIN)
    with pytest.raises(RefereeError, match="not-paused"):
        desk.order("game-1", acts.Resume(), BEGIN)
    with pytest.raises(RefereeError, match="unknown-game"):
        desk.order("game-2", acts.Resume(), BEGIN)
    with pytest.raises(RefereeError, match="game-id"):
        desk.open("game-1", GameFile("beams"), BEGIN)
    assert desk.state("game-1").number == 0


def test_the_former_player_of_a_seat_is_notified(desk: Desk) -> None:
    told = Told()
    desk.open("game-1", GameFile("beams"), BEGIN, addresses={"south": "ada@example.org"})
    desk.order("game-1", acts.Replace("south", "Grace", "grace@example.org"), BEGIN, writer=told)
    assert [(one.kind, one.side, one.address) for one in told.notices] == [
        (Topic.NEWS, "south", "grace@example.org"),
        (Topic.NEWS, "north", None),
        (Topic.SEAT_GIVEN, "south", "ada@example.org"),
    ]


def test_time_passes_in_every_running_game(desk: Desk) -> None:
    terms = Terms(days=1, timeout="loss", reminders=(12,))
    for name in ("game-1", "game-2"):
        desk.open(name, GameFile("boundary"), BEGIN, terms=terms)
    assert desk.tick(BEGIN + HOUR) == 0
    assert desk.tick(BEGIN + 13 * HOUR) == 2
    assert desk.tick(BEGIN + 25 * HOUR) == 2
    assert desk.state("game-2").closed is not None
    assert desk.tick(BEGIN + 26 * HOUR) == 0


def test_a_game_is_found_by_its_name_or_by_its_only_player(desk: Desk) -> None:
    desk.open("game-1", GameFile("beams"), BEGIN, addresses={"south": "ada@example.org"})
    desk.open("game-2", GameFile("beams"), BEGIN, addresses={"south": "ben@example.org", "north": "ada@example.org"})
    assert desk.game_of(["nothing", "game-2"], "") == "game-2"
    assert desk.game_of([], "ben@example.org") == "game-2"
    assert desk.game_of([], "ada@example.org") is None


@pytest.mark.parametrize("order", [acts.Extend(1.5), acts.Extend(True), acts.Pause(None)], ids=repr)  # type: ignore[arg-type]
def test_values_that_no_log_can_hold_are_never_entered(desk: Desk, order: acts.Order) -> None:
    desk.open("game-1", GameFile("beams"), BEGIN, writer=Told())
    before = desk.log("game-1")
    with pytest.raises(TypeError, match=r"of an event .* cannot be"):
        desk.order("game-1", order, BEGIN + HOUR, writer=Told())
    assert desk.log("game-1") == before


def test_a_name_that_cannot_be_written_is_refused(desk: Desk) -> None:
    with pytest.raises(RefereeError, match="name: a name is a line of text"):
        desk.open("game-1", GameFile("boundary", event="\ud800"), BEGIN, writer=Told())


def test_rules_that_there_are_not_are_refused(desk: Desk) -> None:
    with pytest.raises(RefereeError, match="unknown-rules: this referee knows version 1"):
        desk.open("game-1", GameFile("boundary", rules=0), BEGIN, writer=Told())
