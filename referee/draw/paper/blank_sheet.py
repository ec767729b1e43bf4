"""An empty score sheet, to write on while a game is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.draw.scenes.pdf import GREY, PdfDocument
from referee.notation.lesson import lesson_of
from referee.rules import Game

_MARGIN, _GUTTER, _COLUMN = 15.0, 8.0, 90.0
_SIZE, _SMALL, _ROW, _NUMBER = 3.0, 2.5, 7.2, 8.0


def blank_sheet(document: PdfDocument, game: Game, options: Mapping[str, Any]) -> None:
    """One page: who, where and when, the rounds in columns, the result, signatures, and how moves are written."""
    document.page()
    document.bookmark("score sheet")
    document.text(f"{game.title}: score sheet", (_MARGIN, _MARGIN), 5, bold=True, kind="H1")
    y, told = _MARGIN + 10, lesson_of(game, options)
    names = (("event", "date", "id"), game.sides[:2], game.sides[2:], (plain_options(options) or "options",))
    for row in (*names, sorted(game.chance)):
        y = _fields(document, y, row)
    forms = [f"{form.write}: {form.says}" for form in told.forms] or ["; ".join(told.words)]
    legend = [line for text in forms for line in document.wrap(text, document.width - 2 * _MARGIN, _SMALL)]
    foot = document.height - _MARGIN - len(legend) * 1.35 * _SMALL
    _rounds(document, game, y, foot - 2 * _ROW - 4)
    _fields(document, foot - _ROW - 3, ("result", *(f"signature {side}" for side in game.sides)))
    document.paragraph(legend, (_MARGIN, foot), _SMALL, 1.35, colour=GREY)


def plain_options(options: Mapping[str, Any]) -> str:
    """The options that are a word or a number, on one line; an option of another shape may be secret."""
    shown = ", ".join(f"{name} {value}" for name, value in options.items() if isinstance(value, str | int))
    return f"options {shown}" if shown else ""


def _fields(document: PdfDocument, y: float, names: Sequence[str]) -> float:
    """A line of fields to fill in; returns the height of the next one."""
    width = (document.width - 2 * _MARGIN + 4) / max(1, len(names))
    for place, name in enumerate(names):
        left = _MARGIN + place * width
        document.text(name, (left, y), _SMALL, colour=GREY)
        start = left + document.width_of(name, _SMALL) + 2
        document.line((start, y + 1.6), (left + width - 4, y + 1.6))
    return y + (_ROW + 0.6) * bool(names)


def _rounds(document: PdfDocument, game: Game, top: float, bottom: float) -> None:
    """Numbered rows under the names of the sides, or with room for the player's name if those change."""
    each = game.moves_per_round
    heads = [*game.sides] if len(game.sides) == each else ["player, move"] * each
    rows = int((bottom - top - _ROW) / _ROW)
    columns = int(document.width / _COLUMN)
    width = (document.width - 2 * _MARGIN - (columns - 1) * _GUTTER) / columns
    share = (width - _NUMBER) / each
    for column in range(columns):
        left = _MARGIN + column * (width + _GUTTER)
        with document.block("P"):
            document.text("no.", (left + 6, top), _SMALL, align=1, colour=GREY)
            for place, head in enumerate(heads):
                document.text(head, (left + _NUMBER + 1 + place * share, top), _SIZE, bold=True, colour=GREY)
        for row in range(rows + 1):
            y = top + _ROW * (row + 0.5)
            document.line((left, y), (left + width, y))
            if row < rows:
                number = column * rows + row + 1
                document.text(f"{number}.", (left + 6, y + _ROW / 2), _SMALL, align=1, colour=GREY)
        for place in range(each):
            x = left + _NUMBER + place * share
            document.line((x, top + _ROW / 2), (x, top + _ROW * (rows + 0.5)))
