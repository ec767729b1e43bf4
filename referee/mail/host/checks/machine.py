"""Checks of the desk's folder, settings, store and clock: all that is on this machine and needs no network."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path

from referee.desk.glances import Phase
from referee.engine.sandbox import UNPROTECTED, sandbox
from referee.errors import RefereeError
from referee.mail.host.checks import Diagnosis, note, well, wrong
from referee.mail.office import Office, place_of
from referee.mail.settings import FILE, Server, Settings
from referee.mail.watch import expect_steady
from referee.terminal import counted

ROOM = 100_000_000
"""Minimum free bytes on the disk of a desk: letters of some days, and a backup."""

STALE = timedelta(days=8)
"""Maximum age of the last backup; before the first one, of the first game."""

FOUNDED = datetime(2026, 1, 1, tzinfo=UTC)
"""Earliest time of a clock that is right: no desk is older."""


def folder_diagnoses(folder: Path, settings: Settings) -> Iterator[Diagnosis]:
    """Check that the desk's files are private, that one user owns them, and that there is room for more."""
    # Each is asked as soon as it is found: SQLite may remove those beside its own.
    found = [(path, path.stat()) for path in _files(folder, settings)]
    open_ = [path for path, status in found if status.st_mode & 0o077]
    strange = [path for path, status in found if status.st_uid != folder.stat().st_uid]
    for path in open_:
        mode = 700 if path.is_dir() else 600
        yield wrong("folder", f"others can read {path}", f"chmod {mode} {path}")
    for path in strange:
        remedy = f"give it to them (chown --reference={folder} {path}), and run 'referee desk' only as that user"
        yield wrong("folder", f"{path} does not belong to the user who owns the folder", remedy)
    if not (open_ or strange):
        yield well("folder", f"only its owner can read {folder}")
    if os.geteuid() != folder.stat().st_uid:
        yield note("folder", "you are not the user who owns it", "run 'referee desk' as that user")
    free = shutil.disk_usage(folder).free
    if free < ROOM:
        yield wrong("disk", f"only {free // 1_000_000} MB are free", "make room: the desk never deletes anything")
    else:
        yield well("disk", f"{free // 1_000_000:,} MB are free")


def settings_diagnoses(settings: Settings) -> Iterator[Diagnosis]:
    """Missing parts of settings that are right."""
    yield well("settings", f"{FILE} is right; players write to {settings.address}")
    if settings.host is None:
        remedy = "set 'host' to your address: players see it, and the desk writes to it if something needs you"
        yield note("settings", "they name no host", remedy)
    if settings.id is None:
        yield note("settings", "they do not say which store is theirs", "set 'id' to that of the store")
    if settings.pictures and find_spec("aggdraw") is None:
        yield note("settings", "letters go without pictures", "pip install 'referee[pictures]', or 'pictures: false'")
    if settings.trust.require == "dmarc" and not (settings.trust.authserv and settings.trust.received_by):
        remedy = "set 'authserv' and 'received-by' under 'trust', or no letter moves anything"
        yield wrong("settings", "they require DMARC, but name no mail server that checks it", remedy)


def password_diagnoses(office: Office) -> Iterator[Diagnosis]:
    """Check that the passwords of the mail servers can be read, but not by others."""
    servers: tuple[Server | None, ...] = (office.settings.send, office.settings.imap)
    for file in dict.fromkeys(one.password_file for one in servers if one is not None and one.password_file):
        try:
            empty = not office.password(file)
        except RefereeError as error:
            yield wrong("password", error.message, "write the password into the file, and chmod 600")
            continue
        if empty:
            yield wrong("password", f"the file {file} is empty", "write the password into it")
        else:
            yield well("password", f"{file} can be read")


def program_diagnoses(settings: Settings) -> list[Diagnosis]:
    """The program that may play here, and its sandbox."""
    if settings.engines.program is None:
        return []
    if sandbox():
        return [well("program", "bubblewrap shuts your program in, and hides the desk's folder from it")]
    return [note("program", UNPROTECTED, "install bubblewrap, or use only a program that you trust")]


def store_diagnoses(office: Office) -> Iterator[Diagnosis]:
    """Check the store for damage; because it was opened, its tables and its key are there."""
    if damage := office.desk.upkeep.damage():
        for fault in damage:
            yield wrong("store", f"it is damaged: {fault}", "stop the desk, and restore a backup")
        return
    games = len(office.desk.catalogue.ids())
    running = len(office.desk.catalogue.in_phase(Phase.RUNNING))
    yield well("store", f"it is whole and has its key; {counted(games, 'game', 'games')}, {running} of them running")


def attic_diagnoses(office: Office) -> Iterator[Diagnosis]:
    """Check that the files with old letters are there."""
    shelves = office.desk.attic.files(whole=False)
    for one in shelves:
        if one.fault:
            letters = counted(one.letters, "old letter", "old letters")
            yield wrong("attic", f"{one.fault}, which has {letters}", "put it back, from a backup of that folder")
    if shelves and not any(one.fault for one in shelves):
        yield well("attic", f"{counted(len(shelves), 'file', 'files')} with old letters: 'attic --check' reads them")


def backup_diagnoses(office: Office, at: datetime) -> Iterator[Diagnosis]:
    """Check the age of the last backup; pg_dump does not report its own to the desk."""
    if not isinstance(place_of(office.folder, office.settings.store), Path):
        return
    last = office.desk.upkeep.backed_up()
    since = last or office.desk.catalogue.first_opened()
    if since is not None and since < at - STALE:
        says = "there is no backup" if last is None else f"the last backup was made on {last:%Y-%m-%d}"
        yield wrong("backup", says, "run 'referee desk backup' every night, by a timer or from cron")
    elif last is not None:
        yield well("backup", f"the last one was made on {last:%Y-%m-%d}")


def key_diagnoses(office: Office) -> Iterator[Diagnosis]:
    """Check that the settings name the desk's signing key."""
    named, own = office.settings.public_key, office.desk.key.signer.public
    if named == own:
        yield well("key", "the settings name the desk's public key")
    elif named is None:
        yield note("key", "the settings do not name the desk's public key", f"set 'public-key' to \"{own}\"")
    else:
        remedy = f"set 'public-key' to \"{own}\", and tell players who ask: their letters and the logs name it"
        yield wrong("key", "the desk signs with another key than the settings name", remedy)


def clock_diagnoses(office: Office, at: datetime) -> Iterator[Diagnosis]:
    """Check that the machine's clock can be right."""
    if at < FOUNDED:
        yield wrong("clock", f"it says {at:%Y-%m-%d}", "set it, and keep it right with NTP")
        return
    try:
        expect_steady(office, at)
    except RefereeError as error:
        yield wrong("clock", error.message, "see 'An outage' in the documentation of the desk")
        return
    yield well("clock", f"it says {at:%Y-%m-%d %H:%M} UTC, which fits what the desk saw last")


def _files(folder: Path, settings: Settings) -> Iterator[Path]:
    """The folder, and the files of the desk that are there."""
    yield folder
    yield folder / FILE
    store = place_of(folder, settings.store)
    if isinstance(store, Path):
        names = (store, *(store.with_name(f"{store.name}{end}") for end in ("-wal", "-shm")))
        yield from (path for path in names if path.exists())
