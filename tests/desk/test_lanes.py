"""Lanes: workers share the waiting letters, and the letters of one lane stay in order with one of them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.desk.records import Change, Incoming
from referee.desk.store.store import Store

AT = datetime(2027, 3, 1, tzinfo=UTC)

on_postgresql = pytest.mark.parametrize("where", [pytest.param("postgres", marks=pytest.mark.slow)], indirect=True)


def letters(store: Store, number: int) -> list[Incoming]:
    return [store.inbox.receive(b"Subject: %d\n" % one, AT)[0] for one in range(number)]


@on_postgresql
def test_a_lane_belongs_to_the_first_worker_until_that_leaves_it(where: str) -> None:
    with Store.create(where) as first, Store(where) as second:
        one, two, three = letters(first, 3)
        with first.inbox.lanes() as is_firsts, second.inbox.lanes() as is_seconds:
            assert is_firsts("game-1", one)
            assert not is_seconds("game-1", one)
            assert is_seconds("game-2", two)
            assert not is_firsts("game-2", two)
        with second.inbox.lanes() as is_seconds, first.inbox.lanes() as is_firsts:
            assert is_seconds("game-1", three)
            assert not is_firsts("game-1", three)
            assert is_firsts("game-2", three)


@on_postgresql
def test_a_lane_of_another_worker_stays_its_own_so_that_no_letter_overtakes_another(where: str) -> None:
    with Store.create(where) as first, Store(where) as second:
        one, two = letters(first, 2)
        with first.inbox.lanes() as is_firsts:
            with second.inbox.lanes() as is_seconds:
                assert is_seconds("game-1", one)
                assert not is_firsts("game-1", one)
            assert not is_firsts("game-1", two)


@on_postgresql
def test_a_handled_letter_belongs_to_no_worker(where: str) -> None:
    with Store.create(where) as first, Store(where) as second:
        (one,) = letters(first, 1)
        second.games.handle(one, None, AT, lambda _: Change(note="asked"))
        with first.inbox.lanes() as is_firsts:
            assert not is_firsts("game-1", one)


@on_postgresql
def test_desks_in_one_database_do_not_block_each_other(where: str) -> None:
    with Store.create(where) as first:
        (one,) = letters(first, 1)
        with first.database.engine.begin() as connection:
            other = connection.exec_driver_sql("select 'other_' || current_schema()").scalar_one()
            connection.exec_driver_sql(f"create schema {other}")
        try:
            with (
                Store.create(where.replace("search_path%3D", "search_path%3Dother_")) as second,
                first.inbox.lanes() as is_firsts,
                second.inbox.lanes() as is_seconds,
            ):
                (two,) = letters(second, 1)
                assert is_firsts("game-1", one)
                assert is_seconds("game-1", two)
        finally:
            with first.database.engine.begin() as connection:
                connection.exec_driver_sql(f"drop schema {other} cascade")


def test_in_sqlite_all_letters_are_shared(tmp_path: Path) -> None:
    with Store.create(tmp_path / "desk.sqlite") as first, Store(tmp_path / "desk.sqlite") as second:
        (one,) = letters(first, 1)
        with first.inbox.lanes() as is_firsts, second.inbox.lanes() as is_seconds:
            assert is_firsts("game-1", one)
            assert is_seconds("game-1", one)
