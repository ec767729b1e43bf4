"""A scene as pixels, by Pillow: drawn at twice the size and reduced, because Pillow softens no edges."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from referee.draw.scenes.scene import BOLD, REGULAR, Circle, Label, Mark, Paint, Point, Polygon, Polyline, legible
from referee.extras import extra

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

_OVER = 2
"""Pixels drawn for one of the picture, across and down."""

_STRIP = 4_000_000
"""Pixels of the picture that are drawn at once, in 64 megabytes of memory."""

_AROUND = [(math.cos(turn * math.tau / 64), math.sin(turn * math.tau / 64)) for turn in range(65)]
"""Corners of a dashed circle, as directions from its centre."""


def pixels(
    marks: Iterable[tuple[Mark, Paint]], scale: float, size: tuple[int, int], ground: str, paper: int
) -> Image:
    """The marks as an image with `scale` pixels for a unit; `paper` is 0 for light and 1 for dark."""
    images, pens = extra("PIL.Image", "pictures"), extra("PIL.ImageDraw", "pictures")
    width, height = size
    image: Image = images.new("RGB", size)
    inks, rows = [*_inks(marks, paper)], max(1, _STRIP // width)
    for top in range(0, height, rows):
        strip = images.new("RGB", (width * _OVER, min(rows, height - top) * _OVER), ground)
        # Marks of one colour that follow each other do not show through each other.
        for (colour, opacity), drawn in groupby(inks, lambda ink: (ink.colour, ink.opacity)):
            sheet = strip if opacity == 1 else images.new("L", strip.size)
            pen = _Pen(pens.Draw(sheet), colour if opacity == 1 else round(255 * opacity), scale * _OVER, top * _OVER)
            for ink in drawn:
                pen.apply(ink)
            if sheet is not strip and (box := sheet.getbbox()):
                strip.paste(colour, box, sheet.crop(box))
        image.paste(strip.reduce(_OVER), (0, top))
    return image


class _Ink(NamedTuple):
    """A colour of a mark: that of its line, or of its area or text."""

    colour: str
    opacity: float
    mark: Mark
    paint: Paint
    line: bool


def _inks(marks: Iterable[tuple[Mark, Paint]], paper: int) -> Iterator[_Ink]:
    for mark, paint in marks:
        for line, colour in enumerate((paint.fill, paint.stroke)):
            if colour is not None and colour[paper] != "none":
                yield _Ink(colour[paper], 1.0 if paint.opacity is None else paint.opacity, mark, paint, bool(line))


class _Pen(NamedTuple):
    """A colour on a sheet of which a picture's upper part may be cut off."""

    draw: ImageDraw
    colour: str | int
    scale: float
    top: int

    def apply(self, ink: _Ink) -> None:
        """Draw the line of a mark, or its area or text."""
        if ink.line:
            self._stroke(ink.mark, ink.paint)
        else:
            self._fill(ink.mark, ink.paint)

    def _fill(self, mark: Mark, paint: Paint) -> None:
        match mark:
            case Label(at, text, size):
                font = _font(BOLD if paint.bold else REGULAR, max(1.0, round(size * self.scale, 1)))
                self.draw.text(self._at(at), legible(text), self.colour, font, "mm")
            case Circle(centre, radius):
                self.draw.circle(self._at(centre), radius * self.scale, self.colour)
            case Polygon(points) if _is_upright(points):
                self.draw.rectangle(self._box(points, 0), self.colour)
            case Polygon(points) | Polyline(points):
                self.draw.polygon([*map(self._at, points)], self.colour)

    def _stroke(self, mark: Mark, paint: Paint) -> None:
        width, dash = (paint.width or 0.0) * self.scale, paint.dash or ()
        match mark:
            case Circle((x, y), radius) if dash:
                self._line([(x + radius * right, y + radius * down) for right, down in _AROUND], width, dash)
            case Circle(centre, radius):
                outer = radius * self.scale + width / 2
                self.draw.circle(self._at(centre), outer, None, self.colour, max(1, round(width)))
            case Polygon(points) if _is_upright(points) and not dash:
                whole = max(1, round(width / _OVER)) * _OVER
                self.draw.rectangle(self._box(points, whole), None, self.colour, whole)
            case Polygon(points):
                self._line([*points, points[0]], width, dash)
            case Polyline(points):
                self._line(points, width if mark.width is None else mark.width * self.scale, dash)

    def _at(self, point: Point) -> Point:
        return point[0] * self.scale, point[1] * self.scale - self.top

    def _box(self, points: Iterable[Point], width: int) -> tuple[int, int, int, int]:
        """The box of an upright rectangle with its line; it ends between pixels of the picture, so it is sharp."""
        (left, *_, right), (top, *_, bottom) = map(sorted, zip(*map(self._at, points), strict=True))
        low, high = width // _OVER // 2 * _OVER, (width // _OVER + 1) // 2 * _OVER
        x, y, to_x, to_y = (round(value / _OVER) * _OVER for value in (left, top, right, bottom))
        return x - low, y - low, max(x, to_x + high - 1), max(y, to_y + high - 1)

    def _line(self, points: Sequence[Point], width: float, dash: tuple[float, ...]) -> None:
        """A line with round ends and corners; polygons of Pillow are a little wider than their corners are apart."""
        half = max(0.0, width - 0.5) / 2
        for part in _dashes([*map(self._at, points)], [one * self.scale for one in dash]):
            for (x, y), (to_x, to_y) in pairwise(part):
                if length := math.hypot(to_x - x, to_y - y):
                    right, down = (y - to_y) * half / length, (to_x - x) * half / length
                    ends = (x + right, y + down), (to_x + right, to_y + down)
                    self.draw.polygon((*ends, (to_x - right, to_y - down), (x - right, y - down)), self.colour)
            for corner in part if half >= 1 else ():
                self.draw.circle(corner, half, self.colour)


def _dashes(points: Sequence[Point], dash: Sequence[float]) -> Iterator[Sequence[Point]]:
    """The pieces of a line that are drawn; the dash gives lengths on and off in turns."""
    if not dash:
        yield points
        return
    number, left, part = 0, dash[0], [points[0]]
    for (x, y), (to_x, to_y) in pairwise(points):
        length, done = math.hypot(to_x - x, to_y - y), 0.0
        while length - done > left:
            done += left
            end = (x + (to_x - x) * done / length, y + (to_y - y) * done / length)
            if number % 2 == 0:
                yield [*part, end]
            number, part = number + 1, [end]
            left = dash[number % len(dash)]
        left -= length - done
        part.append((to_x, to_y))
    if number % 2 == 0:
        yield part


def _is_upright(points: Sequence[Point]) -> bool:
    """True for a rectangle whose sides are parallel to those of the picture."""
    across, down = zip(*points, strict=True)
    return len(points) == 4 and len({*across}) == len({*down}) == 2


@lru_cache(64)
def _font(file: Path, size: float) -> FreeTypeFont:
    font: FreeTypeFont = extra("PIL.ImageFont", "pictures").truetype(str(file), size)
    return font
