"""Text for a terminal: text from outside, such as file names, made safe to print; colours; words for counts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable

Pen = Callable[[str, str], str]
"""Gives a text in a colour, named as in `colour_pen`, or leaves it as it is."""

_SGR = {
    "bold": "1",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "34",
    "magenta": "35",
    "cyan": "36",
    "error": "1;31",
    "place": "1",
    "hint": "32",
}
"""Codes for a terminal: those of each colour, and of each part of an error."""

_UNSEEN = re.compile("[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
"""Characters that JSON may leave alone, although they are invisible or control a terminal."""


def visible(text: str, besides: str = "") -> str:
    r"""The text with an escape such as `\x1b` for each character that is invisible or controls a terminal.

    Those are control characters, marks of writing direction and half characters. The characters of `besides` stay.
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in besides else char.encode("unicode_escape").decode() for char in text
    )


def visible_lines(text: str) -> str:
    """The same for text of several lines; special blanks and joined characters stay."""
    return "\n".join(visible(line, "\xa0\u202f\u200d") for line in text.split("\n"))


def visible_json(data: object, indent: int | None = None) -> str:
    """Data as JSON with visible characters only; it reads back as the same data."""
    written = json.dumps(data, ensure_ascii=False, indent=indent)
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", written)


def counted(number: int, one: str, many: str) -> str:
    """A number of things in words: "1 game", "2,000 games"."""
    return f"{number:,} {one if number == 1 else many}"


def colour_pen(text: str, colour: str) -> str:
    """A text in one of the eight colours that every terminal has, or in that of a part of an error."""
    return f"\x1b[{_SGR[colour]}m{text}\x1b[0m"


def plain_pen(text: str, _colour: str) -> str:
    """A text as it is: for everything but a terminal."""
    return text


def join_words(words: Iterable[str], last: str = "and") -> str:
    """Words as a list in a sentence: "2, 4 and 6"; empty if there are none."""
    *most, end = list(words) or [""]
    return f"{', '.join(most)} {last} {end}" if most else end
