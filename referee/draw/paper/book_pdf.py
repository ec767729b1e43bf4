"""A book of games on paper: a title with the contents, the games in two columns, and the indexes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile

from referee.draw.paper.book import Block, Section, book_title, indexes, sections
from referee.draw.paper.columns import CUT, STEP, Columns
from referee.draw.scenes.pdf import GREY, INK, PdfDocument
from referee.game import GameFile
from referee.game.file.dumper import game_text
from referee.game.file.gamefile import without_addresses

_SIZE, _GAP = 3.1, 1.6
"""The size of text, and the room after a paragraph, in millimetres."""

_MARGIN, _NUMBER = 18.0, 12.0
"""Room around a page, and for the numbers of pages."""


def book_pdf(games: Iterable[GameFile], *, paper: str = "a4") -> bytes:
    """The games as a PDF book with all game files; the same games always give the same bytes.

    Raises:
        FileError: a move of a game is refused.
        RefereeError: `unknown-paper` or `missing-extra`.
    """
    book = sections(games := [*games])
    draft, made = (_Book(book, paper, drawn=drawn) for drawn in (False, True))
    made.filled(draft.filled({}))
    draft.document.close()
    for number, game in enumerate(games, 1):
        text = game_text(without_addresses(game))
        made.document.attach(f"{number}-{game.game}.yaml", text.encode(), f"game {number}")
    return made.document.as_bytes()


class _Book:
    """The pages of a book while they are filled; if it is not `drawn`, only to see where each game begins."""

    def __init__(self, book: list[Section], paper: str, *, drawn: bool) -> None:
        self.book, self.title = book, book_title(book)
        self.document = PdfDocument(paper, self.title, drawn=drawn)
        self.columns = Columns(self.document, self.title, number=2, margin=_MARGIN, gutter=8)

    def filled(self, pages: Mapping[int, int]) -> dict[int, int]:
        """Fill all pages, given the page of each game; return the pages that were found."""
        found: dict[int, int] = {}
        self._page(self.title, 9, "H1")
        for section in self.book:
            self._entry(f"{section.number}. {section.title}", section.game, str(pages.get(section.number, 0)))
        for section in self.book:
            self._page(f"{section.number}. {section.title}", 4.6, "H2")
            found[section.number] = self.document.pages
            self._paragraph("; ".join((section.game, *section.about)), colour=GREY)
            for place, block in enumerate(section.blocks):
                self._block(block, section.blocks[place + 1 :])
        for index in indexes(self.book):
            if index.entries:
                self._page(index.title, 4.6, "H2")
            for name, numbers in index.entries:
                self._paragraph(f"{name}  {', '.join(str(pages.get(number, 0)) for number in numbers)}")
        return found

    def _page(self, head: str, size: float, kind: str) -> None:
        """Begin a page with a heading over both columns."""
        document, self.columns.label = self.document, head
        self.columns.page()
        document.bookmark(head)
        lines = document.wrap(head[:CUT], document.width - 2 * _MARGIN, size, bold=True)
        document.paragraph(lines, (_MARGIN, _MARGIN + size / 2), size, STEP, bold=True, kind=kind)
        self.columns.begin([_MARGIN + len(lines) * size * STEP + _GAP] * 2)

    def _entry(self, name: str, about: str, page: str) -> None:
        """A line of the contents, with its page at its end."""
        columns, document = self.columns, self.document
        lines = document.wrap(name[:CUT], columns.width - _NUMBER, _SIZE)
        columns.keep((len(lines) + 1) * _SIZE * STEP)
        left, top = columns.room(0)
        columns.lines(lines, _SIZE)
        document.text(page, (left + columns.width, top + _SIZE * STEP / 2), _SIZE, align=1)
        self._paragraph(about, colour=GREY)

    def _block(self, block: Block, after: Sequence[Block]) -> None:
        """A board, or a paragraph, whose last lines stay with the comments behind it."""
        if block.scene is not None:
            self.columns.board(block.scene, block.text)
            return
        self._paragraph(block.text, self._behind(after), bold=block.kind == "moves")

    def _behind(self, after: Sequence[Block]) -> float:
        """The height of the comments and variations that come next, with the first line of the moves after them."""
        height = 0.0
        for block in takewhile(lambda one: one.scene is None, after):
            if block.kind == "moves":
                return height + _SIZE * STEP
            height += len(self.document.wrap(block.text, self.columns.width, _SIZE)) * _SIZE * STEP + _GAP
        return height

    def _paragraph(self, text: str, behind: float = 0, *, bold: bool = False, colour: str = INK) -> None:
        """A paragraph, whose last two lines stay with what is `behind` it, in millimetres."""
        lines = self.document.wrap(text, self.columns.width, _SIZE, bold=bold)
        apart = max(0, len(lines) - 2) if behind else 0
        self.columns.lines(lines[:apart], _SIZE, bold=bold, colour=colour)
        self.columns.keep((len(lines) - apart) * _SIZE * STEP + behind)
        self.columns.lines(lines[apart:], _SIZE, bold=bold, colour=colour)
        self.columns.y += _GAP
