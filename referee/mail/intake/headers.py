"""The header of a letter: kept raw, and each field decoded in a guard when it is asked for.

Python's modern e-mail policy parses fields when they are read and raises on some broken ones; here a field
that cannot be read is empty, and the others are read all the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from email.header import decode_header
from email.message import Message
from email.utils import getaddresses
from typing import NamedTuple, TypeVar

from referee.mail.intake.addresses import small
from referee.mail.intake.charsets import decoded

_MESSAGE_ID = re.compile(r"<[^<>\s]{1,250}>")
_ADDRESS = re.compile(r"[^\s<>()\[\],;:\\\"@]{1,64}@[^\s<>()\[\],;:\\\"@]{1,255}")
_LONGEST_LIST, _MOST_FIELDS = 4_000, 10
"""Characters of all addresses in the fields of one name, and such fields; of more, none is read."""
_MOST_ENCODED = 50
"""Encoded words in one text; with more, it stays as it was written."""
_UNSEEN = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029]+")

_Read = TypeVar("_Read")


class Address(NamedTuple):
    """Somebody's name, as he writes it, and his address, its domain in small letters."""

    name: str
    address: str


NOBODY: tuple[Address, ...] = ()


@dataclass(frozen=True, slots=True)
class Headers:
    """The fields in their order, names in small letters, values raw (surrogates stand for bytes beyond ASCII)."""

    fields: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, message: Message) -> Headers:
        """The fields of a message that was parsed without looking into them."""
        return cls(tuple((name.lower(), str(value)) for name, value in message.raw_items()))

    def __contains__(self, name: str) -> bool:
        return any(field == name for field, _ in self.fields)

    def names(self) -> tuple[str, ...]:
        """The names of all fields, from the top."""
        return tuple(name for name, _ in self.fields)

    def raw(self, name: str) -> tuple[str, ...]:
        """The fields of that name, from the top, each on one line and without what could end a line."""
        return tuple(one_line(as_text(value)) for field, value in self.fields if field == name)

    def first(self, name: str) -> str:
        """The topmost field of that name as written, empty if there is none."""
        return next(iter(self.raw(name)), "")

    def word(self, name: str) -> str:
        """The first word of a field in small letters: `auto-replied` of `Auto-Replied; owner=x`."""
        return re.split(r"[\s;,(]", self.first(name), maxsplit=1)[0].casefold()

    def text(self, name: str) -> str:
        """The topmost field of that name, decoded."""
        return guarded(unencoded, self.first(name), "")

    def addresses(self, *names: str) -> tuple[Address, ...]:
        """The addresses of those fields, in the order of the names."""
        return tuple(
            found for name in names for value in self._lists(name) for found in guarded(_addresses, value, NOBODY)
        )

    def _lists(self, name: str) -> tuple[str, ...]:
        """The fields of that name, unless there is more in them than anybody writes."""
        values = self.raw(name)
        return values if len(values) <= _MOST_FIELDS and sum(map(len, values)) <= _LONGEST_LIST else ()

    def message_ids(self, *names: str) -> tuple[str, ...]:
        """The message ids of those fields, whatever divides them."""
        return tuple(found for name in names for value in self.raw(name) for found in _MESSAGE_ID.findall(value))


def guarded(read: Callable[..., _Read], value: object, otherwise: _Read) -> _Read:
    """What can be read of a value, or something else if the reading fails in whatever way."""
    try:
        return read(value)
    except Exception:  # hostile headers make the standard library raise nearly anything
        return otherwise


def as_text(value: str) -> str:
    """A raw field, its bytes beyond ASCII read as text."""
    return value if value.isascii() else decoded(value.encode("utf-8", "surrogateescape"))


def one_line(text: str) -> str:
    """The text with every run of blanks and control characters as one blank."""
    return _UNSEEN.sub(" ", text).strip()


def unencoded(value: str) -> str:
    """A field whose encoded words are decoded, on one line."""
    if value.count("=?") > _MOST_ENCODED:
        return one_line(value)
    parts = decode_header(value)
    return one_line(
        "".join(text if isinstance(text, str) else decoded(text, charset or "") for text, charset in parts)
    )


def _addresses(value: str) -> tuple[Address, ...]:
    """The addresses of a field; if its signs do not fit together, whatever in it looks like one."""
    pairs = [pair for pair in getaddresses([value]) if _ADDRESS.fullmatch(pair[1])]
    found = pairs or [("", address) for address in _ADDRESS.findall(value)]
    return tuple(Address(guarded(unencoded, name, ""), _with_small_domain(address)) for name, address in found)


def _with_small_domain(address: str) -> str:
    local, _, domain = address.rpartition("@")
    return f"{local}@{small(domain)}"
