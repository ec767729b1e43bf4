"""Backups of a desk's SQLite store with its settings, in a file full of secrets that only its owner may read."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Engine

from referee.desk.errors import StoreError
from referee.desk.store.tables.database import MEND, store_faults
from referee.errors import RefereeError
from referee.game import unwritten
from referee.game.amend.gate import create_private
from referee.game.file.document import existing, unread

SETTINGS = "settings"
"""The name in the table `meta` under which a backup holds the text of the desk's settings."""

_NOT_A_DESK = ("SQLITE_NOTADB", "SQLITE_ERROR")
"""SQLite's errors for a file that is no database, or that has no table `meta`."""

_KEEP = "insert into meta values (:name, :text) on conflict (name) do update set value = :text"
_TAKE = "delete from meta where name = ? returning value"


def write_backup(engine: Engine, path: Path, settings: str | None, check: Callable[[Path], object]) -> None:
    """Write a consistent private copy of an SQLite database in use, which gets its name once `check` finds it sound.

    RefereeError `backup` for PostgreSQL, or `store`; FileError `exists` or `unwritable`.
    """
    if engine.dialect.name != "sqlite":
        raise RefereeError("backup", "PostgreSQL keeps this desk: copy it with pg_dump")
    with _unfinished(path) as unfinished:
        with store_faults(), closing(engine.raw_connection()) as source:
            assert isinstance(source.driver_connection, sqlite3.Connection)
            with closing(sqlite3.connect(unfinished)) as copy:
                source.driver_connection.backup(copy)
                if found := _faults(copy):
                    said = f"the desk's store is damaged ({found[0]}): no copy of it is kept; {MEND}"
                    raise StoreError("store", said)
                if settings is not None:
                    with copy:
                        copy.execute(_KEEP, {"name": SETTINGS, "text": settings})
        check(unfinished)
        with store_faults(), closing(sqlite3.connect(unfinished)) as copy:
            copy.execute("pragma journal_mode = delete")  # one file, which can be read where nothing can be written


def read_backup(backup: Path, path: Path) -> str | None:
    """Copy a backup to a new file, and return the text of the settings that came with it, if there is any.

    RefereeError `no-desk` or `store`; FileError `unreadable`, or of the new file `exists` or `unwritable`.
    """
    try:
        with backup.open("rb"):
            pass
    except OSError as error:
        raise unread(backup, error) from None
    # A backup is one file. A store that was copied by hand may have its write-ahead log next to it.
    alone = "" if backup.with_name(f"{backup.name}-wal").exists() else "&immutable=1"
    name = f"file:{quote(str(backup))}?mode=ro{alone}"
    with (
        _new_file(path),
        _not_a_backup(backup),
        closing(sqlite3.connect(name, uri=True)) as source,
        closing(sqlite3.connect(path)) as copy,
    ):
        source.backup(copy)
        if found := _faults(copy):
            raise StoreError("store", f"{backup} is damaged ({found[0]}): take another backup")
        with copy:
            kept = copy.execute(_TAKE, (SETTINGS,)).fetchone()
    return None if kept is None else str(kept[0])


def damage_of(engine: Engine) -> list[str]:
    """Damage to the pages, indexes and rows that SQLite finds; PostgreSQL checks itself."""
    if engine.dialect.name != "sqlite":
        return []
    with store_faults(), closing(engine.raw_connection()) as connection:
        assert isinstance(connection.driver_connection, sqlite3.Connection)
        return _faults(connection.driver_connection)


def _faults(connection: sqlite3.Connection) -> list[str]:
    found = [str(row[0]) for row in connection.execute("pragma integrity_check(5)")]
    return [] if found == ["ok"] else found


@contextmanager
def _not_a_backup(backup: Path) -> Iterator[None]:
    """Raise SQLite's errors about a file that is no database, or is no desk's, as `no-desk`."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorname in _NOT_A_DESK:
            raise RefereeError("no-desk", f"{backup} is not a backup of a desk: {error}") from None
        said = f"{backup} cannot be copied: {error}; check the disk, or take another backup"
        raise StoreError("store", said) from None


@contextmanager
def _unfinished(path: Path) -> Iterator[Path]:
    """A new private file near a path, which gets that name at the end; if anything fails, it is removed."""
    if os.path.lexists(path):
        raise existing(path)
    try:
        folder = tempfile.TemporaryDirectory(prefix=f".{path.name}.", suffix=".unfinished", dir=path.parent)
    except OSError as error:
        raise unwritten(path, error) from None
    with folder:
        unfinished = Path(folder.name, path.name)
        unfinished.touch(0o600)
        yield unfinished
        if os.path.lexists(path):
            raise existing(path)
        unfinished.rename(path)


@contextmanager
def _new_file(path: Path) -> Iterator[None]:
    """A new private file; if anything fails, it is removed."""
    create_private(path, b"")
    try:
        yield
    except BaseException:
        path.unlink()
        raise
