"""The lines of letters out: wrapped, and none of them a command if it ever comes back."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from functools import lru_cache

from referee.mail.intake import speaks

_WIDTH = 72
"""Width of lines of words: quoted once or twice, they still fit into the 78 columns of a mail program."""

_MOVE = re.compile(r"\[[^\[\]\n]*\]")
_GAP = "\N{NO-BREAK SPACE}"
_FENCE = "| "


def quote(move: object) -> str:
    """A move in a sentence: in brackets, within which no line is broken."""
    return f"[{move}]"


def wrap(text: str, *, first: str = "", width: int = _WIDTH) -> list[str]:
    """A paragraph as lines; what is in brackets stays on one of them, and only a word that fits on none is broken."""
    kept = _MOVE.sub(lambda found: found[0].replace(" ", _GAP), text)
    indent = " " * len(first)
    broken = max(map(len, kept.split(" "))) > _WIDTH
    lines = textwrap.wrap(
        kept, width, initial_indent=first, subsequent_indent=indent, break_long_words=broken, break_on_hyphens=False
    )
    return [line.replace(_GAP, " ") for line in lines]


def whole_sentence(text: str) -> str:
    """A text as a whole sentence."""
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def fence(lines: Iterable[str]) -> list[str]:
    """Lines of people, or moves, each behind a bar so that none is a command."""
    return [f"{_FENCE}{line}".rstrip() for line in lines]


def break_lines(text: str) -> Iterator[str]:
    """The lines of a person's text, cut before a mail program breaks them and leaves a piece without its bar."""
    for line in text.splitlines():
        yield from textwrap.wrap(line, _WIDTH - len(_FENCE), break_on_hyphens=False) or [""]


def shorten(line: str) -> str:
    """The beginning of a line, with dots where it is cut."""
    return line if len(line) <= 60 else f"{line[:57]}..."


def silent(lines: Iterable[str], game: str | None) -> Iterator[str]:
    """The same lines, with a bar before those that would be a command, or would look like one.

    Only the lines of boards need not come through here: no player writes them, and a test of
    many positions says that none of them is a command.
    """
    for line in lines:
        yield f"{_FENCE}{line}" if line and speaks(line, game) else line


@lru_cache(1024)
def wrap_silently(text: str, game: str | None, *, first: str = "") -> tuple[str, ...]:
    """A paragraph as lines none of which is a command: broken elsewhere if need be, or else behind a bar.

    Most paragraphs of letters are the same in many of them, so the last ones are kept.
    """
    for width in range(_WIDTH, 48, -3):
        lines = wrap(text, first=first, width=width)
        if not any(line and speaks(line, game) for line in lines):
            return (*lines,)
    return (*silent(wrap(text, first=first), game),)
