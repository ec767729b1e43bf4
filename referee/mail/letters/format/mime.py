"""Fields and bodies of letters as the standards of mail have them (RFC 2045, RFC 2047)."""

from __future__ import annotations

import base64
import quopri
from email.header import Header
from email.message import Message
from email.policy import Compat32
from email.utils import formataddr
from hashlib import sha256

_WIDTH, _WIDEST = 76, 998
"""Maximum characters of a line with encoded text, and of any line (RFC 5322, section 2.1.1)."""

_LONGEST = 200
"""Maximum characters of a line of a field."""


class _Fields(Compat32):
    """The policy of a letter: most of its fields are one short line, which needs no further look."""

    def fold_binary(self, name: str, value: str) -> bytes:
        """A field as its lines."""
        line = f"{name}: {value}"
        if len(line) <= _LONGEST and line.isascii() and line.isprintable() and line == line.rstrip():
            return f"{line}\r\n".encode()
        return super().fold_binary(name, value)


_MIME = _Fields(linesep="\r\n", max_line_length=_LONGEST)
"""Of letters and their parts. Python's modern policy parses every field, which takes five times as long."""


def text_part(text: str, kind: str = "plain") -> Message:
    """A text in ASCII, or else in UTF-8 and quoted-printable; so is one with lines that are too long for mail."""
    part = Message(policy=_MIME)
    part["MIME-Version"] = "1.0"
    is_plain = text.isascii() and max(map(len, text.splitlines()), default=0) <= _WIDEST
    part["Content-Type"] = f'text/{kind}; charset="{"us-ascii" if is_plain else "utf-8"}"'
    part["Content-Transfer-Encoding"] = "7bit" if is_plain else "quoted-printable"
    part.set_payload(text if is_plain else quopri.encodestring(text.encode()).decode("ascii"))
    return part


def file_part(content: bytes, media: str, name: str, *, cid: str = "") -> Message:
    """A file to keep; or, with an id, one that a page shows."""
    part = Message(policy=_MIME)
    part["Content-Type"] = media
    part["Content-Transfer-Encoding"] = "base64"
    part.add_header("Content-Disposition", "inline" if cid else "attachment", filename=name)
    if cid:
        part["Content-ID"] = f"<{cid}>"
    part.set_payload(base64.encodebytes(content).decode("ascii"))
    return part


def joined(kind: str, first: Message, *more: Message) -> Message:
    """A multipart of this kind with the fields of its first part, always the same bytes for the same content."""
    whole, rest = Message(policy=_MIME), Message(policy=_MIME)
    for name, value in first.items():
        (rest if name.lower().startswith("content-") else whole)[name] = value
    rest.set_payload(first.get_payload())
    texts = (str(part.get_payload()) for one in (first, *more) for part in one.walk() if not part.is_multipart())
    mark = sha256("\n".join(texts).encode()).hexdigest()[:32]  # which no text can contain on purpose
    whole["Content-Type"] = f'multipart/{kind}; boundary="{kind}-{mark}"'
    whole.set_payload([rest, *more])
    return whole


def words_field(name: str, text: str) -> str:
    """A text for a field of this name; unless it is plain ASCII, it is encoded in lines of at most 76 characters."""
    return text if _is_plain(text) else Header(text, "utf-8", _WIDTH, name).encode()


def mailbox_field(name: str, person: str, address: str) -> str:
    """A mailbox for a field of this name; without a person's name, the address is in brackets all the same."""
    if not person:
        return f"<{address}>"
    if _is_plain(person):
        return formataddr((person, address))
    return f"{words_field(name, person)}\n <{address}>"


def _is_plain(text: str) -> bool:
    """True for ASCII that no mail program takes for an encoded word, which could hide the end of a field."""
    return text.isascii() and "=?" not in text
