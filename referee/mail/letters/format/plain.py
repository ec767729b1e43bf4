"""Blocks of a letter as lines of plain text: none of them is a command if it ever comes back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from referee.mail.intake.commands import speaks
from referee.mail.letters.format import blocks
from referee.mail.letters.format.blocks import Block, Depiction, LetterSection, TextBoard
from referee.mail.letters.format.text import FENCE, WIDTH, break_lines, fence, quote, wrap

_INDENT = "    "
"""Indentation of text that belongs to the line above it."""

_SENTENCE_END = re.compile(r"(?<=\.) ")

_APART = (blocks.Paragraph, blocks.Rows, blocks.Heading, TextBoard)
"""Blocks below an empty line, unless they are the first."""

_ENDED = (blocks.Lines, TextBoard)
"""Blocks that end with an empty line of their own, or belong to the next one."""


def section_text(section: LetterSection, game: str | None, *, low: bool = False) -> Iterator[str]:
    """A section as lines of text, none of which is a command; nothing if it is empty. Boards may be `low`."""
    if all(isinstance(block, Depiction) for block in section.blocks):
        return
    yield ""
    if section.heading:
        yield from silent((section.heading, "-" * len(section.heading)), game)
    yield from blocks_text(section.blocks, game, low=low)


def blocks_text(shown: Iterable[Block], game: str | None, *, low: bool = False) -> Iterator[str]:
    """Blocks one below the other, as lines none of which is a command."""
    above: Block | None = None
    for block in shown:
        if isinstance(block, Depiction):
            continue
        if above is not None and isinstance(block, _APART) and not isinstance(above, _ENDED):
            yield ""
        # No player writes the lines of a board, and a test of many positions says that no line is a command.
        if isinstance(block, TextBoard):
            yield from (low and block.low()) or block.lines
        else:
            yield from block.lines if isinstance(block, blocks.Lines) else silent(_block_text(block, game), game)
        above = block


def silent(lines: Iterable[str], game: str | None) -> Iterator[str]:
    """The same lines, with a bar before those that would be a command, or would look like one."""
    for line in lines:
        yield f"{FENCE}{line}" if line and speaks(line, game) else line


@lru_cache(1024)
def wrap_silently(text: str, game: str | None, *, first: str = "") -> tuple[str, ...]:
    """A paragraph as lines none of which is a command: broken elsewhere if need be, or else behind a bar."""
    for lines in _layouts(text, first):
        if not any(line and speaks(line, game) for line in lines):
            return (*lines,)
    return (*silent(wrap(text, first=first), game),)


def _layouts(text: str, first: str) -> Iterator[list[str]]:
    """A paragraph broken where its lines are full, at the ends of its sentences, and in narrower lines."""
    yield wrap(text, first=first)
    begun, *others = _SENTENCE_END.split(text)
    yield [*wrap(begun, first=first), *(line for one in others for line in wrap(one, first=" " * len(first)))]
    for width in range(WIDTH - 3, 48, -3):
        yield wrap(text, first=first, width=width)


def _block_text(block: blocks.Prose, game: str | None) -> Iterable[str]:
    match block:
        case blocks.Paragraph(text) | blocks.Heading(text):
            return wrap_silently(text, game)
        case blocks.BulletList(texts):
            return [line for text in texts for line in wrap_silently(text, game, first="- ")]
        case blocks.Under(texts):
            return [line for text in texts for line in wrap_silently(text, game, first=_INDENT)]
        case blocks.Link(address) | blocks.Button(address):
            return [] if address.startswith("mailto:") else [f"{_INDENT}{address}"]
        case blocks.ListedMoves(moves):
            return fence(wrap("; ".join(map(quote, moves))))
        case blocks.Pointed(lines):
            return fence(lines)
        case blocks.Quote(lines, message):
            return fence(break_lines("\n".join(lines)) if message else lines)
        case blocks.Rows(lines=lines) if lines:
            return lines
        case blocks.Rows(head, rows):
            return _columns((head, *rows))


def _columns(rows: tuple[tuple[str, ...], ...]) -> Iterator[str]:
    """Rows in columns: the first to the left, all others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        cells = (cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))
        yield "  ".join((first.ljust(widths[0]), *cells)).rstrip()
