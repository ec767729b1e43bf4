"""The tables of a store, in SQLite and in PostgreSQL: how they are brought up to date, and where they can be."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect, text

from referee.desk import Key
from referee.desk.store.store import Store
from referee.desk.store.tables.schema import TABLES
from referee.desk.store.tables.upgrades import UPGRADES, prepare
from referee.errors import RefereeError
from tests.support.desks import BEGIN
from tests.support.rows import each


@pytest.fixture
def store(where: str) -> Iterator[Store]:
    with Store.create(where) as store:
        yield store


def test_tables_are_those_that_are_described(store: Store) -> None:
    found = inspect(store._engine)
    assert {name: {column["name"] for column in found.get_columns(name)} for name in found.get_table_names()} == {
        name: {column.name for column in table.columns} for name, table in TABLES.tables.items()
    }
    assert found.get_pk_constraint("event")["constrained_columns"] == ["game", "number"]


def test_an_older_desk_is_brought_up_to_date(store: Store) -> None:
    def newer(connection: Connection) -> None:
        connection.execute(text("alter table outbox add column colour text"))

    assert store._write(prepare) == len(UPGRADES)
    assert store._write(lambda connection: prepare(connection, (*UPGRADES, newer))) == len(UPGRADES)
    assert "colour" in {column["name"] for column in inspect(store._engine).get_columns("outbox")}
    with pytest.raises(RefereeError, match="newer-desk"):
        store._write(prepare)


def test_an_upgrade_that_fails_leaves_the_desk_as_it_was(store: Store) -> None:
    def breaks(connection: Connection) -> None:
        connection.execute(text("alter table outbox add column colour text"))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store._write(lambda connection: prepare(connection, (*UPGRADES, breaks)))
    assert "colour" not in {column["name"] for column in inspect(store._engine).get_columns("outbox")}
    assert store._write(prepare) == len(UPGRADES)


def test_many_begin_one_desk_at_once(where: str) -> None:
    def key(_: int) -> Key:
        with Store.create(where) as store:
            return store.key

    with ThreadPoolExecutor(8) as pool:
        assert len({*pool.map(key, range(16))}) == 1


def test_nobody_else_reads_the_files(tmp_path: Path) -> None:
    with Store.create(tmp_path / "desk.db") as store:
        store.receive(b"Subject: hello\n\nP M1 A2 12\n", BEGIN)
        assert {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == dict.fromkeys(
            ("desk.db", "desk.db-shm", "desk.db-wal"), 0o600
        )


def test_sqlite_keeps_what_it_promised(tmp_path: Path) -> None:
    with Store.create(tmp_path / "desk.db") as store, store._engine.connect() as connection:
        settings = {
            name: connection.exec_driver_sql(f"pragma {name}").scalar() for name in ("journal_mode", "synchronous")
        }
    assert settings == {"journal_mode": "wal", "synchronous": 2}


@each(
    [
        ("/nowhere/at/all/desk.db", "cannot be opened"),
        ("mysql://localhost/desk", "SQLite or PostgreSQL"),
        ("nonsense://", "SQLite or PostgreSQL"),
        ("://", "is not a database address"),
        ("postgresql://desk:secret@host:port/desk", "is not a database address"),
        ("sqlite://", "none is named"),
        ("", "none is named"),
        ("desk\0.db", "cannot be opened"),
        ("postgresql://desk:secret@127.0.0.1:1/desk", "cannot be opened"),
    ]
)
def test_places_where_no_desk_can_be(row: tuple[str, str]) -> None:
    place, says = row
    with pytest.raises(RefereeError, match=says) as caught:
        Store.create(place)
    assert caught.value.code == "store"
    assert "secret" not in str(caught.value)
