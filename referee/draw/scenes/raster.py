"""A scene as pixels: aggdraw draws shapes and text with soft edges, and Pillow the scripts whose letters join."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from referee.draw.scenes.scene import BOLD, REGULAR, Circle, Label, Mark, Paint, Point, Polygon, Polyline, legible
from referee.extras import extra

if TYPE_CHECKING:
    from PIL.Image import Image

_STRIP = 8_000_000
"""Pixels of the picture that are drawn at once, in 64 megabytes of memory."""

_SMALL = 1_000_000
"""Maximum pixels of a picture whose still marks are kept: three megabytes."""

_AROUND = [(math.cos(turn * math.tau / 64), math.sin(turn * math.tau / 64)) for turn in range(65)]
"""Corners of a dashed circle, as directions from its centre."""

_OPAQUE, _WIDE = 255, 2.0
"""The opacity of a mark that hides what is below it, and the width in pixels from which a line has visible ends."""

_EDGE = 0.25
"""Pixels by which aggdraw makes areas larger, so that no gap shows between two of them."""

_BLUNT = 0.25
"""Pixels that are cut off at each corner of a line."""

_JOINING = "\u0590"
"""From Hebrew on, Unicode has scripts whose letters join or run to the left."""

Painted = tuple[Mark, Paint]
"""A mark and its paint."""


def pixels(
    still: Sequence[Painted], others: Sequence[Painted], scale: float, size: tuple[int, int], ground: str, paper: int
) -> Image:
    """The marks as an image with `scale` pixels for a unit; `paper` is 0 for light and 1 for dark.

    A small picture of the `still` marks is kept: many others have them below their own.
    """
    images, pens = extra("PIL.Image", "pictures"), extra("aggdraw", "pictures")
    width, height = size
    if width * height <= _SMALL:
        draw = pens.Draw("RGB", size)
        draw.frombytes(_drawn_once(tuple(still), scale, size, ground, paper))
        strips = [_drawn(others, scale, 0, draw, paper)]
    else:
        rows = max(1, _STRIP // width)
        strips = [
            _drawn([*still, *others], scale, top, pens.Draw("RGB", (width, min(rows, height - top)), ground), paper)
            for top in range(0, height, rows)
        ]
    image: Image = images.frombytes("RGB", size, b"".join(strips))
    return image


@lru_cache(16)
def _drawn_once(marks: Iterable[Painted], scale: float, size: tuple[int, int], ground: str, paper: int) -> bytes:
    return _drawn(marks, scale, 0, extra("aggdraw", "pictures").Draw("RGB", size, ground), paper)


def _drawn(
    marks: Iterable[Painted],
    scale: float,
    top: int,
    draw: Any,  # noqa: ANN401 - of a library without types
    paper: int,
) -> bytes:
    """The pixels of a strip of the picture that begins at this height, with marks on it, three bytes each."""
    images, pens = extra("PIL.Image", "pictures"), extra("aggdraw", "pictures")
    for mark, paint in marks:
        opacity = _OPAQUE if paint.opacity is None else round(_OPAQUE * paint.opacity)
        for is_line, colour in enumerate((paint.fill, paint.stroke)):
            if colour is None or colour[paper] == "none":
                continue
            pen = _Pen(pens, draw, mark, paint, colour[paper], opacity, scale, top)
            if isinstance(mark, Label) and max(mark.text, default="") >= _JOINING:
                strip = images.frombytes("RGB", draw.size, draw.tobytes())
                pen.write(mark, strip)
                draw = pens.Draw(strip)
            elif is_line:
                pen.stroke()
            else:
                pen.fill()
    pixels: bytes = draw.tobytes()
    return pixels


class _Pen(NamedTuple):
    """A colour of a mark on a picture whose upper part may be cut off; `pens` is the library that draws."""

    pens: Any
    draw: Any
    mark: Mark
    paint: Paint
    colour: str
    opacity: int
    scale: float
    top: int

    def write(self, label: Label, image: Image) -> None:
        """Draw a text as Pillow shapes it."""
        file = BOLD if self.paint.bold else REGULAR
        font = extra("PIL.ImageFont", "pictures").truetype(str(file), max(1.0, label.size * self.scale))
        pen = extra("PIL.ImageDraw", "pictures").Draw(image)
        pen.text(self._at(label.at), legible(label.text), self.colour, font, "mm")

    def fill(self) -> None:
        """Draw the area of the mark, or its text."""
        brush = self.pens.Brush(self.colour, self.opacity)
        match self.mark:
            case Label(at, text, size):
                file = str(BOLD if self.paint.bold else REGULAR)
                font = _font(file, max(1.0, round(size * self.scale, 1)), self.colour, self.opacity)
                (x, y), (width, height) = self._at(at), _text_size(legible(text), font)
                self.draw.text((x - width / 2, y - height / 2), legible(text), font)
            case Circle(centre, radius):
                self.draw.ellipse(_box(*self._at(centre), radius * self.scale), None, brush)
            case Polygon(points) | Polyline(points):
                self.draw.polygon(self._corners(points, 0), None, brush)

    def stroke(self) -> None:
        """Draw the line of the mark."""
        mark, paint = self.mark, self.paint
        width, dash = (paint.width or 0.0) * self.scale, paint.dash or ()
        match mark:
            case Circle((x, y), radius) if dash:
                self._line([(x + radius * right, y + radius * down) for right, down in _AROUND], width, dash)
            case Circle(centre, radius):
                self.draw.ellipse(_box(*self._at(centre), radius * self.scale), self._pen(width), None)
            case Polygon(points) if dash:
                self._line([*points, points[0]], width, dash)
            case Polygon(points):
                width = max(1, round(width)) if _is_upright(points) else width
                self.draw.polygon(self._corners(points, width), self._pen(width), None)
            case Polyline(points):
                self._line(points, width if mark.width is None else mark.width * self.scale, dash)

    def _pen(self, width: float) -> Any:  # noqa: ANN401 - of a library without types
        return self.pens.Pen(self.colour, width, self.opacity)

    def _at(self, point: Point) -> Point:
        return point[0] * self.scale, point[1] * self.scale - self.top

    def _corners(self, points: Sequence[Point], width: float) -> list[float]:
        """The corners of a polygon; an upright rectangle begins and ends between pixels, so it is sharp."""
        flat = [part for point in points for part in self._at(point)]
        return [math.floor(part + 0.5) + width % 2 / 2 for part in flat] if _is_upright(points) else flat

    def _line(self, points: Sequence[Point], width: float, dash: tuple[float, ...]) -> None:
        """A line; where it is wide and opaque, its ends and corners are round."""
        pen, brush = self._pen(width), self.pens.Brush(self.colour)
        is_round, radius = width >= _WIDE and self.opacity == _OPAQUE, width / 2 - _EDGE
        for part in _dashes([*map(self._at, points)], [one * self.scale for one in dash]):
            self.draw.line([value for point in (_blunted(part) if part[2:] else part) for value in point], pen)
            for x, y in part if is_round else ():
                self.draw.ellipse(_box(x, y, radius), None, brush)


def _box(x: float, y: float, radius: float) -> tuple[float, float, float, float]:
    return x - radius, y - radius, x + radius, y + radius


def _dashes(points: Sequence[Point], dash: Sequence[float]) -> Iterator[Sequence[Point]]:
    """The pieces of a line that are drawn; the dash gives lengths on and off in turns."""
    if sum(dash) <= 0:
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


def _blunted(points: Sequence[Point]) -> Iterator[Point]:
    """The points of a line whose corners are cut off a little: aggdraw draws a spike where a line turns sharply."""
    yield from points[:1]
    for before, (x, y), after in zip(points, points[1:], points[2:], strict=False):
        for to_x, to_y in (before, after):
            share = min(0.5, _BLUNT / (math.hypot(to_x - x, to_y - y) or 1.0))
            yield x + (to_x - x) * share, y + (to_y - y) * share
    yield from points[1:][-1:]


def _is_upright(points: Sequence[Point]) -> bool:
    """True for a rectangle whose sides are parallel to those of the picture."""
    across, down = zip(*points, strict=True)
    return len(points) == 4 and len({*across}) == len({*down}) == 2


@lru_cache(64)
def _font(file: str, size: float, colour: str, opacity: int) -> Any:  # noqa: ANN401 - of a library without types
    return extra("aggdraw", "pictures").Font(colour, file, size, opacity)


@lru_cache(1024)
def _text_size(text: str, font: Any) -> tuple[float, float]:  # noqa: ANN401 - of a library without types
    width, height = extra("aggdraw", "pictures").Draw("L", (1, 1)).textsize(text, font)
    return width, height
