"""All games of a desk at once: their progress, players and deadlines."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from sqlalchemy import update

from referee.desk import By, Desk, Key, Proposal, Terms
from referee.desk.glances import Phase, glance_of
from referee.desk.log import acts
from referee.desk.store.store import Store
from referee.desk.store.tables.schema import PROJECTION
from referee.desk.views import calendar_owner, debts
from referee.game import GameFile, Player
from tests.support.desks import BEGIN
from tests.support.dues import expect_dues
from tests.support.proposals import invite, take_seat

HOUR = timedelta(hours=1)
ADA = "ada@example.org"


@pytest.fixture
def desk(where: str) -> Iterator[Desk]:
    with Store.create(where) as store:
        yield Desk(store)


def propose(desk: Desk, name: str) -> None:
    seats = {"south": "Ada", "north": None}
    proposal = Proposal(GameFile("boundary"), seats, BEGIN + timedelta(days=7), None)
    invite(desk, name, proposal, BEGIN, addresses={"south": ADA})


def begin(desk: Desk, name: str, **players: str) -> None:
    file = GameFile("boundary", players={side: Player(who) for side, who in players.items()})
    addresses = {"south": ADA, "north": "Ben@example.org"}
    desk.open(name, file, BEGIN, terms=Terms(days=2, timeout="loss"), addresses=addresses)


def test_every_phase_of_a_game(desk: Desk) -> None:
    begin(desk, "one")
    assert [one.phase for one in desk.catalogue.standings()] == [Phase.RUNNING]
    desk.act("one", By("south"), [acts.Resign()], BEGIN + HOUR)
    assert [one.phase for one in desk.catalogue.standings()] == [Phase.FINISHED]
    desk.order("one", acts.Reopen("a mistake"), BEGIN + 2 * HOUR)
    (one,) = desk.catalogue.standings()
    assert (one.phase, one.number, one.at) == (Phase.RUNNING, desk.state("one").number, BEGIN + 2 * HOUR)
    propose(desk, "two")
    propose(desk, "three")
    desk.order("three", acts.Close(), BEGIN + HOUR)
    assert {one.game: one.phase for one in desk.catalogue.standings()} == {
        "one": Phase.RUNNING,
        "two": Phase.WAITING,
        "three": Phase.NEVER_BEGUN,
    }
    assert [one.game for one in desk.catalogue.standings()] == ["one", "three", "two"], "the last one to change first"


@pytest.mark.slow
def test_the_standings_of_games_can_be_rebuilt_from_the_logs(desk: Desk) -> None:
    """For a desk with wrong projections."""
    for name in ("one", "two", "three", "four"):
        begin(desk, name)
    propose(desk, "five")
    propose(desk, "six")
    orders: list[tuple[str, acts.Order]] = [
        ("one", acts.Pause("a holiday")),
        ("two", acts.Pause("a holiday")),
        ("two", acts.Resume()),
        ("three", acts.Pause("a holiday")),
        ("three", acts.Close()),
        ("three", acts.Reopen("a mistake")),
        ("four", acts.Pause("a holiday")),
        ("four", acts.Close()),
        ("six", acts.Close()),
    ]
    for name, order in orders:
        desk.order(name, order, BEGIN + HOUR)
        expect_dues(desk)
        desk.games.rebuild()
        expect_dues(desk)
    assert desk.catalogue.paused() == ["one"]
    assert desk.catalogue.in_phase(Phase.WAITING) == ["five"]
    assert desk.catalogue.games_of(ADA) == ["five", "one", "three", "two"]
    seen = desk.games.glances()
    assert seen == [glance_of(desk.state(name)) for name in sorted(desk.catalogue.ids())]
    assert list(desk.catalogue.known_glances().values()) == seen


@pytest.mark.parametrize("written", ["{}", "no JSON", '{"id": "one"}', "[[1]]", "7"])
def test_glances_of_another_version_are_rewritten(desk: Desk, written: str) -> None:
    begin(desk, "one")
    seen = desk.games.glances()
    with desk.games.database.transaction() as connection:
        connection.execute(update(PROJECTION).values(value=written))
    assert desk.games.glances() == seen
    assert list(desk.catalogue.known_glances().values()) == seen


def test_the_newest_games_of_a_phase(desk: Desk) -> None:
    for name in ("one", "two", "three"):
        begin(desk, name)
    propose(desk, "four")
    desk.act("one", By("south"), [acts.Resign()], BEGIN + HOUR)
    desk.act("two", By("south"), [acts.MakeMove("P a1-a2")], BEGIN + HOUR)
    assert desk.catalogue.newest(Phase.RUNNING, 5) == ["two", "three"]
    assert desk.catalogue.newest(Phase.RUNNING, 1, beyond=1) == ["three"]
    assert desk.catalogue.newest(Phase.NEVER_BEGUN, 5) == []
    assert [one.game for one in desk.catalogue.standings({"three", "two", "none"})] == ["two", "three"]
    assert [*desk.catalogue.numbers().items()] == [
        (Phase.WAITING, 1),
        (Phase.RUNNING, 2),
        (Phase.FINISHED, 1),
        (Phase.NEVER_BEGUN, 0),
    ]


def test_no_log_is_read_to_list_games(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(desk, "one")
    propose(desk, "two")
    monkeypatch.setattr(desk.games, "held", None)
    assert [one.id for one in desk.games.glances(running=True)] == ["one", "two"]
    assert desk.catalogue.games_of(ADA) == ["one", "two"]
    assert desk.catalogue.paused() == []


def test_the_ends_of_the_logs_that_are_wanted(desk: Desk) -> None:
    begin(desk, "one")
    begin(desk, "two")
    desk.act("two", By("south"), [acts.MakeMove("P a1-a2")], BEGIN + HOUR)
    assert desk.catalogue.last_numbers(["two", "one", "none"]) == {"one": 0, "two": desk.state("two").number}
    assert desk.catalogue.last_numbers([]) == {}


@pytest.mark.parametrize("name", ["Ada", 'Ada "the beam" 100%', "Äda_", "A\\da"])
def test_games_are_found_by_the_names_of_their_players(desk: Desk, name: str) -> None:
    begin(desk, "one", south=name, north="Ben")
    begin(desk, "two", south="Eve", north="Ben")
    begin(desk, "three", south="Eve", north="Ben")
    desk.order("three", acts.Replace("south", name), BEGIN + HOUR)
    propose(desk, "four")
    take_seat(desk, "four", "north", name, "x@example.org", BEGIN + HOUR)
    for _ in ("what lists show", "the logs"):
        assert desk.catalogue.games_naming(name) == {"one", "three", "four"}
        assert desk.catalogue.games_naming("Nobody") == set()
        assert desk.catalogue.games_naming("%") == set()
        desk.games.rebuild()


def test_a_calendar_is_of_one_address_and_of_one_key(desk: Desk) -> None:
    begin(desk, "one")
    begin(desk, "two")
    desk.act("two", By("south"), [acts.MakeMove("P a1-a2")], BEGIN + HOUR)
    assert sorted(desk.catalogue.addresses()) == [ADA, "ben@example.org"]
    key = desk.key
    for address in (ADA, "ben@example.org"):
        assert calendar_owner(desk, key.calendar(address)) == address
    assert calendar_owner(desk, key.calendar("eve@example.org")) is None
    assert [(one.state.id, one.side) for one in debts(desk, ADA)] == [("one", "south")]
    assert [(one.state.id, one.side) for one in debts(desk, "ben@example.org")] == [("two", "north")]
    old = key.calendar(ADA)
    desk.keys.renew(Key.drawn())
    assert calendar_owner(desk, old) is None
