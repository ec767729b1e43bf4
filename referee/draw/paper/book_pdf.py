"""A book of games on paper: a title with the contents, the games in columns, and the indexes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.draw.paper.book import Section, book_title, indexes, sections
from referee.draw.paper.columns import CUT, SMALL, STEP, Columns
from referee.draw.paper.rounds import SIZE, RoundRows
from referee.draw.scenes.pdf import GREY, PdfDocument
from referee.game import GameFile, game_text, without_addresses

_TITLE, _HEAD, _GAP = 9.0, 4.2, 2.0
"""The sizes of the title and of headings, and the room between two entries, in millimetres."""

_MARGIN, _GUTTER, _NUMBER, _BEGIN = 18.0, 8.0, 12.0, 50.0
"""Room around a page, between columns, for the numbers of pages, and for the beginning of a game."""

_COLUMN = 85.0
"""The least width of a column with the gutter beside it."""


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
        number = int((self.document.width - 2 * _MARGIN + _GUTTER) / _COLUMN)
        self.columns = Columns(self.document, self.title, number=number, margin=_MARGIN, gutter=_GUTTER)

    def filled(self, pages: Mapping[int, int]) -> dict[int, int]:
        """Fill all pages, given the page of each game; return the pages that were found."""
        self._page(self.title, _TITLE, "H1")
        for section in self.book:
            about = "; ".join((section.game, *section.about))
            self._entry(f"{section.number}. {section.title}", about, str(pages.get(section.number, 0)))
        self.columns.page()
        found = {section.number: self._game(section) for section in self.book}
        self._page("Index", _TITLE, "H2")
        for index in indexes(self.book):
            self._head(index.title, 4 * SIZE * STEP)
            for name, numbers in index.entries:
                found_on = dict.fromkeys(str(pages.get(number, 0)) for number in numbers)
                text = f"{name[:CUT]}  {', '.join(found_on)}"
                self.columns.lines(self.document.wrap(text, self.columns.width, SIZE), SIZE)
                self.columns.y += _GAP / 2
            self.columns.y += 2 * _GAP
        return found

    def _page(self, head: str, size: float, kind: str) -> None:
        """Begin a page with a heading over all columns."""
        self.columns.page()
        self.document.bookmark(head)
        lines = self.document.wrap(head[:CUT], self.document.width - 2 * _MARGIN, size, bold=True)
        at = (_MARGIN, _MARGIN + size / 2)
        self.document.paragraph(lines, at, size, STEP, bold=True, kind=kind)
        self.columns.begin(_MARGIN + len(lines) * size * STEP + _GAP)

    def _entry(self, name: str, about: str, page: str) -> None:
        """A line of the contents, with its page at its end."""
        columns, document, width = self.columns, self.document, self.columns.width - _NUMBER
        lines, below = document.wrap(name[:CUT], width, SIZE), document.wrap(about[:CUT], width, SMALL)
        columns.keep((len(lines) + len(below)) * SIZE * STEP)
        left, top = columns.room(0)
        columns.lines(lines, SIZE)
        document.text(page, (left + columns.width, top + SIZE * STEP / 2), SIZE, align=1)
        columns.lines(below, SMALL, colour=GREY)
        columns.y += _GAP

    def _game(self, section: Section) -> int:
        """A game; returns the page on which it begins."""
        columns, document = self.columns, self.document
        self._head(f"{section.number}. {section.title}", _BEGIN + columns.width * len(section.start))
        page = document.pages
        about = "; ".join((section.game, *section.about, section.result))
        columns.lines(document.wrap(about, columns.width, SMALL), SMALL, colour=GREY)
        columns.y += _GAP
        rounds = RoundRows(columns, section.over)
        rounds.tell(section.start)
        for row in section.rows:
            rounds.add(row)
        rounds.tell([section.last])
        columns.y += 3 * _GAP
        return page

    def _head(self, text: str, after: float) -> None:
        """A heading with its bookmark, in one column with some millimetres after it."""
        lines = self.document.wrap(text[:CUT], self.columns.width, _HEAD, bold=True)
        self.columns.keep(len(lines) * _HEAD * STEP + after)
        self.document.bookmark(text, self.columns.y)
        self.columns.lines(lines, _HEAD, bold=True, kind="H2")
