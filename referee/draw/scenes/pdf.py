"""Scenes and text on paper: a PDF document, measured in millimetres.

Places on a page count from its upper left corner, downwards; the size of a text is the height of its line.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, assert_never

from referee.draw.scenes.scene import (
    BOLD,
    FAMILY,
    REGULAR,
    Circle,
    Label,
    Mark,
    Paint,
    Point,
    Polygon,
    Polyline,
    Scene,
    legible,
)
from referee.errors import RefereeError
from referee.extras import extra

_PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height of each paper, upright."""

INK, GREY = "#1b1b1b", "#5f6368"

_POINT = 25.4 / 72
_CREATED = datetime(2000, 1, 1, tzinfo=UTC)
"""The date in every document: the same game gives the same bytes."""

_FIRST_SHAPED = "\u0300"
"""Latin letters, all before this character, need no shaping."""

_BASELINE = 0.36
"""Height of a text's middle above its baseline, as a share of its size."""


@dataclass(frozen=True, slots=True)
class Placement:
    """The place of a scene on a page: its origin, and the millimetres of a unit.

    A `turned` scene is upside down, as the player across the table sees it; its labels stay upright.
    """

    origin: Point
    scale: float
    turned: bool = False

    def at(self, point: Point) -> Point:
        """A point of the scene as a place on the page."""
        step = -self.scale if self.turned else self.scale
        return self.origin[0] + step * point[0], self.origin[1] + step * point[1]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on a page."""

    left: float
    top: float
    width: float
    height: float

    def shows(self, point: Point) -> bool:
        """True if a point lies within this box, or on its edge."""
        x, y = point[0] - self.left, point[1] - self.top
        return -0.01 <= x <= self.width + 0.01 and -0.01 <= y <= self.height + 0.01

    def fitting(self, scene: Scene) -> Placement:
        """The placement of a scene in the middle of this box, as large as possible."""
        scale = min(self.width / scene.width, self.height / scene.height)
        left = self.left + (self.width - scale * scene.width) / 2
        return Placement((left, self.top + (self.height - scale * scene.height) / 2), scale)


class PdfDocument:
    """A PDF document of one paper size, page after page."""

    def __init__(self, paper: str, title: str, *, lying: bool = False) -> None:
        """An empty document, its paper upright or lying; RefereeError `unknown-paper` or `missing-extra`."""
        if paper not in _PAPERS:
            raise RefereeError("unknown-paper", f"there is no paper {paper!r} to print on: {' or '.join(_PAPERS)}")
        extra("uharfbuzz", "pictures")
        self.width, self.height = reversed(_PAPERS[paper]) if lying else _PAPERS[paper]
        self.pages = 0
        self._drawing = extra("fpdf.drawing", "pictures")
        self._pdf = pdf = extra("fpdf", "pictures").FPDF(unit="mm", format=(self.width, self.height))
        pdf.set_auto_page_break(False)
        pdf.set_margin(0)
        pdf.c_margin = 0
        pdf.set_creation_date(_CREATED)
        pdf.set_title(legible(title))
        pdf.set_creator("referee")
        pdf.add_font(FAMILY, "", REGULAR)
        pdf.add_font(FAMILY, "B", BOLD)

    def page(self) -> None:
        """Begin a page."""
        self._pdf.add_page()
        self.pages += 1

    def as_bytes(self) -> bytes:
        """The document as a file."""
        return bytes(self._pdf.output())

    def draw(self, scene: Scene, placing: Placement, *, within: Box | None = None) -> None:
        """Draw a scene in its colours for light paper, clipped to `within`."""
        pdf = self._pdf
        box = within and (within.left, within.top, within.width, within.height)
        with pdf.rect_clip(*box) if box else nullcontext():
            for (paint, lettered, width), run in groupby(scene.marks(), _painting):
                marks = [mark for mark, _ in run]
                if lettered:
                    self._label(marks, paint, placing, within)
                else:
                    self._path(marks, paint, width, placing)

    def text(
        self, text: str, at: Point, size: float, *, bold: bool = False, align: float = 0, colour: str = INK
    ) -> None:
        """One line of text with its middle at a height; `align` is its share to the left of the point."""
        shown, width = legible(text), self.width_of(text, size, bold=bold)
        self._pdf.set_text_color(colour)
        # The library sets a cell's baseline at half the cell's height and 0.3 of the font's size.
        self._pdf.x, self._pdf.y = at[0] - align * width, at[1] + (_BASELINE - 0.3) * size
        self._pdf.cell(width, 0, shown)

    def width_of(self, text: str, size: float, *, bold: bool = False) -> float:
        """The length of a line of text."""
        self._font(text, size, bold)
        return float(self._pdf.get_string_width(legible(text)))

    def wrap(self, text: str, width: float, size: float, *, bold: bool = False) -> list[str]:
        """The lines of a text in a column; a word that is too long is broken."""
        self._font(text, size, bold)
        lines: list[str] = self._pdf.multi_cell(width, size, legible(text), dry_run=True, output="LINES")
        return lines

    def _font(self, text: str, size: float, bold: bool) -> None:
        """Set the font for a text; letters that join, or run from right to left, need shaping."""
        self._pdf.set_text_shaping(any(char >= _FIRST_SHAPED for char in text))
        self._pdf.set_font(FAMILY, "B" if bold else "", size / _POINT)

    def _label(self, labels: Iterable[Any], paint: Paint, placing: Placement, within: Box | None) -> None:
        """Text of a scene; as in other pictures, text without a fill does not show."""
        if (colour := _colour(paint.fill)) is None:
            return
        with self._pdf.local_context(fill_opacity=paint.opacity):
            for label in labels:
                at, size = placing.at(label.at), label.size * placing.scale
                if within is None or within.shows(at):
                    self.text(label.text, at, size, bold=bool(paint.bold), align=0.5, colour=colour)

    def _path(self, marks: Iterable[Mark], paint: Paint, width: float | None, placing: Placement) -> None:
        width = paint.width if width is None else width
        path = self._drawing.PaintedPath()
        path.style.auto_close = False
        for mark in marks:
            _trace(path, mark, placing)
        style = path.style
        style.fill_color, style.stroke_color = _colour(paint.fill), _colour(paint.stroke)
        style.stroke_width = (width or 0) * placing.scale
        style.stroke_dash_pattern = [step * placing.scale for step in paint.dash or ()] or None
        style.stroke_cap_style = style.stroke_join_style = "round"
        if paint.opacity != 1:
            style.fill_opacity = style.stroke_opacity = paint.opacity
        with self._pdf.drawing_context() as context:
            context.add_item(path, clone=False)


def _painting(painted: tuple[Mark, Paint]) -> tuple[Paint, bool, float | None]:
    """The properties that neighbouring shapes must share to be painted as one path."""
    mark, paint = painted
    return paint, isinstance(mark, Label), mark.width if isinstance(mark, Polyline) else None


def _trace(path: Any, mark: Mark, placing: Placement) -> None:  # noqa: ANN401 - a path of the library
    match mark:
        case Polygon() | Polyline():
            first, *others = map(placing.at, mark.points)
            path.move_to(*first)
            for point in others:
                path.line_to(*point)
            if isinstance(mark, Polygon):
                path.close()
        case Circle():
            path.circle(*placing.at(mark.centre), mark.radius * placing.scale)
        case Label():
            raise TypeError("text has no outline here")
        case _:
            assert_never(mark)


def _colour(colour: tuple[str, str] | None) -> str | None:
    return None if colour is None or colour[0] == "none" else colour[0]
