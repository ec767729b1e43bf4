"""The lines of a letter, and how each is read: without what keyboards, phones and mail programs put in."""

from __future__ import annotations

import re
import unicodedata
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
        if found and found[-1].text and _NONCE.fullmatch(line.text):
            start = found.pop()
            line = Line(start.number, f"{start.text} {line.text}", f"{start.written} {written}")
        found.append(line)
    return tuple(found)


def plain(text: str) -> str:
    """A line with plain letters, digits, quotes, hyphens and single blanks, and without what cannot be seen."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_TYPOGRAPHY)).translate(_TYPOGRAPHY)
        text = "".join(char for char in text if unicodedata.category(char) not in ("Cf", "Cs"))
    text = "".join(char if char.isprintable() else " " for char in text)
    return _BLANKS.sub(" ", text).strip()


def bare(text: str) -> str:
    """A line as it is read for a command: arrows as hyphens, no bullet, signs around it or punctuation at its end."""
    text = _BULLET.sub("", text, count=1) if _BULLET.match(text) else text
    text = text.rstrip(_TRAILING)
    if wrapped := _WRAPPED.fullmatch(text):
        text = wrapped[2].rstrip(_TRAILING)
    return _ARROW.sub("-", text)
