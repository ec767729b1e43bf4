"""Connections to SQLite and PostgreSQL, so that the store need not know how they differ."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from importlib import import_module
from pathlib import Path
from threading import Lock, local
from typing import Any, TypeVar
from urllib.parse import quote

from sqlalchemy import Connection, Engine, Row, Table, create_engine, event, exc
from sqlalchemy.engine import URL, make_url

from referee.desk.errors import BUSY, StoreError
from referee.errors import RefereeError, shown
from referee.extras import extra

T = TypeVar("T")

_ATTEMPTS = 100
"""Maximum attempts at a transaction while other workers come first."""

_FIRST = ("23505", "40001", "40P01", "55P03", "SQLITE_CONSTRAINT_PRIMARYKEY", "SQLITE_CONSTRAINT_UNIQUE")
"""Codes of PostgreSQL and SQLite when another transaction was first, or is in the way."""

_OWN = (exc.IntegrityError, exc.DataError, exc.ProgrammingError, exc.NotSupportedError, exc.InterfaceError)
"""Errors about what was to be stored, not about the database."""

MEND = "check that its disk has room and its server runs; if it is damaged, restore a backup"
"""Advice about a database that fails."""

_REPLACED = (
    "the file of the desk's database was moved, removed or replaced while the desk was using it: stop the desk, put "
    "the right file in its place, and start it again"
)

_PRAGMAS = ("synchronous = full", "trusted_schema = off", "cache_size = 64")
"""The settings of each connection to SQLite. Its cache is small, because the system caches the file for all."""


class OvertakenError(Exception):
    """Another worker has stored something that this transaction should have known."""


@contextmanager
def store_faults() -> Iterator[None]:
    """Raise faults of the database as StoreError."""
    try:
        yield
    except (exc.SQLAlchemyError, sqlite3.Error) as error:
        if isinstance(error, _OWN):
            raise
        raise StoreError("store", f"the desk's database fails: {_driver_words(error)}; {MEND}") from None


def make_file(where: str | Path) -> None:
    """Create the private file of an SQLite database; an existing one stays as it is."""
    url = _url(where)
    if url.get_backend_name() == "sqlite":
        try:
            Path(_file_name(url)).touch(0o600)
        except (OSError, ValueError) as error:
            raise RefereeError("store", f"the desk's database cannot be opened: {_driver_words(error)}") from None


def engine_at(where: str | Path) -> Engine:
    """The database at a path or URL; RefereeError `store` if there is none, or it cannot be reached."""
    url = _url(where)
    try:
        if url.get_backend_name() == "sqlite":
            engine = _sqlite(url)
        else:
            extra("psycopg", "postgres")
            url = url.set(drivername="postgresql+psycopg")
            engine = create_engine(url, pool_pre_ping=True, hide_parameters=True)  # parameters may be secret
        engine.connect().close()
    except (exc.SQLAlchemyError, sqlite3.Error, OSError, ValueError) as error:
        raise RefereeError("store", f"the desk's database cannot be opened: {_driver_words(error)}") from None
    return engine


def log_ahead(engine: Engine) -> None:
    """Have SQLite write ahead, so that readers and the writer do not wait; processes that set this take turns."""
    if engine.dialect.name != "sqlite":
        return
    last = time.monotonic() + BUSY
    while True:
        try:
            with closing(engine.raw_connection()) as connection:
                connection.cursor().execute("pragma journal_mode = wal")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname != "SQLITE_BUSY" or time.monotonic() > last:
                raise
        time.sleep(0.02)


def insert(engine: Engine, table: Table) -> Any:  # noqa: ANN401 - two classes that have the same methods
    """An insertion that can say what happens to a row that is there already."""
    return import_module(f"sqlalchemy.dialects.{engine.dialect.name}").insert(table)


def keeping(engine: Engine, table: Table) -> Any:  # noqa: ANN401 - as `insert`
    """An insertion that replaces the row with the same primary key."""
    statement = insert(engine, table)
    keys = [column.name for column in table.primary_key]
    others = {column.name: statement.excluded[column.name] for column in table.c if column.name not in keys}
    return statement.on_conflict_do_update(index_elements=keys, set_=others)


def again(attempt: Callable[[], T]) -> T:
    """The result of the first attempt that no other worker disturbs."""
    with store_faults():
        for number in range(1, _ATTEMPTS + 1):
            try:
                return attempt()
            except OvertakenError:
                if number == _ATTEMPTS:
                    raise
            except exc.DBAPIError as error:
                codes = {getattr(error.orig, name, None) for name in ("sqlstate", "sqlite_errorname")}
                if number == _ATTEMPTS or codes.isdisjoint(_FIRST):
                    raise
    raise AssertionError


def _url(where: str | Path) -> URL:
    if isinstance(where, Path) or "://" not in where:
        return URL.create("sqlite", database=str(where))
    try:
        url = make_url(where)
    except (exc.ArgumentError, ValueError):
        raise RefereeError("store", f"{shown(where.partition('://')[0])}://… is not a database address") from None
    if url.get_backend_name() not in ("sqlite", "postgresql"):
        raise RefereeError("store", "a desk is kept in SQLite or PostgreSQL")
    return url


def _sqlite(url: URL) -> Engine:
    """SQLite set up to keep the promises: every commit is on the disk, with readers and one writer at a time.

    A transaction that may write takes its place at once, so that it never has to give it up again. The file,
    and those that SQLite puts next to it, are private.
    """
    path = _file_name(url)
    opened = _identity(path)
    name = f"file:{quote(path)}?mode=rw"

    def connect() -> sqlite3.Connection:
        """A connection that never creates the file: if it is missing, its disk may not be mounted."""
        return sqlite3.connect(name, timeout=BUSY, check_same_thread=False, uri=True)

    engine = create_engine(URL.create("sqlite", database=path), creator=connect, hide_parameters=True)

    def prepare(connection: sqlite3.Connection, _: object) -> None:
        connection.isolation_level = None
        for pragma in _PRAGMAS:
            connection.execute(f"pragma {pragma}")

    def expect_same(*_: object) -> None:
        """Refuse to go on with a file that was replaced: what is written into it would be lost."""
        try:
            same = _identity(path) == opened
        except OSError:
            same = False
        if not same:
            raise StoreError("store", _REPLACED)

    def begin(connection: Connection) -> None:
        # By the driver itself: this comes before every statement, and should not take as long as one.
        reads = connection.get_execution_options().get("reads")
        connection.connection.cursor().execute("begin" if reads else "begin immediate")

    event.listen(engine, "connect", prepare)
    event.listen(engine, "checkout", expect_same)
    event.listen(engine, "begin", begin)
    return engine


def _identity(path: str) -> tuple[int, int]:
    """The identity of the file at a path, whatever its name; OSError if there is none."""
    found = Path(path).stat()
    return found.st_dev, found.st_ino


def _file_name(url: URL) -> str:
    if not url.database or url.database == ":memory:":
        raise RefereeError("store", "a desk in SQLite needs a file, and none is named")
    return url.database


def _driver_words(error: Exception) -> str:
    """The first line of a message of the driver or the system."""
    return str(getattr(error, "orig", None) or getattr(error, "strerror", None) or error).partition("\n")[0]


class Database:
    """A database, and how it is read and written, by any number of threads and processes."""

    def __init__(self, where: str | Path) -> None:
        """Connect to a database; `engine_at` says what is raised."""
        self.engine = engine_at(where)
        self._reading = self.engine.execution_options(reads=True)
        self._turn: AbstractContextManager[object] = Lock() if self.engine.dialect.name == "sqlite" else nullcontext()
        self._shared = local()

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Let this thread's reads share one connection and state, and what is read `once`, until it writes.

        Within another `reading`, that one's are shared.
        """
        if getattr(self._shared, "connection", None) is not None:
            yield
            return
        with store_faults():
            connection = self._reading.connect()
        with connection:
            self._shared.connection, self._shared.known = connection, {}
            try:
                yield
            finally:
                del self._shared.connection, self._shared.known

    def read(self, wanted: Any, values: Mapping[str, Any] | None = None) -> list[Row[Any]]:  # noqa: ANN401 - a select
        """The rows of a select."""
        with store_faults(), self.reader() as connection:
            return list(connection.execute(wanted, values).all())

    def once(self, what: tuple[str, ...], read: Callable[[], T]) -> T:
        """The result of `read`; the same as before, while this thread's shared connection sees one state."""
        known: dict[tuple[str, ...], T] | None = getattr(self._shared, "known", None)
        if known is None:
            return read()
        if what not in known:
            known[what] = read()
        return known[what]

    @contextmanager
    def reader(self) -> Iterator[Connection]:
        """A connection that reads in one transaction: the shared one, or one of its own."""
        shared = getattr(self._shared, "connection", None)
        if shared is not None:
            yield shared
        else:
            with self._reading.begin() as connection:
                yield connection

    def execute(self, *statements: Any) -> None:  # noqa: ANN401 - as `read`
        """Execute statements in one transaction."""

        def executed(connection: Connection) -> None:
            for one in statements:
                connection.execute(one)

        self.write(executed)

    def write(self, work: Callable[[Connection], T]) -> T:
        """Do something in one transaction; again, if another worker was first."""

        def attempt() -> T:
            with self.transaction() as connection:
                return work(connection)

        return again(attempt)

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A transaction that writes; with SQLite, which has one writer, the threads of a process take turns.

        The shared connection, if there is one, sees the present state from now on.
        """
        shared = getattr(self._shared, "connection", None)
        if shared is not None:
            shared.rollback()
            self._shared.known.clear()
        with self._turn, self.engine.begin() as connection:
            yield connection


class Part:
    """A part of a store, which reads and writes its database."""

    def __init__(self, database: Database) -> None:
        self.database = database
