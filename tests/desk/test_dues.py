"""The due time of a game: the clock acts then and not earlier. Ticks look at no game in between."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import delete, insert, update

from referee.desk import State
from referee.desk.errors import StoreError
from referee.desk.law.automatic import next_due
from referee.desk.log import acts
from referee.desk.log.log import write_time
from referee.desk.log.terms import Terms
from referee.desk.play.decisions import Context
from referee.desk.play.progress import execute
from referee.desk.records import Held
from referee.desk.service import Desk as Games
from referee.desk.store.store import Store
from referee.desk.store.tables.schema import GAME, META, PROJECTION
from referee.game import GameFile
from tests.desk.test_cases import CASES, played
from tests.support.desks import BEGIN, KEY, Desk, request
from tests.support.dues import expect_dues
from tests.support.logs import fold_log
from tests.support.rows import each

MOMENT = timedelta(microseconds=1)
FAR = timedelta(days=4000)
GAMES = ("beams", "boundary", "laser-chess", "the-beam")
CLOCKS: list[dict[str, Any] | None] = [
    None,
    {"days": 1},
    {"days": 2, "bank": 20, "increment": 3, "timeout": "claim", "vacation": 9, "zone": "Europe/Vienna"},
    {"days": 1, "reminders": [200, 36, 12, 1], "vacation": 30, "zone": "America/New_York"},
    {"bank": 30, "reminders": []},
]


def ticks(state: State, after: timedelta, secrets: dict[str, str]) -> bool:
    """True if a tick would do something this long after the last event."""
    return bool(execute(Context(state, state.at + after, secrets, KEY.draw), acts.Tick()).entries)


def is_right(state: State, secrets: dict[str, str]) -> None:
    """Check that the due time of a state is the first time at which a tick does something."""
    due = next_due(state)
    if due is None:
        assert not ticks(state, FAR, secrets)
    else:
        assert ticks(state, max(due - state.at, timedelta()), secrets)
        if due > state.at:
            assert not ticks(state, due - state.at - MOMENT, secrets)


@pytest.mark.slow
@each(CASES, name=lambda case: str(case["shows"]), every=3)
def test_a_tick_does_something_when_it_is_due_and_not_before(case: dict[str, Any]) -> None:
    desk = played(case)
    for number in range(len(desk.entries)):
        is_right(fold_log(desk.entries[: number + 1]), desk.secrets)


def words(chance: random.Random, desk: Desk) -> Iterator[tuple[str, str]]:
    """A random request, with its player and words: some are refused."""
    sides = desk.state.position.sides
    while not desk.state.closed:
        side = chance.choice(sorted(desk.state.owing) or list(sides))
        day = (desk.at + timedelta(days=chance.randint(0, 3))).date()
        asked = {
            "move": 8,
            "tick": 4,
            f"vacation {day} {day + timedelta(days=chance.randint(0, 4))}": 2,
            f"give {chance.randint(1, 40)} hours": 1,
            f"extend {chance.randint(1, 40)}": 1,
            "pause": 1,
            "resume": 2,
            "offer": 1,
            "claim timeout": 1,
        }
        (said,) = chance.choices([*asked], [*asked.values()])
        if said == "move":
            legal = list(desk.state.position.legal_moves(side)) if side in desk.state.position.to_move else []
            said = f"{chance.choice(('submit', 'submit', 'seal'))} {chance.choice(legal)}" if legal else "tick"
        yield ("host" if said.split()[0] in ("tick", "extend", "pause", "resume") else side), said


@pytest.mark.parametrize("seed", [*range(6), *(pytest.param(one, marks=pytest.mark.slow) for one in range(6, 60))])
def test_it_is_right_in_games_with_every_clock(seed: int) -> None:
    chance = random.Random(seed)
    game, clock = GAMES[seed % 4], CLOCKS[seed % 5]
    desk = Desk(game, clock=clock, secret="seed-0" if game == "the-beam" else None)
    for (who, said), _ in zip(words(chance, desk), range(40), strict=False):
        desk.ask(request(desk, who, said), after=chance.choice((0, 0.1, 1, 5, 11, 30)))
        is_right(desk.state, desk.secrets)


def opened(store: Store, number: int) -> Games:
    """A desk with a number of running games with different clocks."""
    games = Games(store)
    for one in range(number):
        terms = Terms.read({"days": 1 + one, "timeout": "claim"})
        games.open(f"game-{one}", GameFile("laser-chess"), BEGIN, terms=terms)
    return games


@pytest.mark.slow
def test_a_tick_looks_at_what_is_due_and_at_nothing_else(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.create(where) as store:
        games = opened(store, 5)
        looked: list[str] = []
        held = store.games.held

        def looking(game: str) -> Held:
            looked.append(game)
            return held(game)

        monkeypatch.setattr(store.games, "held", looking)
        hours = [store.catalogue.due(BEGIN + timedelta(hours=hour)) for hour in range(120)]
        assert [len(one) for one in hours] == sorted(len(one) for one in hours)
        counted = [games.tick(BEGIN + timedelta(hours=hour)) for hour in range(130)]
        assert sum(counted) == len(looked)
        assert sum(counted) == sum(len(store.games.log(game)) - 1 for game in store.catalogue.ids())
        assert {hour for hour, number in enumerate(counted) if number} == {
            0,
            12,
            24,
            36,
            48,
            60,
            72,
            84,
            96,
            108,
            120,
        }
        expect_dues(store)


@pytest.mark.slow
def test_times_that_are_wrong_are_set_right(where: str) -> None:
    """Too late, of a later entry, or missing: all are found again from the logs."""
    with Store.create(where) as store:
        games = opened(store, 4)
        far = write_time(BEGIN + FAR)
        for wrong in (
            update(PROJECTION).values(due=far),
            update(PROJECTION).values(due=None, number=99),
            delete(PROJECTION).where(PROJECTION.c.game != "game-1"),
        ):
            with store.database.transaction() as connection:
                connection.execute(wrong)
            assert games.tick(BEGIN + timedelta(hours=1)) == 0
            store.games.rebuild()
            games.tick(BEGIN + timedelta(hours=1))
            expect_dues(store)
        games.tick(BEGIN + timedelta(days=9))
        expect_dues(store)


@pytest.mark.slow
def test_other_rules_of_time_zones_make_the_next_tick_look_again(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """So does another version of the package, a new zone, and one without known rules."""

    def looks_anew(**rules: str) -> bool:
        store.projections.expect_rules(rules)
        found = store.catalogue.due(BEGIN)
        games.tick(BEGIN)
        assert found in ([], ["game-0", "game-1"])
        assert store.catalogue.due(BEGIN) == []
        return bool(found)

    with Store.create(where) as store:
        games = opened(store, 2)
        assert looks_anew(Vienna="of 2026")
        assert not looks_anew(Vienna="of 2026")
        assert looks_anew(Vienna="of 2027")
        assert looks_anew(Vienna="of 2027", UTC="for ever")
        assert not looks_anew(UTC="for ever")
        assert looks_anew(UTC="")
        assert looks_anew(UTC="")
        assert looks_anew(UTC="for ever")
        monkeypatch.setattr("referee.desk.store.projections.projections.__version__", "99")
        assert looks_anew(UTC="for ever")
        assert not looks_anew(UTC="for ever")


@pytest.mark.parametrize("said", ["", "[]", "5", "{"])
def test_damaged_rules_are_reported(where: str, said: str) -> None:
    with Store.create(where) as store:
        store.projections.expect_rules({"UTC": "for ever"})
        with store.database.transaction() as connection:
            connection.execute(update(META).where(META.c.name == "zones").values(value=said))
        with pytest.raises(StoreError, match="the rules of time zones that the desk has noted is damaged"):
            store.projections.expect_rules({"UTC": "for ever"})


def test_a_row_of_no_game_stops_no_clock(where: str) -> None:
    with Store.create(where) as store:
        games = opened(store, 2)
        for stray in ("a-game", "zzz", "../x", ""):
            with store.database.transaction() as connection:
                connection.execute(insert(PROJECTION).values(game=stray, kind=GAME, number=0, value="", due=""))
        assert games.tick(BEGIN + timedelta(hours=13)) == 2
        store.games.rebuild()
        games.tick(BEGIN + timedelta(hours=13))
        expect_dues(store)
