"""The tables of a store, in SQLite and in PostgreSQL: their versions, and their possible places."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import inspect, select, update

from referee.desk import Key
from referee.desk.store.store import Store
from referee.desk.store.tables.schema import META, TABLES
from referee.errors import RefereeError
from tests.support.desks import BEGIN
from tests.support.rows import each


@pytest.fixture
def store(where: str) -> Iterator[Store]:
    with Store.create(where) as store:
        yield store


def test_tables_are_those_that_are_described(store: Store) -> None:
    found = inspect(store.database.engine)
    assert {name: {column["name"] for column in found.get_columns(name)} for name in found.get_table_names()} == {
        name: {column.name for column in table.columns} for name, table in TABLES.tables.items()
    }
    assert found.get_pk_constraint("event")["constrained_columns"] == ["game", "number"]


@pytest.mark.parametrize("version", [0, 2, 11])
def test_a_desk_of_another_version_is_refused_and_stays_as_it_is(store: Store, where: str, version: int) -> None:
    with store.database.transaction() as connection:
        connection.execute(update(META).where(META.c.name == "schema").values(value=str(version)))
    for opened in (Store, Store.create):
        with pytest.raises(RefereeError, match=f"newer-desk: .* have version {version}, and"):
            opened(where)
    found = store.database.read(select(META.c.value).where(META.c.name == "schema"))
    assert [row.value for row in found] == [str(version)]


@pytest.mark.slow
def test_many_begin_one_desk_at_once(where: str) -> None:
    def key(_: int) -> Key:
        with Store.create(where) as store:
            return store.keys.current

    with ThreadPoolExecutor(8) as pool:
        assert len({*pool.map(key, range(16))}) == 1


def test_the_files_are_private(tmp_path: Path) -> None:
    with Store.create(tmp_path / "desk.db") as store:
        store.inbox.receive(b"Subject: hello\n\nP M1 A2 12\n", BEGIN)
        assert {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == dict.fromkeys(
            ("desk.db", "desk.db-shm", "desk.db-wal"), 0o600
        )


def test_sqlite_keeps_what_it_promised_and_little_in_memory(tmp_path: Path) -> None:
    with Store.create(tmp_path / "desk.db") as store, store.database.engine.connect() as connection:
        names = ("journal_mode", "synchronous", "cache_size")
        settings = {name: connection.exec_driver_sql(f"pragma {name}").scalar() for name in names}
    assert settings == {"journal_mode": "wal", "synchronous": 2, "cache_size": 64}


@pytest.mark.slow
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
