"""All checks of a desk, in the order in which one builds on the other."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from referee.errors import FileError, RefereeError
from referee.mail.host.checks import Diagnosis, Severity, machine, note, well, wrong
from referee.mail.host.checks.concerns import concern_diagnoses
from referee.mail.host.checks.names import name_diagnoses
from referee.mail.host.checks.probe import round_trip
from referee.mail.host.checks.servers import mailbox_diagnoses, port_diagnoses, web_diagnoses
from referee.mail.office import office_in
from referee.mail.settings import FILE, read_settings


def examine(folder: Path, at: datetime, *, wait: float | None) -> Iterator[Diagnosis]:
    """Check the desk in a folder and what is around it, one thing after the other; FileError for its settings.

    A letter of the desk to itself must come back within `wait` seconds; None sends no letter.
    """
    settings = read_settings(folder / FILE)
    yield from machine.settings_diagnoses(settings)
    yield from machine.folder_diagnoses(folder, settings)
    yield from machine.program_diagnoses(settings)
    try:
        with office_in(folder) as office:
            yield from machine.store_diagnoses(office)
            yield from machine.attic_diagnoses(office)
            yield from machine.backup_diagnoses(office, at)
            yield from machine.key_diagnoses(office)
            clock = [*machine.clock_diagnoses(office, at)]
            yield from clock
            waiting = concern_diagnoses(office, at)
            yield from waiting
            if all(one.level is not Severity.WRONG for one in waiting):
                yield well("games", "nothing waits for you")
            yield from machine.password_diagnoses(office)
            yield from name_diagnoses(office.settings.address.rpartition("@")[2], selectors=office.settings.selectors)
            yield from port_diagnoses(office)
            yield from web_diagnoses(office)
            mailbox = [*mailbox_diagnoses(office)]
            yield from mailbox
            if any(one.level is Severity.WRONG for one in clock):
                yield note("letter", "none was sent: while the clock is in doubt, the desk takes no letters")
            elif wait is not None and all(one.level is not Severity.WRONG for one in mailbox):
                yield from round_trip(office, wait)
    except RefereeError as error:
        yield wrong("store", error.message, f"'referee explain {error.code}' says more")


def unreadable_settings(error: FileError) -> list[Diagnosis]:
    """Diagnoses of settings that cannot be read, one for each finding."""
    return [
        wrong("settings", f"line {one.line}, column {one.column}: {one.message}", f"correct {error.file}")
        for one in error.findings
    ]
