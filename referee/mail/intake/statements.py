"""Letters that the desk writes in a player's name, about a move or a new game on its pages.

They are kept like any others, so acts on a page go the way of all letters, and the log and the audit know no other.
The desk marks them with its key: no one else can make such a letter, and servers on the way would have added to it.
"""

from __future__ import annotations

import re
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTPUTF8
from email.utils import format_datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from referee.desk import write_time

if TYPE_CHECKING:
    from referee.mail.office import Office

_LINE = rb"[^\r\n]*(?:\r\n[ \t][^\r\n]*)*\r\n"
"""Rest of a header field, which may continue in further lines."""

_MARKED = re.compile(
    rb"Return-Path: [^\r\n]*\r\nDelivered-To: [^\r\n]*\r\nReferee-Page: ([0-9a-f]{20})\r\n"
    rb"(From: %(line)sTo: %(line)sSubject: %(line)sDate: %(line)sMessage-ID: <[0-9a-f]+\.page@%(line)s"
    rb"(?:(?:Content-[A-Za-z-]+|MIME-Version): %(line)s)+\r\n.*)" % {b"line": _LINE},
    re.DOTALL,
)
"""A stored letter of a page, with the envelope that is kept with every letter; it has passed no server."""


def statement(
    office: Office, game: str, sender: str, to: str, text: str, at: datetime, name: str, since: datetime | None = None
) -> bytes:
    """The letter about an act on the page of a game, or without a game on the page for new games.

    `sender` is the registered address of the seat, and `to` the seat's own with its key, or the desk's; `name` makes
    the message id. The subject says `since` when the browser was paired.
    """
    letter = EmailMessage(policy=SMTPUTF8)
    letter["From"] = sender
    letter["To"] = to
    where = "Made on the page" if since is None else f"Made on the page, in a browser paired at {write_time(since)}"
    letter["Subject"] = f"[{game}] {where}" if game else where
    letter["Date"] = format_datetime(at)
    letter["Message-ID"] = f"<{name}.page@{office.mailbox.ids}>"
    letter.set_content(f"{text}\n", cte="8bit")
    content = letter.as_bytes()
    return f"Referee-Page: {_mark(office, content)}\r\n".encode() + content


def is_statement(office: Office, raw: bytes) -> bool:
    """True if a stored letter was written by this desk about a move on its pages."""
    found = _MARKED.fullmatch(raw)
    return found is not None and found[1].decode() == _mark(office, found[2])


def claims_page(raw: bytes) -> bool:
    """True if a letter has the form of a statement; only the desk can check its mark."""
    return _MARKED.fullmatch(raw) is not None


def _mark(office: Office, content: bytes) -> str:
    return office.desk.key.mark(f"page/{sha256(content).hexdigest()}")
