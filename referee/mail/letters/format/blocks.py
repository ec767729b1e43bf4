"""Blocks of a letter, before it is text or HTML: sections of paragraphs, lists, tables, boards and lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from referee.rules import Event, Outcome, Position


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class BulletList:
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
class Button:
    """A button on a page, the main one or another; in text a link, or nothing if it begins a letter."""

    address: str
    label: str
    main: bool = True


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines that stay as they are, such as a command for a shell."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TextBoard:
    """A board drawn with characters, and its description: none of its lines may be broken.

    `low` draws the same in fewer lines, where a letter is too long; nothing if its game has no such board.
    """

    lines: tuple[str, ...]
    label: str
    low: Callable[[], tuple[str, ...]] = tuple


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


Prose = Paragraph | BulletList | Heading | Under | Link | Button | ListedMoves | Quote | Pointed | Rows
"""Blocks whose lines in text may need a bar, so that none is a command."""

Block = Prose | Lines | TextBoard | Depiction


@dataclass(frozen=True, slots=True)
class LetterSection:
    """A part of a letter: a heading, which may be empty, and its blocks; a `minor` one is smaller on a page."""

    heading: str
    blocks: tuple[Block, ...]
    minor: bool = False


def sole_paragraph(text: str) -> tuple[LetterSection, ...]:
    """A section of a single paragraph."""
    return (LetterSection("", (Paragraph(text),)),)


def merged(blocks: Iterable[Block]) -> Iterator[Block]:
    """The same blocks; points that follow each other are one list."""
    points: list[str] = []
    for block in blocks:
        if isinstance(block, BulletList):
            points += block.texts
            continue
        if points:
            yield BulletList(tuple(points))
            points = []
        yield block
    if points:
        yield BulletList(tuple(points))
