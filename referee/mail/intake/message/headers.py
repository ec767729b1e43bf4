"""The header of a letter: raw fields, each decoded on demand.

Python's modern e-mail policy parses every field that is read and raises on some broken ones. Here an unreadable
field is empty, and the others stay readable.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from email.header import decode_header
from email.message import Message
from email.utils import getaddresses
from typing import NamedTuple, TypeVar

from referee.mail.addresses import small
from referee.mail.intake.message.text import decode_text

_MESSAGE_ID = re.compile(r"<[^<>\s]{1,250}>")
_ADDRESS = re.compile(r"[^\s<>()\[\],;:\\\"@]{1,64}@[^\s<>()\[\],;:\\\"@]{1,255}")
_LONGEST_LIST, _MOST_FIELDS = 4_000, 10
"""Maximum characters in all address fields of one name, and maximum such fields; beyond, none is read."""
_MOST_ENCODED = 50
"""Maximum encoded words to decode in one text; a text with more stays as it is."""
_ENVELOPE = re.compile(rb"(?:(?:return-path|delivered-to|x-original-to):[^\n]*\n)*", re.IGNORECASE)
"""Fields that mail servers write before a letter, different in each copy of it."""

_UNSEEN = re.compile(r"[\x00-\x20\x7f-\xa0\u2028\u2029]+")

_Read = TypeVar("_Read")


class Address(NamedTuple):
    """A person's name as they write it, and their address, its domain in small letters."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class Headers:
    """The fields in their order, names in small letters, values raw (surrogates stand for bytes beyond ASCII)."""

    fields: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, message: Message) -> Headers:
        """The fields of a message, which are not parsed yet."""
        return cls(tuple((name.lower(), str(value)) for name, value in message.raw_items()))

    def __contains__(self, name: str) -> bool:
        return any(field == name for field, _ in self.fields)

    def raw(self, name: str) -> tuple[str, ...]:
        """The fields of that name, from the top, each on one line."""
        return tuple(one_line(as_header_text(value)) for field, value in self.fields if field == name)

    def first(self, name: str) -> str:
        """The topmost field of that name, not decoded; empty if there is none."""
        return next(iter(self.raw(name)), "")

    def word(self, name: str) -> str:
        """The first word of a field in small letters: `auto-replied` of `Auto-Replied; owner=x`."""
        return re.split(r"[\s;,(]", self.first(name), maxsplit=1)[0].casefold()

    def text(self, name: str) -> str:
        """The topmost field of that name, decoded."""
        return guard(decode_words, self.first(name), "")

    def addresses(self, *names: str) -> tuple[Address, ...]:
        """The addresses in the fields of these names, in the order of the names."""
        lists = map(self.raw, names)
        read = (one for one in lists if len(one) <= _MOST_FIELDS and sum(map(len, one)) <= _LONGEST_LIST)
        values = (value for one in read for value in one)
        return tuple(found for value in values for found in guard(_addresses, value, tuple[Address, ...]()))

    def message_ids(self, *names: str) -> tuple[str, ...]:
        """The message ids in the fields of these names."""
        return tuple(found for name in names for value in self.raw(name) for found in _MESSAGE_ID.findall(value))


def envelope_end(raw: bytes, most: int) -> int:
    """The length of the envelope before a letter, within its first `most` bytes."""
    found = _ENVELOPE.match(raw, 0, most)
    assert found is not None
    return found.end()


def guard(read: Callable[..., _Read], value: object, otherwise: _Read) -> _Read:
    """The result of `read`; `otherwise` if it raises anything."""
    try:
        return read(value)
    except Exception:  # hostile headers make the standard library raise nearly anything
        return otherwise


def as_header_text(value: str) -> str:
    """A raw field with its bytes beyond ASCII as text."""
    return value if value.isascii() else decode_text(value.encode("utf-8", "surrogateescape"))


def one_line(text: str) -> str:
    """The text with one blank for each run of blanks and control characters."""
    return _UNSEEN.sub(" ", text).strip()


def decode_words(value: str) -> str:
    """A field on one line, its encoded words (RFC 2047) decoded."""
    if value.count("=?") > _MOST_ENCODED:
        return one_line(value)
    parts = decode_header(value)
    texts = (text if isinstance(text, str) else decode_text(text, charset or "") for text, charset in parts)
    return one_line("".join(texts))


def _addresses(value: str) -> tuple[Address, ...]:
    """The addresses of a field; if its syntax is broken, anything in it that looks like an address."""
    pairs = [pair for pair in getaddresses([value]) if _ADDRESS.fullmatch(pair[1])]
    found = pairs or [("", address) for address in _ADDRESS.findall(value)]
    split = ((guard(decode_words, name, ""), *address.rpartition("@")) for name, address in found)
    return tuple(Address(name, f"{local}@{small(domain)}") for name, local, _, domain in split)
