"""Letters in by IMAP (RFC 3501): each unseen letter goes into the store, and only then gets the mark `seen`.

If the connection ends in between, the desk fetches the letter again; the store keeps the same bytes only once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from imaplib import IMAP4, Internaldate2tuple
from time import mktime

from imap_tools import BaseMailBox, MailBox, MailBoxUnencrypted
from imap_tools.errors import ImapToolsError, UnexpectedCommandStatusError

from referee.errors import RefereeError
from referee.mail.intake.message.limits import LIMITS
from referee.mail.log import LOG, log_line
from referee.mail.office import Office
from referee.mail.settings import Imap
from referee.mail.transport.receipt import receive
from referee.mail.transport.tls import connection_failure, tls_context, unencrypted

_PATIENCE = 60
"""Seconds to wait for a server's answer."""

_WANTED = f"(INTERNALDATE BODY.PEEK[]<0.{LIMITS.size + 1}>)"
"""One byte more than the limit shows that a letter is too large; PEEK leaves it unseen."""


def fetch_imap(office: Office, at: datetime) -> int:
    """Store the unseen letters of the mailbox in the settings; return their number.

    A letter counts as received when the mailbox got it. `open_mailbox` says what is raised.
    """
    with open_mailbox(office) as box:
        return sum(_fetch(office, box, uid, at) for uid in box.uids("UNSEEN", charset=None))


@contextmanager
def open_mailbox(office: Office) -> Iterator[BaseMailBox]:
    """The mailbox of the settings, after the login; RefereeError `imap`, `password` or `ca-file`."""
    settings = office.settings.imap
    if settings is None or settings.user is None:
        raise RefereeError("imap", "the settings name no mailbox and user under 'imap:'")
    password = office.password(settings.password_file) if settings.password_file else ""
    try:
        with _login(office, settings, settings.user, password) as box:
            yield box
    except UnexpectedCommandStatusError as error:
        parts = (part for part in error.command_result[1] if isinstance(part, bytes))
        said = log_line(b" ".join(parts).decode(errors="replace"))
        raise RefereeError("imap", f"{settings.host}:{settings.port}: {said}") from None
    except (OSError, IMAP4.error, ImapToolsError) as error:
        raise RefereeError("imap", f"{settings.host}:{settings.port}: {connection_failure(error)}") from None


@contextmanager
def _login(office: Office, settings: Imap, user: str, password: str) -> Iterator[BaseMailBox]:
    """The mailbox after the login; the connection closes in any case."""
    where, context = (settings.host, settings.port, _PATIENCE), None
    if settings.security != "none":
        context = tls_context(office, settings)
    box = MailBox(*where, ssl_context=context) if settings.security == "tls" else MailBoxUnencrypted(*where)
    try:
        if settings.security == "starttls":
            try:
                box.client.starttls(context)
            except IMAP4.error:
                raise unencrypted("imap", settings) from None
        login = box.login if user.isascii() and password.isascii() else box.login_utf8
        yield login(user, password, initial_folder=settings.folder)
    except BaseException:
        with suppress(OSError):  # a handshake that fails has already closed it
            box.client.shutdown()
        raise
    box.logout()


def _fetch(office: Office, box: BaseMailBox, uid: str, at: datetime) -> bool:
    """Store one letter if it is there; unlike imap-tools, never expunge: the letters are not the desk's."""
    status, parts = box.client.uid("FETCH", uid, _WANTED)
    letter = next((part for part in parts if isinstance(part, tuple)), None)
    if status != "OK" or letter is None:
        LOG.warning("imap: letter %s is gone", uid)
        return False
    got = Internaldate2tuple(b" ".join(part[0] if isinstance(part, tuple) else part for part in parts))
    received = at if got is None else min(datetime.fromtimestamp(mktime(got), UTC), at)
    receive(office, letter[1], received)
    box.client.uid("STORE", uid, "+FLAGS.SILENT", r"(\Seen)")
    return True
