"""A sheet of puzzles to print: six boards a page, and the solutions on the last one."""

from __future__ import annotations

from collections.abc import Sequence

from referee.draw import drawing
from referee.draw.scenes.pdf import GREY, Box, PdfDocument
from referee.game import GameFile, game_text
from referee.rules import movers

_MARGIN, _GUTTER, _COLUMNS, _ROWS = 15.0, 8.0, 2, 3
_SIZE, _CAPTION = 3.4, 7.0


def puzzle_sheet(puzzles: Sequence[GameFile], solutions: Sequence[str], *, paper: str = "a4") -> bytes:
    """Puzzles as a PDF document with their files, always the same bytes; each game's `event` is the question.

    Raises:
        RefereeError: `unknown-paper` or `missing-extra`.
    """
    document = PdfDocument(paper, "Puzzles")
    width = (document.width - 2 * _MARGIN - (_COLUMNS - 1) * _GUTTER) / _COLUMNS
    height = (document.height - 2 * _MARGIN - (_ROWS - 1) * _GUTTER) / _ROWS
    for number, puzzle in enumerate(puzzles):
        place = number % (_COLUMNS * _ROWS)
        if not place:
            document.page()
            document.bookmark(f"Puzzles from {number + 1}")
        document.attach(f"puzzle-{number + 1}.yaml", game_text(puzzle).encode(), f"puzzle {number + 1}")
        row, column = divmod(place, _COLUMNS)
        left, top = _MARGIN + column * (width + _GUTTER), _MARGIN + row * (height + _GUTTER)
        title = document.wrap(f"{number + 1}. {puzzle.event or ''}", width, _SIZE, bold=True)
        document.paragraph(title, (left, top + _SIZE), _SIZE, 1.4, bold=True, kind="H2")
        above = _CAPTION + 1.4 * _SIZE * (len(title) - 1)
        position = puzzle.start()
        scene = drawing(puzzle.game).scene(position, view=movers(position)[0])
        tall = min(height - above, width * scene.height / scene.width)  # the board is close to its caption
        document.draw(scene, Box(left, top + above, width, tall).fitting(scene))
    _solution_pages(document, [f"{number}. {text}" for number, text in enumerate(solutions, 1)])
    return document.as_bytes()


def _solution_pages(document: PdfDocument, lines: Sequence[str]) -> None:
    columns, step = 4, 1.6 * _SIZE
    rows = int((document.height - 2 * _MARGIN - 2 * step) / step)
    width = (document.width - 2 * _MARGIN) / columns
    for number, line in enumerate(lines):
        column, row = divmod(number % (columns * rows), rows)
        if not column and not row:
            document.page()
            document.bookmark("Solutions")
            document.text("Solutions", (_MARGIN, _MARGIN), _SIZE, bold=True, kind="H2")
        at = (_MARGIN + column * width, _MARGIN + 2 * step + row * step)
        document.text(line, at, _SIZE, colour=GREY)
