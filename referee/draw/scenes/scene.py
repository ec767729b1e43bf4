"""A neutral scene: shapes with classes, the paint of each class, and the font. Renderers know no game.

Coordinates are in units of about a pixel, x to the right and y down, from the scene's upper left corner.
The font comes with the package: DejaVu Sans, with Latin, Greek, Cyrillic, Arabic, Hebrew, Armenian, Georgian and
many symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, lru_cache
from pathlib import Path
from types import NoneType

from referee.errors import expect
from referee.extras import extra

Point = tuple[float, float]
Colour = tuple[str, str]
"""A colour on light and on dark paper, each as #rrggbb, or "none"."""

NONE: Colour = ("none", "none")

FAMILY = "DejaVu Sans"
REGULAR = Path(__file__).resolve().parent / "fonts" / "DejaVuSans.ttf"
BOLD = REGULAR.with_name("DejaVuSans-Bold.ttf")

MISSING = "\u25a1"
"""Shown for a character that the font lacks: a square."""


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed outline."""

    points: tuple[Point, ...]
    classes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Polyline:
    """An open line through points; `width` overrules that of its classes."""

    points: tuple[Point, ...]
    classes: tuple[str, ...]
    width: float | None = None


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle."""

    centre: Point
    radius: float
    classes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Label:
    """One line of text, centred on a point; `size` is the height of its letters' line."""

    at: Point
    text: str
    size: float
    classes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes that can be styled or hidden together, with a title.

    Readers of a page can switch off a group that has a `switch`, its name there. A `still` one is the same in most
    positions of a game; a scene should begin with these, because pictures draw them once for many.
    """

    classes: tuple[str, ...]
    shapes: tuple[Shape, ...]
    title: str = ""
    switch: str = ""
    still: bool = False


Mark = Polygon | Polyline | Circle | Label
Shape = Mark | Group


@dataclass(frozen=True, slots=True)
class Paint:
    """The paint of a class of shapes; None leaves a value to other classes.

    Raises:
        TypeError: a colour is not a pair of colours, for light and for dark paper.
    """

    fill: Colour | None = None
    stroke: Colour | None = None
    width: float | None = None
    dash: tuple[float, ...] | None = None
    opacity: float | None = None
    bold: bool | None = None

    def __post_init__(self) -> None:
        for colour in (self.fill, self.stroke):
            expect((tuple, NoneType), colour, "a pair of colours, for light and for dark paper")


@lru_cache(1024)
def _over(paint: Paint, other: Paint) -> Paint:
    """A paint, with the other's values where it has none."""
    values = {one.name: value for one in fields(paint) if (value := getattr(paint, one.name)) is not None}
    return replace(other, **values)


_PLAIN = Paint(fill=NONE, stroke=NONE, width=1.0, dash=(), opacity=1.0, bold=False)

Paints = Mapping[str, Paint]
"""The paint of each class; later classes of a shape overrule earlier ones."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture of a position; `title` and `description` are the position in words.

    With `board_width`, the part to the right of the board is left out where there is little room, so its content must
    be in the words too. `legend` explains the signs in a few sentences; a picture with obvious signs has none.
    """

    width: float
    height: float
    title: str
    description: str
    shapes: tuple[Shape, ...]
    paints: Paints
    board_width: float | None = None
    legend: str = ""

    def marks(self) -> Iterator[tuple[Mark, Paint]]:
        """Every shape without its groups, in drawing order, with its paint within them."""
        return self._marks(self.shapes, _PLAIN, cache(self._paint_within))

    def _marks(
        self, shapes: Iterable[Shape], around: Paint, within: Callable[[tuple[str, ...], Paint], Paint]
    ) -> Iterator[tuple[Mark, Paint]]:
        for shape in shapes:
            paint = within(shape.classes, around)
            if isinstance(shape, Group):
                yield from self._marks(shape.shapes, paint, within)
            else:
                yield shape, paint

    def _paint_within(self, classes: tuple[str, ...], around: Paint) -> Paint:
        """The paint of a shape with these classes in a group with that paint."""
        said = Paint()
        for name, one in self.paints.items():
            if name in classes:
                said = _over(one, said)
        paint = _over(said, around)
        if said.opacity is not None and around.opacity is not None:
            return replace(paint, opacity=said.opacity * around.opacity)
        return paint


def every(shapes: Iterable[Shape]) -> Iterator[Shape]:
    """The shapes, each group before what is in it."""
    for shape in shapes:
        yield shape
        if isinstance(shape, Group):
            yield from every(shape.shapes)


def without(shapes: Iterable[Shape], unwanted: Callable[[Shape], bool]) -> tuple[Shape, ...]:
    """The shapes without the unwanted ones, also in groups."""
    kept = (one for one in shapes if not unwanted(one))
    return tuple(
        replace(one, shapes=without(one.shapes, unwanted)) if isinstance(one, Group) else one for one in kept
    )


def switched(shape: Shape) -> bool:
    """True for a group that readers of a page can switch off."""
    return isinstance(shape, Group) and bool(shape.switch)


def extent(shapes: Iterable[Shape]) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of shapes; text counts with its middle."""
    across, down = zip(*(point for shape in shapes for point in _corners(shape)), strict=True)
    return min(across), min(down), max(across), max(down)


def _corners(shape: Shape) -> tuple[Point, ...]:
    match shape:
        case Circle((x, y), radius):
            return (x - radius, y - radius), (x + radius, y + radius)
        case Label():
            return (shape.at,)
        case Polygon() | Polyline():
            return shape.points
        case Group():
            return tuple(point for one in shape.shapes for point in _corners(one))


def moved(shape: Shape, by: Point) -> Shape:
    """A shape at another place, to a hundredth of a unit."""

    def at(point: Point) -> Point:
        return round(point[0] + by[0], 2) + 0.0, round(point[1] + by[1], 2) + 0.0

    match shape:
        case Group():
            return replace(shape, shapes=tuple(moved(one, by) for one in shape.shapes), title="")
        case Circle():
            return replace(shape, centre=at(shape.centre))
        case Label():
            return replace(shape, at=at(shape.at))
        case Polygon() | Polyline():
            return replace(shape, points=tuple(map(at, shape.points)))


def legible(text: str) -> str:
    """A text with a square for each character that the font lacks."""
    if text.isascii() and text.isprintable():
        return text
    return text.translate({ord(one): MISSING for one in {*text} if ord(one) not in _characters()})


@cache
def _characters() -> frozenset[int]:
    fonts = extra("fontTools.ttLib", "pictures")
    both: list[set[int]] = []
    for file in (REGULAR, BOLD):
        with fonts.TTFont(file, lazy=True) as font:
            both.append(set(font.getBestCmap()))
    return frozenset({*map(ord, "\t\n"), *set.intersection(*both)})
