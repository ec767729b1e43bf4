"""Scenes and text on paper: a PDF document, measured in millimetres.

Places on a page count from its upper left corner, downwards; the size of a text is the height of its line. Documents
are tagged: each text is a paragraph, each scene a figure with its words, and everything else decoration.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, TypedDict, Unpack

from referee.draw.scenes.scene import (
    BOLD,
    FAMILY,
    REGULAR,
    Circle,
    Label,
    Mark,
    Paint,
    Paints,
    Point,
    Polygon,
    Polyline,
    Scene,
    Shape,
    legible,
)
from referee.errors import RefereeError
from referee.extras import extra
from referee.terminal import join_words

_PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4), "a3": (297.0, 420.0)}
"""Width and height of each paper, upright."""

INK, GREY = "#1b1b1b", "#5f6368"

_POINT = 25.4 / 72
_WHITE = 0.82
"""Lighter colours than this are white in black and white."""

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

    def fitting(self, scene: Scene | Box) -> Placement:
        """The placement of a scene, or of a part of one, in the middle of this box, as large as possible."""
        scale = min(self.width / scene.width, self.height / scene.height)
        left = self.left + (self.width - scale * scene.width) / 2
        return Placement((left, self.top + (self.height - scale * scene.height) / 2), scale)


class TextLook(TypedDict, total=False):
    """The look of a text, as in `PdfDocument.text`."""

    bold: bool
    align: float
    colour: str


class PdfDocument:
    """A PDF document of one paper size, page after page, in colour or in `black` and white.

    One that is not `drawn` has text alone: enough to find out on which page something is.
    """

    def __init__(self, paper: str, title: str, *, black: bool = False, drawn: bool = True) -> None:
        """An empty document; RefereeError `unknown-paper` or `missing-extra`."""
        if paper not in _PAPERS:
            names = join_words(_PAPERS, "or")
            raise RefereeError("unknown-paper", f"there is no paper {paper!r} to print on: {names}")
        extra("uharfbuzz", "pictures")
        self._upright, self._black, self._drawn = _PAPERS[paper], black, drawn
        self.width, self.height = self._upright
        self.pages = 0
        self._marks, self._inside = 0, False
        self._drawing = extra("fpdf.drawing", "pictures")
        self._pdf = pdf = extra("fpdf", "pictures").FPDF(unit="mm", format=self._upright)
        pdf.set_auto_page_break(False)
        pdf.set_margin(0)
        pdf.c_margin = 0
        pdf.set_creation_date(_CREATED)
        pdf.set_title(legible(title))
        pdf.set_lang("en")
        pdf.set_creator("referee")
        pdf.add_font(FAMILY, "", REGULAR)
        pdf.add_font(FAMILY, "B", BOLD)

    def page_size(self, *, lying: bool) -> Point:
        """Width and height of a page, its paper upright or lying."""
        width, height = self._upright
        return (height, width) if lying else (width, height)

    def page(self, *, lying: bool = False) -> None:
        """Begin a page, its paper upright or lying."""
        self.width, self.height = self.page_size(lying=lying)
        self._pdf.add_page(format=(self.width, self.height))
        self.pages += 1
        self._marks = 0

    def bookmark(self, name: str, y: float = 0) -> None:
        """An entry in the outline that leads to a height on this page."""
        self._pdf.y = y
        self._pdf.start_section(legible(name))

    def attach(self, name: str, content: bytes, says: str) -> None:
        """Put a file into the document."""
        self._pdf.embed_file(
            bytes=content, basename=name, desc=says, mime_type="text/plain", modification_date=_CREATED, compress=True
        )

    @contextmanager
    def block(self, kind: str, alt: str = "") -> Iterator[None]:
        """Everything drawn inside as one element of a kind, such as "P"; without a kind it is decoration.

        The library tags only images, and its tree has one level: rows and cells of tables cannot be told apart.
        """
        if self._inside:
            yield
            return
        pdf = self._pdf
        if kind:
            _, parents = pdf.struct_builder.add_marked_content(
                page_number=pdf.page, struct_type=f"/{kind}", mcid=self._marks, alt_text=alt or None
            )
            pdf.pages[pdf.page].struct_parents = parents
            pdf._out(f"/{kind} <</MCID {self._marks}>> BDC")
            self._marks += 1
        else:
            pdf._out("/Artifact BMC")
        self._inside = True
        yield
        self._inside = False
        pdf._out("EMC")

    def as_bytes(self) -> bytes:
        """The document as a file."""
        return bytes(self._pdf.output())

    def close(self) -> None:
        """Let go of the fonts of a document that is not written."""
        for font in self._pdf.fonts.values():
            font.close()

    def draw(self, scene: Scene, placing: Placement, *, within: Box | None = None, alt: str | None = None) -> None:
        """Draw a scene in its colours for light paper, clipped to `within`; its title says what it is, or `alt`."""
        if not self._drawn:
            return
        box = within and (within.left, within.top, within.width, within.height)
        said = scene.title if alt is None else alt
        with self.block("Figure" if said else "", legible(said)), self._pdf.rect_clip(*box) if box else nullcontext():
            for (paint, lettered, width), run in groupby(scene.marks(), _painting):
                marks = [mark for mark, _ in run]
                if lettered:
                    self._label(marks, paint, placing, within)
                else:
                    self._path(marks, paint, width, placing)

    def draw_part(self, scene: Scene, part: Box, box: Box) -> None:
        """Draw a part of a scene, in its units, as large as possible in the middle of a box."""
        fitted = box.fitting(part)
        (left, top), scale = fitted.origin, fitted.scale
        placing = Placement((left - scale * part.left, top - scale * part.top), scale)
        self.draw(scene, placing, within=Box(left, top, scale * part.width, scale * part.height))

    def text(
        self,
        text: str,
        at: Point,
        size: float,
        *,
        bold: bool = False,
        align: float = 0,
        colour: str = INK,
        kind: str = "P",
    ) -> None:
        """One line of text with its middle at a height; `align` is its share to the left of the point."""
        shown, width = legible(text), self.width_of(text, size, bold=bold)
        self._pdf.set_text_color(self._colour((colour, colour)))
        # The library sets a cell's baseline at half the cell's height and 0.3 of the font's size.
        self._pdf.x, self._pdf.y = at[0] - align * width, at[1] + (_BASELINE - 0.3) * size
        with self.block(kind):
            self._pdf.cell(width, 0, shown)

    def paragraph(
        self, lines: Sequence[str], at: Point, size: float, step: float, *, kind: str = "P", **look: Unpack[TextLook]
    ) -> None:
        """Lines as one paragraph, from the middle of the first line on; `step` is their distance, in sizes."""
        with self.block(kind):
            for place, line in enumerate(lines):
                self.text(line, (at[0], at[1] + place * step * size), size, **look)

    def line(self, start: Point, end: Point) -> None:
        """A thin line to write on."""
        self.shapes({"rule": Paint(stroke=(GREY, GREY), width=0.2)}, Polyline((start, end), ("rule",)))

    def shapes(self, paints: Paints, *shapes: Shape) -> None:
        """Shapes in millimetres, as decoration."""
        self.draw(Scene(1, 1, "", "", shapes, paints), Placement((0, 0), 1))

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
        if (colour := self._colour(paint.fill)) is None:
            return
        with self._pdf.local_context(fill_opacity=paint.opacity):
            for label in labels:
                at, size = placing.at(label.at), label.size * placing.scale
                if within is None or within.shows(at):
                    self.text(label.text, at, size, bold=bool(paint.bold), align=0.5, colour=colour)

    def _colour(self, colour: tuple[str, str] | None) -> str | None:
        """A colour on light paper; in black and white a grey, and white for light ones, to save ink."""
        if colour is None or colour[0] == "none":
            return None
        if not self._black:
            return colour[0]
        red, green, blue = (int(colour[0][at : at + 2], 16) / 255 for at in (1, 3, 5))
        light = 0.299 * red + 0.587 * green + 0.114 * blue
        return "#" + 3 * f"{255 if light > _WHITE else round(255 * light):02x}"

    def _path(self, marks: Iterable[Mark], paint: Paint, width: float | None, placing: Placement) -> None:
        width = paint.width if width is None else width
        path = self._drawing.PaintedPath()
        path.style.auto_close = False
        for mark in marks:
            _trace(path, mark, placing)
        style = path.style
        style.fill_color, style.stroke_color = self._colour(paint.fill), self._colour(paint.stroke)
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
