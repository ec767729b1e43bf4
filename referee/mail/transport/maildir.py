"""Letters in from a Maildir: each file of `new/` is stored, and only then moved to `cur/` as seen."""

from __future__ import annotations

import os
import stat
from datetime import UTC, datetime
from pathlib import Path

from referee.errors import RefereeError
from referee.mail.intake import LIMITS
from referee.mail.log import LOG, reason
from referee.mail.office import Office
from referee.mail.pipeline import receive

SEEN = ":2,S"
"""What a file's name ends with once its letter was read."""


def fetch_maildir(office: Office, folder: Path, at: datetime) -> int:
    """Store what is new in a Maildir, the oldest first, and tell how many letters that were.

    A letter came when its file was written. What is no file, or cannot be read, stays where it is and is told of.

    Raises:
        RefereeError: `maildir`, if the folder is none.
    """
    try:
        names = sorted(entry.name for entry in os.scandir(folder / "new") if not entry.name.startswith("."))
    except OSError as error:
        raise RefereeError("maildir", f"{folder} is no Maildir: {(error.strerror or '').lower()}: new/") from None
    stored = 0
    for name in names:
        path = folder / "new" / name
        try:
            raw, written = _read(path)
        except OSError as error:
            LOG.warning("maildir: %s cannot be read: %s", path, reason(error))
            continue
        receive(office, raw, min(written, at))
        stored += 1
        try:
            path.rename(folder / "cur" / f"{name.partition(':')[0]}{SEEN}")
        except OSError as error:
            LOG.warning("maildir: %s cannot be moved to cur/: %s", path, reason(error))
    return stored


def _read(path: Path) -> tuple[bytes, datetime]:
    """The letter in a file, as far as it is read, and when it was written; a pipe or a device is not waited for."""
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC), "rb") as file:  # noqa: PTH123
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError("it is not a file")
        return file.read(LIMITS.size + 1), datetime.fromtimestamp(status.st_mtime, UTC)
