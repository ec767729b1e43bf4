"""Blocks of a letter, before it is text or HTML: sections of paragraphs, lists, tables, boards and lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from referee.mail.letters.format.text import break_lines, fence, quote, silent, wrap, wrap_silently
from referee.rules import Event, Outcome, Position

_INDENT = "    "
"""Indentation of text that belongs to the line above it."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class Points:
    """A list, each of its points a paragraph."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """The subject of the blocks below it, within a section."""

    text: str


@dataclass(frozen=True, slots=True)
class Under:
    """Paragraphs that belong to the heading or the point above them."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """The address of a mailbox or of a page, on a line of its own below its purpose."""

    address: str


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines that stay as they are, such as a command for a shell."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TextBoard:
    """A board drawn with characters, and its description: none of its lines may be broken."""

    lines: tuple[str, ...]
    label: str


@dataclass(frozen=True, slots=True)
class Depiction:
    """The place of a picture of the board, where a letter has pictures: a position as a side sees it.

    It shows the changes by the last ply. The `outcome` is that of a game that ended otherwise than by its position.
    """

    position: Position
    view: str
    events: tuple[Event, ...] = ()
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class ListedMoves:
    """Moves in a row; in text they are behind a bar."""

    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Quote:
    """Lines of a person, or moves: in text they are behind a bar, so that none is a command.

    The lines of a `message` are prose: they are broken where there is no room.
    """

    lines: tuple[str, ...]
    message: bool = False


@dataclass(frozen=True, slots=True)
class Pointed:
    """A line of a person and a caret below a place in it, behind a bar: neither may be broken."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows below a head, which may be empty; text has `lines` for a table that is too wide for it."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[str, ...] = ()


Block = (
    Paragraph | Points | Heading | Under | Link | Lines | TextBoard | Depiction | ListedMoves | Quote | Pointed | Rows
)

_APART = (Paragraph, Rows, Heading, TextBoard)
"""Blocks below an empty line, unless they are the first."""

_ENDED = (Lines, TextBoard)
"""Blocks that end with an empty line of their own, or belong to the next one."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a letter: a heading, which may be empty, and its blocks; a `minor` one is smaller on a page."""

    heading: str
    blocks: tuple[Block, ...]
    minor: bool = False


def sole_paragraph(text: str) -> tuple[Section, ...]:
    """A section of a single paragraph."""
    return (Section("", (Paragraph(text),)),)


def section_text(section: Section, game: str | None) -> Iterator[str]:
    """A section as lines of text, none of which is a command; nothing if it is empty."""
    if not section.blocks:
        return
    if section.heading:
        yield from silent(("", section.heading, "-" * len(section.heading)), game)
    yield from blocks_text(section.blocks, game)


def blocks_text(blocks: Iterable[Block], game: str | None) -> Iterator[str]:
    """Blocks one below the other, as lines none of which is a command."""
    above: Block | None = None
    for block in blocks:
        if isinstance(block, Depiction):
            continue
        if above is not None and isinstance(block, _APART) and not isinstance(above, _ENDED):
            yield ""
        # No player writes the lines of a board, and a test of many positions says that no line is a command.
        yield from block.lines if isinstance(block, Lines | TextBoard) else silent(_block_text(block, game), game)
        above = block


def merged(blocks: Iterable[Block]) -> Iterator[Block]:
    """The same blocks; points that follow each other are one list."""
    points: list[str] = []
    for block in blocks:
        if isinstance(block, Points):
            points += block.texts
            continue
        if points:
            yield Points(tuple(points))
            points = []
        yield block
    if points:
        yield Points(tuple(points))


def _block_text(
    block: Paragraph | Points | Heading | Under | Link | ListedMoves | Quote | Pointed | Rows, game: str | None
) -> Iterable[str]:
    match block:
        case Paragraph(text) | Heading(text):
            return wrap_silently(text, game)
        case Points(texts):
            return [line for text in texts for line in wrap_silently(text, game, first="- ")]
        case Under(texts):
            return [line for text in texts for line in wrap_silently(text, game, first=_INDENT)]
        case Link(address):
            return [f"{_INDENT}{address}"]
        case ListedMoves(moves):
            return fence(wrap("; ".join(map(quote, moves))))
        case Pointed(lines):
            return fence(lines)
        case Quote(lines, message):
            return fence(break_lines("\n".join(lines)) if message else lines)
        case Rows(lines=lines) if lines:
            return lines
        case Rows(head, rows):
            return _columns((head, *rows))


def _columns(rows: tuple[tuple[str, ...], ...]) -> Iterator[str]:
    """Rows in columns: the first to the left, all others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        cells = (cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))
        yield "  ".join((first.ljust(widths[0]), *cells)).rstrip()
