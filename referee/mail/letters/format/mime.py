"""Fields and bodies of letters as the standards of mail have them (RFC 2045, RFC 2047)."""

from __future__ import annotations

from email.header import Header
from email.policy import SMTP, Compat32
from email.utils import formataddr

_WIDTH = 76
"""Maximum characters of a line with encoded text."""

MIME = SMTP.clone(max_line_length=_WIDTH, refold_source="none")
"""Bodies in lines of this width. Fields stay as they were written: Python would encode a long message id."""

_LONGEST = 200
"""Maximum characters of a line of a field in a letter of text alone."""


class _Plain(Compat32):
    """The policy for a letter of text alone: most fields are one short line, which needs no further look."""

    def fold_binary(self, name: str, value: str) -> bytes:
        """A field as its lines."""
        line = f"{name}: {value}"
        if len(line) <= _LONGEST and line.isascii() and line.isprintable() and line == line.rstrip():
            return f"{line}\r\n".encode()
        return super().fold_binary(name, value)


PLAIN = _Plain(linesep="\r\n", max_line_length=_LONGEST)
"""For a letter of text alone. Python's modern policy parses every field, which takes five times as long."""


def words_field(name: str, text: str) -> str:
    """A text for a field of this name, encoded in lines of at most 76 characters where it is not ASCII."""
    return text if text.isascii() else Header(text, "utf-8", _WIDTH, name).encode()


def mailbox_field(name: str, person: str, address: str) -> str:
    """A mailbox for a field of this name; without a person's name, the address is in brackets all the same."""
    if not person:
        return f"<{address}>"
    if person.isascii():
        return formataddr((person, address))
    return f"{words_field(name, person)}\n <{address}>"
