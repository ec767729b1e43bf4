"""Letters in from a mailbox by IMAP (RFC 3501): what is unseen is stored, and only then marked as seen.

If the connection ends in between, a letter is fetched again; the store knows its bytes and keeps it once.
"""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from imaplib import IMAP4, Internaldate2tuple
from time import mktime
from typing import Any

from imap_tools import BaseMailBox, MailBox, MailBoxStartTls, MailBoxUnencrypted
from imap_tools.errors import ImapToolsError, UnexpectedCommandStatusError

from referee.errors import RefereeError
from referee.mail.intake import LIMITS
from referee.mail.log import LOG, one_line, reason
from referee.mail.office import Office
from referee.mail.pipeline import receive
from referee.mail.settings import Imap

PATIENCE = 60
"""Seconds until a server that does not answer counts as gone."""

_WANTED = f"(INTERNALDATE BODY.PEEK[]<0.{LIMITS.size + 1}>)"
"""Of a letter that is too large, only as much as shows that it is; PEEK leaves it unseen."""


def fetch_imap(office: Office, at: datetime) -> int:
    """Store what is unseen in the mailbox of the settings, and tell how many letters that were.

    A letter came when the mailbox had it.

    Raises:
        RefereeError: `imap`: the settings name no mailbox, or it cannot be reached; `password`.
    """
    settings = office.settings.imap
    if settings is None or settings.user is None:
        raise RefereeError("imap", "the settings name no mailbox and user to fetch letters from: imap:")
    password = office.password(settings.password_file) if settings.password_file else ""
    try:
        with _opened(settings, settings.user, password) as box:
            return sum(_fetched(office, box, uid, at) for uid in box.uids("UNSEEN", charset=None))
    except (OSError, IMAP4.error, ImapToolsError) as error:
        raise RefereeError("imap", f"{settings.host}:{settings.port}: {_told(error)}") from None


@contextmanager
def _opened(settings: Imap, user: str, password: str) -> Iterator[BaseMailBox]:
    """The mailbox, logged in to; the connection is closed however this ends."""
    box = _connected(settings)
    try:
        login = box.login if user.isascii() and password.isascii() else box.login_utf8
        yield login(user, password, initial_folder=settings.folder)
    except BaseException:
        box.client.shutdown()
        raise
    box.logout()


def _connected(settings: Imap) -> BaseMailBox:
    where, context = (settings.host, settings.port, PATIENCE), ssl.create_default_context()
    match settings.security:
        case "tls":
            return MailBox(*where, ssl_context=context)
        case "starttls":
            return MailBoxStartTls(*where, ssl_context=context)
        case "none":
            return MailBoxUnencrypted(*where)


def _fetched(office: Office, box: BaseMailBox, uid: str, at: datetime) -> bool:
    """Whether a letter was there and is stored.

    imap-tools would expunge the mailbox whenever it marks a letter; what else lies there is not ours to delete.
    """
    status, parts = box.client.uid("FETCH", uid, _WANTED)
    letter = next((part for part in parts if isinstance(part, tuple)), None)
    if status != "OK" or letter is None:
        LOG.warning("imap: letter %s is not there any more", uid)
        return False
    receive(office, letter[1], min(_came(parts) or at, at))
    box.client.uid("STORE", uid, "+FLAGS.SILENT", r"(\Seen)")
    return True


def _came(parts: list[Any]) -> datetime | None:
    """When the mailbox had the letter; it may be told before the letter or behind it."""
    around = b" ".join(part[0] if isinstance(part, tuple) else part for part in parts)
    date = Internaldate2tuple(around)
    return None if date is None else datetime.fromtimestamp(mktime(date), UTC)


def _told(error: Exception) -> str:
    """What the server said, or what else is in the way."""
    if isinstance(error, UnexpectedCommandStatusError):
        said = error.command_result[1]
        return one_line(b" ".join(part for part in said if isinstance(part, bytes)).decode(errors="replace"))
    return reason(error)
