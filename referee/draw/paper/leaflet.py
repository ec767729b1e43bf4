"""The rules of a game on a lying sheet to fold: the notation and a title outside, the rules inside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import ceil
from typing import Any

from referee.draw import scene_of
from referee.draw.kit import CUT_PAINTS, whole
from referee.draw.lessons import cover_ply, shown_steps
from referee.draw.paper.columns import SMALL, STEP, Columns
from referee.draw.scenes.pdf import GREY, Box, PdfDocument
from referee.draw.scenes.scene import Polyline
from referee.draw.scenes.thumbnail import cropped
from referee.notation.lesson import Lesson, lesson_of
from referee.rules import Game

_MARGIN, _GAP, _ACROSS = 14.0, 4.0, 3
"""Room around a half of the sheet and between pictures, in millimetres, and the pictures beside each other."""

_LARGEST, _SHORT, _TITLE = 0.028, 3.8, 9.0
"""The largest size of the rules in widths of a half; the sizes of the game in a sentence, and of its title."""

_SPARE, _BACK = 8.4, 0.7
"""Sizes of text that may stay empty, as short paragraphs are not divided; share of the back for the notation."""


def leaflet(document: PdfDocument, game: Game, options: Mapping[str, Any]) -> None:
    """Two pages, or the outer one alone for a game without rules in words."""
    told = lesson_of(game, options)
    forms = {"How moves are written": [f"{form.write}: {form.says}" for form in told.forms] or told.words}
    size = _LARGEST * _begin(document)
    document.bookmark("rules")
    columns = Columns(document, "", number=2, margin=_MARGIN, gutter=2 * _MARGIN)
    high = columns.bottom - _MARGIN
    back = _BACK * high if told.steps else high
    while _height(columns, forms, size) > back or _height(columns, told.parts, size) > 2 * high - _SPARE * size:
        size *= 0.97
    _write(columns, forms, size)
    _steps(columns, game, told, columns.y + STEP * size)
    _cover(columns, game, told)
    if told.parts:
        _begin(document)
        even = _MARGIN + (_height(columns, told.parts, size) + _SPARE * size) / 2
        columns.bottom = min(columns.bottom, even)
        columns.begin(_MARGIN)
        _write(columns, told.parts, size)


def _begin(document: PdfDocument) -> float:
    """Begin a page with marks to fold it in the middle, which is returned."""
    document.page(lying=True)
    half, low = document.width / 2, document.height
    document.shapes(CUT_PAINTS, *(Polyline(((half, y), (half, y + 4)), ("fold",)) for y in (4.5, low - 8.5)))
    return half


def _height(columns: Columns, parts: Mapping[str, Iterable[str]], size: float) -> float:
    texts = [text for heading in parts for text in (heading, *parts[heading])]
    lines = sum(len(columns.document.wrap(text, columns.width, size)) + 0.5 for text in texts)
    return lines * STEP * size


def _write(columns: Columns, parts: Mapping[str, Iterable[str]], size: float) -> None:
    """Headings and paragraphs, with half a line after each; a heading stays with what follows."""
    for heading, texts in parts.items():
        columns.keep(4 * STEP * size)
        columns.lines([heading], size, bold=True, kind="H2")
        columns.y += 0.25 * STEP * size
        for text in texts:
            columns.lines(columns.document.wrap(text, columns.width, size), size)
            columns.y += 0.5 * STEP * size


def _steps(columns: Columns, game: Game, told: Lesson, top: float) -> None:
    """The pictures of the first lesson below the notation, each with its thought."""
    document, width = columns.document, (columns.width - (_ACROSS - 1) * _GAP) / _ACROSS
    room = (columns.bottom - top) / max(1, ceil(len(told.steps) / _ACROSS)) - 4 * SMALL
    shown = [cropped(scene_of(ply, game.sides[0])) for _, ply in shown_steps(game)] if told.steps else []
    height = min(room, max((width * part[3] / part[2] for _, part in shown), default=0))
    for number, ((scene, part), step) in enumerate(zip(shown, told.steps, strict=True)):
        row, column = divmod(number, _ACROSS)
        left, y = _MARGIN + column * (width + _GAP), top + row * (height + 4 * SMALL)
        document.draw_part(scene, Box(*part), Box(left, y, width, height))
        lines, at = document.wrap(step.title, width, SMALL), (left + width / 2, y + height + 1.3 * SMALL)
        document.paragraph(lines, at, SMALL, 1.3, align=0.5)


def _cover(columns: Columns, game: Game, told: Lesson) -> None:
    """The title, a picture, the game in a sentence, and its author."""
    document, width = columns.document, columns.width
    left, middle = document.width / 2 + _MARGIN, 0.75 * document.width
    title, said = document.wrap(game.title, width, _TITLE, bold=True), document.wrap(told.short, width - 20, _SHORT)
    document.paragraph(title, (middle, 2 * _MARGIN), _TITLE, 1.3, bold=True, align=0.5, kind="H1")
    top, scene = 2 * _MARGIN + 1.3 * len(title) * _TITLE, scene_of(cover_ply(game), game.sides[0])
    low = columns.bottom - 2 * _MARGIN - 1.5 * len(said) * _SHORT
    document.draw_part(scene, whole(scene), Box(left + 5, top, width - 10, low - top))
    document.paragraph(said, (middle, low + 2 * _SHORT), _SHORT, 1.5, align=0.5)
    document.text(told.credit, (middle, columns.bottom), SMALL, align=0.5, colour=GREY)
