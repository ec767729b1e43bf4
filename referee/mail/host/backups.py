"""Backups of a desk, and the desk from a backup, on any machine: as it was then, with a new key."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from referee.desk.records import AtticFile
from referee.desk.service import expect_library, unpack_backup
from referee.errors import RefereeError
from referee.game import decode_utf8, read_bytes, unreadable, unwritten
from referee.game.amend.gate import create_private
from referee.mail.host.host import renew_key
from referee.mail.letters.story.draft import Gist
from referee.mail.office import Office, close_folder, office_of, place_of
from referee.mail.settings import FILE, Settings, read_settings

UNFINISHED = "desk.unfinished"
"""Name of a store that is not complete yet."""

_COMPANIONS = ("-wal", "-shm", "-journal")
"""Endings of the files that SQLite puts next to a store: it would take those of another one for its own."""


@dataclass(frozen=True, slots=True)
class Restored:
    """The report of a restored desk to its host.

    `asleep` is the last time that the desk looked at its clock, `letters` the number of letters with a new key,
    `passwords` the files of the settings that are not in the folder, and `attic` those with old letters.
    """

    asleep: datetime | None
    letters: int
    passwords: tuple[Path, ...]
    attic: tuple[AtticFile, ...]


def back_up(office: Office, path: Path, at: datetime) -> None:
    """Write everything that a desk needs to go on elsewhere, except passwords, into one file, and note when.

    RefereeError `backup` if it is PostgreSQL; `store` if it cannot be read, is damaged, or there is no room.
    FileError `exists` or `unwritable`.
    """
    office.desk.upkeep.backup(path, decode_utf8(read_bytes(office.folder / FILE), str(path)))
    office.desk.upkeep.note_backup(at)


def restore(backup: Path, folder: Path, at: datetime) -> Restored:
    """Make the desk of a backup in a folder that has none, and give it and every seat a new key.

    The letters that waited in the backup are handled. Settings that are in the folder already count; else those of
    the backup do. If anything fails, nothing of it stays in the folder.

    RefereeError `no-desk` or `store` if the file is not a backup, or is damaged; `newer-desk` if its version is not
    known here; `folder` if others can look into the folder; `other-desk` if its settings belong to another desk;
    `backup` if they name PostgreSQL. FileError `exists` if the folder has a desk; `unwritable` if there can be no
    store where the settings say; `unreadable`, or its settings are wrong.
    """
    expect_library()
    close_folder(folder)
    path = folder / FILE
    kept = read_settings(path) if path.exists() else None
    if kept is not None:
        _expect_no_store(folder, kept)
    unfinished = folder / UNFINISHED
    _remove(unfinished)  # what is left of a process that was killed
    told = unpack_backup(backup, unfinished)
    try:
        with _settings(path, kept, told) as settings:
            store = _expect_no_store(folder, settings)
            with office_of(folder, settings, unfinished) as office:
                asleep, letters = office.desk.upkeep.seen(), renew_key(office, at, Gist.RESTORED)
                shelves = tuple(one for one in office.desk.attic.files(whole=False) if one.fault)
            _put(unfinished, store)
    finally:
        _remove(unfinished)
    files = (one.password_file for one in (settings.send, settings.imap) if one is not None)
    missing = (folder / file for file in files if file is not None and not (folder / file).exists())
    return Restored(asleep, letters, tuple(missing), shelves)


@contextmanager
def _settings(path: Path, kept: Settings | None, told: str | None) -> Iterator[Settings]:
    """The settings of a folder, written from those of a backup if it has none; without a desk they go again."""
    if kept is not None:
        yield kept
        return
    if told is None:
        message = f"this backup holds no settings: put its {FILE} here first"
        raise unreadable(str(path), "unreadable", message)
    create_private(path, told.encode())
    try:
        yield read_settings(path)
    except BaseException:
        path.unlink()
        raise


def _expect_no_store(folder: Path, settings: Settings) -> Path:
    """The place of the new store; a store, or a part of one, is never replaced."""
    store = place_of(folder, settings.store)
    if not isinstance(store, Path):
        message = "PostgreSQL keeps this desk: restore it with pg_restore, then run 'referee desk renew'"
        raise RefereeError("backup", message)
    for one in _parts(store):
        if one.exists():
            raise unreadable(str(one), "exists", "a desk is never restored over another one: name a new folder")
    return store


def _put(unfinished: Path, store: Path) -> None:
    """Put a store into its place at once; even on another disk it stays private meanwhile."""
    near = store.with_name(UNFINISHED)
    try:
        if near.parent != unfinished.parent:
            near.unlink(missing_ok=True)
            near.touch(0o600)
            shutil.copyfile(unfinished, near)
        near.rename(store)
    except OSError as error:
        with suppress(OSError):
            near.unlink()
        raise unwritten(store, error, "the store") from None


def _remove(store: Path) -> None:
    """Remove a store that is not all there, and what SQLite has put beside it."""
    for one in _parts(store):
        one.unlink(missing_ok=True)


def _parts(store: Path) -> list[Path]:
    return [store, *(store.with_name(f"{store.name}{end}") for end in _COMPANIONS)]
