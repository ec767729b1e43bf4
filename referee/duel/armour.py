"""The text of messages: letters and digits that no messenger changes (spec/duel.md, "The text")."""

from __future__ import annotations

import hashlib
import string
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

DUEL_MARK = "duel1"
"""The beginning of every message in a text."""

LARGEST_MESSAGE = 2048
"""Maximum bytes of a message."""

MOST_DAMAGED = 100
"""Maximum damaged messages that are looked for in one text."""

_DIGITS = string.digits + string.ascii_uppercase + string.ascii_lowercase
_VALUES = {digit: value for value, digit in enumerate(_DIGITS)}
_BASE = len(_DIGITS)
_LENGTH = 2
_CHECK = 4
_REACH = 16_384
"""Maximum characters of a message with everything that a messenger has put between its digits."""


class FoundMessage(NamedTuple):
    """A message found in a text: the line where it begins, and its bytes; None if it is damaged."""

    line: int
    raw: bytes | None


def armoured(raw: bytes) -> str:
    """A message as text: the mark, its length in two digits, and its bytes with a checksum as one number."""
    number = int.from_bytes(raw + _check(raw), "big")
    digits = ""
    while number:
        number, digit = divmod(number, _BASE)
        digits += _DIGITS[digit]
    length = "".join(_DIGITS[one] for one in divmod(len(digits), _BASE))
    return f"{DUEL_MARK}{length}{digits[::-1]}"


def unarmoured(text: str) -> Iterator[FoundMessage]:
    """Every message in a text, with any characters around them and between their digits."""
    at, damaged, line, counted_to = text.find(DUEL_MARK), 0, 1, 0
    while at >= 0 and damaged < MOST_DAMAGED:
        line, counted_to = line + text.count("\n", counted_to, at), at
        found = _digits_after(text, at + len(DUEL_MARK))
        raw = _bytes("".join(text[place] for place in found))
        damaged += raw is None
        yield FoundMessage(line, raw)
        at = text.find(DUEL_MARK, found[-1] + 1 if raw is not None else at + 1)


def _digits_after(text: str, start: int) -> list[int]:
    """The places of the digits of a message, as far as there are any."""
    places = (at for at in range(start, min(len(text), start + _REACH)) if text[at] in _VALUES)
    length = list(islice(places, _LENGTH))
    return [*length, *islice(places, _number(text[at] for at in length))]


def _bytes(digits: str) -> bytes | None:
    """The bytes in digits; None unless `armoured` makes exactly these digits of them."""
    number = _number(digits[_LENGTH:])
    whole = number.to_bytes((number.bit_length() + 7) // 8, "big")
    raw = whole[:-_CHECK]
    if not raw or len(raw) > LARGEST_MESSAGE or whole[-_CHECK:] != _check(raw):
        return None
    return raw if armoured(raw) == DUEL_MARK + digits else None


def _number(digits: Iterable[str]) -> int:
    number = 0
    for digit in digits:
        number = number * _BASE + _VALUES[digit]
    return number


def _check(raw: bytes) -> bytes:
    return hashlib.sha256(b"referee duel check 1\n" + raw).digest()[:_CHECK]
