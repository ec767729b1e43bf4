"""A book of games on paper: two columns, a board where a section has one, and the indexes with page numbers."""

from __future__ import annotations

from collections.abc import Iterable

from referee.draw.paper.book import Block, Section, indexes, sections
from referee.draw.scenes.pdf import GREY, INK, Box, PdfDocument
from referee.game import GameFile

_MARGIN, _GUTTER = 18.0, 8.0
_SIZE, _LINE = 3.2, 4.6
"""The size of text and the distance between lines, in millimetres."""

_CUT, _TOGETHER = 2000, 4
"""Maximum characters of a caption, and the lines of a paragraph that stay together."""


def book_pdf(games: Iterable[GameFile], *, paper: str = "a4") -> bytes:
    """The games as a PDF book; the same games always give the same bytes.

    Raises:
        FileError: a move of a game is refused.
        RefereeError: `unknown-paper` or `missing-extra`.
    """
    return _Book(sections(games), paper).as_bytes()


class _Book:
    """The pages of a book while they are filled, column by column."""

    def __init__(self, book: list[Section], paper: str) -> None:
        self.book = book
        self.document = PdfDocument(paper, f"{len(book)} games")
        self.width = (self.document.width - 2 * _MARGIN - _GUTTER) / 2
        self.bottom = self.document.height - _MARGIN - 6
        self.right, self.y = False, 0.0

    def as_bytes(self) -> bytes:
        """The whole book."""
        pages: dict[int, int] = {}
        for section in self.book:
            self._page(section.title)
            self.document.bookmark(section.title)
            pages[section.number] = self.document.pages
            self._paragraph(f"{section.number}. {section.title}", 4.6, bold=True)
            self._paragraph("; ".join((section.game, *section.about)), colour=GREY)
            for block in section.blocks:
                self._block(block)
        for index in indexes(self.book):
            if index.entries:
                self._page(index.title)
                self.document.bookmark(index.title)
                self._paragraph(index.title, 4.6, bold=True)
            for name, numbers in index.entries:
                self._paragraph(f"{name}  {', '.join(str(pages[number]) for number in numbers)}", gap=0.5)
        return self.document.as_bytes()

    def _page(self, head: str) -> None:
        self.head, self.right = head, False
        document = self.document
        document.page()
        (first, *_) = document.wrap(head[:_CUT], document.width - 2 * _MARGIN - 20, 2.6) or [""]
        document.text(first, (_MARGIN, document.height - _MARGIN), 2.6, colour=GREY)
        edge = document.width - _MARGIN, document.height - _MARGIN
        document.text(f"{document.pages}", edge, 2.6, align=1, colour=GREY)
        self.y = _MARGIN

    def _block(self, block: Block) -> None:
        if block.scene is None:
            self._paragraph(block.text, bold=block.kind == "moves")
            return
        height = min(self.width * block.scene.height / block.scene.width, self.bottom - _MARGIN - _LINE - 4)
        left, top = self._room(height + _LINE + 4)
        self.document.draw(block.scene, Box(left, top + 1, self.width, height).fitting(block.scene))
        (first, *_) = self.document.wrap(block.text[:_CUT], self.width, 2.6) or [""]
        self.document.text(first, (left + self.width / 2, top + height + 4), 2.6, align=0.5, colour=GREY)

    def _paragraph(
        self, text: str, size: float = _SIZE, *, bold: bool = False, colour: str = INK, gap: float = 1.6
    ) -> None:
        step = size * _LINE / _SIZE
        lines = self.document.wrap(text, self.width, size, bold=bold)
        for start in range(0, len(lines), _TOGETHER):
            some = lines[start : start + _TOGETHER]
            left, top = self._room(len(some) * step)
            for place, line in enumerate(some):
                self.document.text(line, (left, top + (place + 0.5) * step), size, bold=bold, colour=colour)
        self.y += gap

    def _room(self, height: float) -> tuple[float, float]:
        """The upper left corner of the next free millimetres, in this column or in the next one."""
        if self.y + height > self.bottom:
            if self.right:
                self._page(self.head)
            else:
                self.right, self.y = True, _MARGIN
        self.y += height
        return _MARGIN + self.right * (self.width + _GUTTER), self.y - height
