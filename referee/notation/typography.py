"""Plain letters and signs for those that keyboards, phones and word processors write."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_TYPOGRAPHY = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58", "-")
    | dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4`", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"')
    | dict.fromkeys("\u2192\u21d2\u2794\u2799\u279c\u279d\u279e\u27a1\u27f6\u27f9\u2b62\u2b95\U0001f852\uf0e0", "-")
    | dict.fromkeys("\u2044\u2215", "/")
    | dict.fromkeys("\u00a5\u20a9", "\\")  # Japanese and Korean keyboards have these for a backslash
    | dict.fromkeys("\ufe0e\ufe0f\u20e3", "")  # these turn a digit into a picture
)
_BLANKS = re.compile(r"\s+")

ARROW = re.compile(r"(?<![-=])(?:-{1,3}|=)>|(?<=\w)-{2,3}(?=\w)")
"""Signs that people type between two squares, and that phones turn into one arrow or dash."""

_MOST_MARKS = 30
"""Combining marks to keep in a row, as in Unicode's stream-safe text: sorting more takes quadratic time."""
_HIDDEN_MARKS = "\u0f73\u0f75\u0f81\uff9e\uff9f"
"""Characters that normalisation turns into combining marks."""


def plain_text(text: str) -> str:
    """A line with plain letters, digits, quotes, hyphens and single blanks, and no invisible characters."""
    if not text.isascii():
        text = "".join(char for char in fold_letters(text) if unicodedata.category(char) not in ("Cf", "Cs"))
    if not text.isprintable():
        text = "".join(char if char.isprintable() else " " for char in text)
    return _BLANKS.sub(" ", text).strip()


def fold_letters(text: str) -> str:
    """A line with plain characters instead of those that only look different."""
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
