"""Snapshots of states: they give exactly the state of the log, or are not used."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from sqlalchemy import Row, update

from referee.desk import By, Entry, State
from referee.desk.log import acts
from referee.desk.log.terms import Terms
from referee.desk.service import Desk as Games
from referee.desk.state.state import position_after
from referee.desk.store.projections.snapshots import SPACING, snapshot_between, snapshot_text, state_in, zone_rules
from referee.desk.store.store import Store
from referee.desk.store.tables import rows
from referee.desk.store.tables.schema import PROJECTION, SNAPSHOT
from referee.game import GameFile
from tests.desk.folds import GOLDEN, folds
from tests.desk.test_cases import CASES, played
from tests.desk.test_dues import CLOCKS, GAMES, words
from tests.support.desks import BEGIN, Desk, message, request
from tests.support.dues import expect_dues
from tests.support.examples import sampled
from tests.support.logs import fold_log
from tests.support.rows import each


def expect_the_same(entries: Iterable[Entry]) -> None:
    """A state that is written and read after each entry of a log must not differ, nor any that follows from it.

    Once the end of a game has revealed the chance results, its options say more than its position knows: such a state
    cannot be read again, and no snapshot is made of it.
    """
    first, *others = entries
    state = again = State.start(first)
    for entry in others:
        state, again = state.after(entry), again.after(entry)
        assert again == state
        told = told_by_the_end(state)
        read = state_in(snapshot_text(state))
        assert (read == state) is not told
        again = state if told or read is None else read


def told_by_the_end(state: State) -> bool:
    """True if the options of a state have results that its position does not know."""
    return state.position != position_after(state.game, state.options, state.plies)


@pytest.mark.slow
@each(CASES, name=lambda case: str(case["shows"]), every=3)
def test_a_state_that_was_written_and_read_is_the_state_of_the_log(case: dict[str, Any]) -> None:
    expect_the_same(played(case).entries)


@pytest.mark.parametrize("seed", sampled(range(60), 15))
def test_so_are_those_of_random_games_with_every_clock(seed: int) -> None:
    chance = random.Random(seed)
    game, clock = GAMES[seed % 4], CLOCKS[seed % 5]
    desk = Desk(game, clock=clock, secret="seed-0" if game == "the-beam" else None)
    for (who, said), _ in zip(words(chance, desk), range(60), strict=False):
        desk.ask(request(desk, who, said), after=chance.choice((0, 0.1, 1, 5, 11, 30)))
    expect_the_same(desk.entries)


def test_the_state_of_a_log_changes_only_with_its_version() -> None:
    """If this fails because `State` has changed, raise FOLD and rewrite the digests."""
    assert folds() == json.loads(GOLDEN.read_text(encoding="utf-8"))


@pytest.mark.parametrize("game", GAMES)
def test_a_snapshot_is_made_now_and_then_unless_it_could_not_be_read(game: str) -> None:
    desk = Desk(game, secret="seed-0" if game == "the-beam" else None)
    for number in range(SPACING - 1):
        desk.ask(message("p1" if game == "the-beam" else desk.state.position.sides[0], f"{number}"))
    states = [fold_log(desk.entries[: number + 1]) for number in range(len(desk.entries))]
    made = [after.number for before, after in pairwise(states) if snapshot_between(before, after) is not None]
    assert made == [SPACING][: len(desk.entries) - 1 >= SPACING]


def talking(store: Store, number: int) -> Games:
    """A desk with one game and a number of messages in it."""
    games = Games(store)
    games.open("game", GameFile("boundary"), BEGIN, terms=Terms.read({"days": 3, "zone": "Europe/Vienna"}))
    for one in range(number):
        games.act("game", By(("south", "north")[one % 2]), [acts.Message(f"{one}")], BEGIN)
    return games


def entries_read(where: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """The number of entries that a new worker reads for the game; it must find the state of the log."""
    read = 0
    entry_of = rows.entry_of

    def counting(row: Row[Any]) -> Entry:
        nonlocal read
        read += 1
        return entry_of(row)

    with Store(where) as store, monkeypatch.context() as patch:
        patch.setattr(rows, "entry_of", counting)
        state, number = store.games.held("game").state, read
        assert state == fold_log(store.games.log("game"))
        return number


@pytest.mark.slow
def test_a_worker_that_meets_a_game_reads_only_the_newest_entries(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.create(where) as store:
        games = talking(store, 2 * SPACING + 3)
        assert entries_read(where, monkeypatch) == 3
        for one in range(SPACING):
            games.act("game", By("south"), [acts.Message(f"more {one}")], BEGIN)
        assert entries_read(where, monkeypatch) == 3
        expect_dues(store)
        store.games.rebuild()
        assert entries_read(where, monkeypatch) == 0, "it makes one of the last entry"


@pytest.mark.slow
@pytest.mark.parametrize(
    "wrong",
    sampled(
        [
            {"number": SPACING - 1},
            {"number": 10 * SPACING},
            {"game": "another"},
            {"version": "referee 0.1"},
            {"value": "{}"},
            {"value": "no JSON"},
            {"value": '{"id": 1}'},
            {"value": "[" * 100_000},
        ],
        4,
    ),
    ids=range(8),
)
def test_a_snapshot_that_is_not_of_the_log_is_not_used(
    where: str, wrong: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.create(where) as store:
        games = talking(store, SPACING + 3)
        with store.database.transaction() as connection:
            connection.execute(update(PROJECTION).where(PROJECTION.c.kind == SNAPSHOT).values(**wrong))
        assert entries_read(where, monkeypatch) == SPACING + 4
        for one in range(SPACING):
            games.act("game", By("south"), [acts.Message(f"more {one}")], BEGIN)
        assert entries_read(where, monkeypatch) == 3, "a later one has taken its place"


@pytest.mark.slow
def test_a_snapshot_of_another_history_is_not_used(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is whole and as long as the log, but of another game."""
    with Store.create(where) as store:
        talking(store, SPACING + 3)
        state = store.games.held("game").state
        assert state is not None
        forged = replace(state, number=SPACING, head="1" * 64, title="Forged")
        with store.database.transaction() as connection:
            connection.execute(
                update(PROJECTION).where(PROJECTION.c.kind == SNAPSHOT).values(value=snapshot_text(forged))
            )
    assert entries_read(where, monkeypatch) == SPACING + 4


@pytest.mark.slow
def test_a_snapshot_follows_from_the_rules_of_its_zone(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.create(where) as store:
        talking(store, SPACING)
    assert entries_read(where, monkeypatch) == 0
    assert zone_rules("Europe/Vienna") != zone_rules("Europe/London")
    assert zone_rules("Europe/Nowhere") == ""
    monkeypatch.setattr("referee.desk.store.projections.snapshots.zone_rules", lambda _: "other rules")
    assert entries_read(where, monkeypatch) == SPACING + 1


@pytest.mark.slow
def test_an_audit_and_an_export_read_the_log_alone(where: str) -> None:
    with Store.create(where) as store:
        talking(store, SPACING)
        state = store.games.held("game").state
        assert state is not None
        with store.database.transaction() as connection:
            connection.execute(
                update(PROJECTION)
                .where(PROJECTION.c.kind == SNAPSHOT)
                .values(value=snapshot_text(replace(state, title="Forged")))
            )
    with Store(where) as store:
        assert "Forged" not in "".join(entry.as_line() for entry in store.games.log("game"))
        store.games.rebuild()
        assert store.games.held("game").state == state
