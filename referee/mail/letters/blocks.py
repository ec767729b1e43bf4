"""What a letter is made of, before it is text or HTML: sections of paragraphs, lists, tables and lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from referee.mail.letters.text import break_lines, fence, silent, wrap_silently

_GAP = "  "
"""Between two columns of a table."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class Points:
    """A list, each of its points a paragraph."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines that stay as they are: a board, or a line with a caret below a place in it."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Quote:
    """Lines that somebody wrote, or that are moves: in text they stand behind a bar, so that none is a command.

    The lines of a `message` are prose: they are broken where there is no room.
    """

    lines: tuple[str, ...]
    message: bool = False


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows below a head, which may be empty; text has `lines` in place of a table that is too wide for it."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """Text that is laid out already, as drafts keep it."""

    lines: tuple[str, ...]


Block = Paragraph | Points | Lines | Quote | Rows | Written


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a letter: a heading, which may be empty, and what stands below it.

    A `minor` one is for few readers; on a page it is smaller.
    """

    heading: str
    blocks: tuple[Block, ...]
    minor: bool = False


def section_text(section: Section, game: str) -> Iterator[str]:
    """A section as lines of text, none of which is a command; nothing if it is empty."""
    if not section.blocks:
        return
    if section.heading:
        yield from silent(("", section.heading, "-" * len(section.heading)), game)
    for number, block in enumerate(section.blocks):
        if number and isinstance(block, Paragraph | Rows) and not isinstance(section.blocks[number - 1], Lines):
            yield ""
        # Nothing in a board was written by anybody, and a test of many positions says that no line is a command.
        yield from block.lines if isinstance(block, Lines) else silent(_block_text(block, game), game)


def _block_text(block: Paragraph | Points | Quote | Rows | Written, game: str) -> Iterable[str]:
    match block:
        case Paragraph(text):
            return wrap_silently(text, game)
        case Points(texts):
            return [line for text in texts for line in wrap_silently(text, game, first="- ")]
        case Quote(lines, message):
            return fence(break_lines("\n".join(lines)) if message else lines)
        case Written(lines):
            return lines
        case Rows(lines=lines) if lines:
            return lines
        case Rows(head, rows):
            return _columns((head, *rows))


def _columns(rows: tuple[tuple[str, ...], ...]) -> Iterator[str]:
    """Rows in columns: the first to the left, all others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        cells = (cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))
        yield _GAP.join((first.ljust(widths[0]), *cells)).rstrip()
