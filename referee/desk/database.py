"""Connections to SQLite and PostgreSQL, so that the store needs to know nothing of their differences."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Table, create_engine, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from referee.errors import RefereeError, shown
from referee.extras import extra

BUSY = 30
"""So many seconds a worker waits for another one's transaction."""

_FIRST = ("23505", "40001", "40P01", "55P03", "SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE")
"""What PostgreSQL and SQLite call it when another transaction was first, or in the way."""


def connected(where: str | Path) -> Engine:
    """The database at a path or URL; RefereeError `store` if there can be none, or it cannot be reached."""
    url = _url(where)
    try:
        engine = _sqlite(url) if url.get_backend_name() == "sqlite" else _postgresql(url)
        engine.connect().close()
    except (SQLAlchemyError, sqlite3.Error, OSError, ValueError) as error:
        said = str(getattr(error, "orig", None) or getattr(error, "strerror", None) or error).partition("\n")[0]
        raise RefereeError("store", f"the desk's database cannot be opened: {said}") from None
    return engine


def insert(engine: Engine, table: Table) -> Any:  # noqa: ANN401 - two classes that have the same methods
    """An insertion that can say what happens to a row that is there already."""
    return (sqlite if engine.dialect.name == "sqlite" else postgresql).insert(table)


def conflict(error: DBAPIError) -> bool:
    """Whether a transaction failed because another one was first, so that it may be tried again."""
    said = (getattr(error.orig, name, None) for name in ("sqlstate", "sqlite_errorname"))
    return any(one in _FIRST for one in said)


def _url(where: str | Path) -> URL:
    if isinstance(where, Path) or "://" not in where:
        return URL.create("sqlite", database=str(where))
    try:
        url = make_url(where)
    except (ArgumentError, ValueError):
        raise RefereeError("store", f"{shown(where.partition('://')[0])}://… is no address of a database") from None
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        raise RefereeError("store", "a desk is kept in SQLite or PostgreSQL")
    return url


def _postgresql(url: URL) -> Engine:
    """PostgreSQL; what is written is in no error, since it may be secret."""
    extra("psycopg", "postgres")
    return create_engine(url.set(drivername="postgresql+psycopg"), pool_pre_ping=True, hide_parameters=True)


def _sqlite(url: URL) -> Engine:
    """SQLite as it keeps what was promised: every commit is on the disk, readers and one writer at a time.

    A transaction that may write takes its place at once, so that it never has to give it up again. The file,
    and those that SQLite puts beside it, are for nobody else to read.
    """
    if not url.database or url.database == ":memory:":
        raise RefereeError("store", "a desk is kept in a file, and none is named")
    Path(url.database).touch(0o600)
    plain = URL.create("sqlite", database=url.database)
    engine = create_engine(plain, connect_args={"timeout": BUSY}, hide_parameters=True)

    def prepare(connection: sqlite3.Connection, _: object) -> None:
        connection.isolation_level = None
        _log_ahead(connection)
        for pragma in ("synchronous = full", "trusted_schema = off"):
            connection.execute(f"pragma {pragma}")

    def begin(connection: Connection) -> None:
        reads = connection.get_execution_options().get("reads")
        connection.exec_driver_sql("begin" if reads else "begin immediate")

    event.listen(engine, "connect", prepare)
    event.listen(engine, "begin", begin)
    return engine


def _log_ahead(connection: sqlite3.Connection) -> None:
    """Write ahead; several that begin a desk at once take turns, for which SQLite itself does not wait here."""
    last = time.monotonic() + BUSY
    while True:
        try:
            connection.execute("pragma journal_mode = wal")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname != "SQLITE_BUSY" or time.monotonic() > last:
                raise
        time.sleep(0.02)
