"""Letters in from a Maildir: each file of `new/` goes into the store, and only then moves to `cur/` as seen."""

from __future__ import annotations

import os
import stat
from datetime import UTC, datetime
from pathlib import Path

from referee.errors import RefereeError
from referee.mail.intake.message.limits import LIMITS
from referee.mail.log import LOG, reason
from referee.mail.office import Office
from referee.mail.transport.receipt import receive

SEEN = ":2,S"
"""Ending of a file's name once its letter was read."""


def fetch_maildir(office: Office, folder: Path, at: datetime) -> int:
    """Store the new letters of a Maildir, the oldest first; return their number.

    A letter counts as received when its file was written. Anything but a readable file stays where it is, with a
    warning. RefereeError `maildir` if the folder is none.
    """
    try:
        names = sorted(entry.name for entry in os.scandir(folder / "new") if not entry.name.startswith("."))
    except OSError as error:
        raise RefereeError("maildir", f"{folder} is not a Maildir: {(error.strerror or '').lower()}: new/") from None
    stored = 0
    for name in names:
        path = folder / "new" / name
        try:
            raw, received = _read(path)
        except OSError as error:
            LOG.warning("maildir: %s cannot be read: %s", path, reason(error))
            continue
        receive(office, raw, min(received, at))
        stored += 1
        try:
            path.rename(folder / "cur" / f"{name.partition(':')[0]}{SEEN}")
        except OSError as error:
            LOG.warning("maildir: %s cannot be moved to cur/: %s", path, reason(error))
    return stored


def _read(path: Path) -> tuple[bytes, datetime]:
    """The letter in a file up to the limit, and the file's time; it does not wait for a pipe or a device."""
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC), "rb") as file:  # noqa: PTH123
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError("it is not a file")
        return file.read(LIMITS.size + 1), datetime.fromtimestamp(status.st_mtime, UTC)
