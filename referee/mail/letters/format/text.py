"""Lines of text in letters: wrapped, cut, quoted."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator

WIDTH = 72
"""Width of lines of words: quoted once or twice, they still fit into the 78 columns of a mail program."""

_MOVE = re.compile(r"\[[^\[\]\n]*\]")
_GAP = "\N{NO-BREAK SPACE}"
FENCE = "| "
"""The bar before a line that is no command of the letter."""


def quote(move: object) -> str:
    """A move in a sentence: in brackets, within which no line is broken."""
    return f"[{move}]"


def wrap(text: str, *, first: str = "", width: int = WIDTH) -> list[str]:
    """A paragraph as lines; what is in brackets stays on one of them, and only a word that fits on none is broken."""
    kept = _MOVE.sub(lambda found: found[0].replace(" ", _GAP), text)
    indent = " " * len(first)
    broken = max(map(len, kept.split(" "))) > WIDTH
    lines = textwrap.wrap(
        kept, width, initial_indent=first, subsequent_indent=indent, break_long_words=broken, break_on_hyphens=False
    )
    return [line.replace(_GAP, " ") for line in lines]


def whole_sentence(text: str) -> str:
    """A text as a whole sentence."""
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def fence(lines: Iterable[str]) -> list[str]:
    """Lines of people, or moves, each behind a bar so that none is a command."""
    return [f"{FENCE}{line}".rstrip() for line in lines]


def break_lines(text: str) -> Iterator[str]:
    """The lines of a person's text, cut before a mail program breaks them and leaves a piece without its bar."""
    for line in text.splitlines():
        yield from textwrap.wrap(line, WIDTH - len(FENCE), break_on_hyphens=False) or [""]


def shorten(line: str) -> str:
    """The beginning of a line, with dots where it is cut."""
    return line if len(line) <= 60 else f"{line[:57]}..."
