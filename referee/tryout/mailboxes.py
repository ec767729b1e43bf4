"""The people of a try-out and the letters in their mailboxes, as a mail program shows and writes them."""

from __future__ import annotations

import re
from base64 import b64encode
from datetime import datetime
from email import message_from_bytes
from email.message import EmailMessage, MIMEPart
from email.policy import SMTPUTF8, default
from email.utils import format_datetime, formataddr, parseaddr
from secrets import token_hex
from typing import NamedTuple

SERVER = "mx.example.com"
"""The mail server that vouches for the people's letters, as the desk's settings trust it to."""

_MAILTO = re.compile(r'href="mailto:([^"?]*)\??')


class Person(NamedTuple):
    """A person with a mailbox; `key` names it in the addresses of pages."""

    key: str
    name: str
    address: str


PEOPLE = (Person("ada", "Ada Lovelace", "ada@example.org"), Person("ben", "Ben Franklin", "ben@example.net"))


class Attached(NamedTuple):
    """A file that came with a letter."""

    name: str
    content: bytes


class KeptLetter(NamedTuple):
    """A letter in a mailbox; `own` if its owner wrote it. It has a page if it is not text alone."""

    number: int
    own: bool
    raw: bytes
    id: str
    subject: str
    reply_to: str
    text: str
    page: str
    files: tuple[Attached, ...]


class Draft(NamedTuple):
    """A letter that is being written; `answers` is the message id of the letter that it replies to, if any."""

    to: str
    subject: str
    body: str = ""
    answers: str = ""


def read_letter(raw: bytes, number: int, *, own: bool) -> KeptLetter:
    """A letter as a mail program shows it, its pictures within its page."""
    message = message_from_bytes(raw, policy=default)
    assert isinstance(message, EmailMessage)
    reply_to = parseaddr(str(message["Reply-To"] or message["From"]))[1]
    text, page = (_content(message.get_body((kind,))) for kind in ("plain", "html"))
    for part in message.walk():
        if (cid := part["Content-ID"]) is not None:
            picture = b64encode(_bytes(part)).decode()
            page = page.replace(f"cid:{cid.strip('<>')}", f"data:{part.get_content_type()};base64,{picture}")
    files = (Attached(one.get_filename() or "file", _bytes(one)) for one in message.iter_attachments())
    identity, subject = str(message["Message-ID"]), str(message["Subject"]).strip()
    return KeptLetter(number, own, raw, identity, subject, reply_to, text, page, tuple(files))


def _content(part: MIMEPart | None) -> str:
    return "" if part is None else str(part.get_content())


def _bytes(part: EmailMessage) -> bytes:
    content = part.get_content()
    return content.encode() if isinstance(content, str) else bytes(content)


def reply_to(letter: KeptLetter) -> Draft:
    """The empty reply to a letter, filled in as mail programs do."""
    subject = letter.subject if letter.subject.lower().startswith("re:") else f"Re: {letter.subject}"
    return Draft(letter.reply_to, subject, answers=letter.id)


def page_for(letter: KeptLetter, person: Person) -> str:
    """The page of a letter for a frame: links open beside it, those to addresses begin a letter of this person."""
    page = letter.page.replace("<head>", '<head>\n<base target="_blank">', 1)
    return _MAILTO.sub(rf'target="_top" href="/try?write={person.key}&amp;to=\1&amp;', page)


def written(person: Person, draft: Draft, at: datetime) -> bytes:
    """A letter as the desk's mail server hands it over, with its word that the sender is who they say they are."""
    domain = person.address.rpartition("@")[2]
    letter = EmailMessage(policy=SMTPUTF8)
    letter["Authentication-Results"] = f"{SERVER}; dmarc=pass header.from={domain}"
    letter["From"] = formataddr((person.name, person.address))
    letter["To"] = draft.to
    letter["Subject"] = draft.subject
    letter["Date"] = format_datetime(at)
    letter["Message-ID"] = f"<{token_hex(10)}@{domain}>"
    if draft.answers:
        letter["In-Reply-To"] = letter["References"] = draft.answers
    letter.set_content(f"{draft.body}\n", cte="8bit")
    return letter.as_bytes()
