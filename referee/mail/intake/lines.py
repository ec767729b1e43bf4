"""The lines of a letter, and how each is read: without what keyboards, phones and mail programs put in."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

_TYPOGRAPHY = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58", "-")
    | dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4`", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"')
    | dict.fromkeys("\u2192\u21d2\u2794\u2799\u279c\u279d\u279e\u27a1\u27f6\u27f9\u2b62\u2b95\U0001f852\uf0e0", "-")
    | dict.fromkeys("\u2044\u2215", "/")
    | dict.fromkeys("\u00a5\u20a9", "\\")  # what Japanese and Korean keyboards have for a backslash
    | dict.fromkeys("\ufe0e\ufe0f\u20e3", "")  # what makes a digit a picture
)
_BLANKS = re.compile(r"\s+")
_BULLET = re.compile(r"[-*\u2022\u00b7] +")
_WRAPPED = re.compile(r"([\"'*_])(?=[^\s])(.*[^\s])\1")
_ARROW = re.compile(r"(?<![-=])(?:-{1,3}|=)>|(?<=\w)-{2,3}(?=\w)")
"""What people type between two squares, and what phones turn into one arrow or dash."""

_TRAILING = " .,!"
_NONCE = re.compile(r"[0-9a-fA-F]{64}")
_LONGEST_BROKEN = 400
"""Characters of a line that a nonce may belong to; a longer one is prose."""

_MOST_MARKS = 30
"""Combining marks in a row that are kept, as in Unicode's stream-safe text: sorting more takes quadratic time."""
_HIDDEN_MARKS = "\u0f73\u0f75\u0f81\uff9e\uff9f"
"""Characters that are no combining marks themselves and become some."""


class Line(NamedTuple):
    """A line of a letter: its number, counted from 1, as it is read, and as it was written."""

    number: int
    text: str
    written: str


def lines(text: str) -> tuple[Line, ...]:
    """The lines of a text; one of nothing but a nonce belongs to the line before it, which was too long."""
    found: list[Line] = []
    for number, written in enumerate(text.splitlines(), 1):
        line = Line(number, plain(written), written)
        if found and 0 < len(found[-1].text) <= _LONGEST_BROKEN and _NONCE.fullmatch(line.text):
            start = found.pop()
            line = Line(start.number, f"{start.text} {line.text}", f"{start.written} {written}")
        found.append(line)
    return tuple(found)


def plain(text: str) -> str:
    """A line with plain letters, digits, quotes, hyphens and single blanks, and without what cannot be seen."""
    if not text.isascii():
        text = "".join(char for char in folded(text) if unicodedata.category(char) not in ("Cf", "Cs"))
    if not text.isprintable():
        text = "".join(char if char.isprintable() else " " for char in text)
    return _BLANKS.sub(" ", text).strip()


def folded(text: str) -> str:
    """A line with plain characters in place of those that only look different."""
    if text.isascii():
        return text
    text = "".join(_with_few_marks(text.translate(_TYPOGRAPHY)))
    return unicodedata.normalize("NFKC", text).translate(_TYPOGRAPHY)


def _with_few_marks(text: str) -> Iterator[str]:
    marks = 0
    for char in text:
        marks = marks + 1 if unicodedata.combining(char) or char in _HIDDEN_MARKS else 0
        if marks <= _MOST_MARKS:
            yield char


def bare(text: str) -> str:
    """A line as it is read for a command: arrows as hyphens, no bullet, signs around it or punctuation at its end."""
    text = _BULLET.sub("", text, count=1) if _BULLET.match(text) else text
    text = text.rstrip(_TRAILING)
    if wrapped := _WRAPPED.fullmatch(text):
        text = wrapped[2].rstrip(_TRAILING)
    return _ARROW.sub("-", text)
