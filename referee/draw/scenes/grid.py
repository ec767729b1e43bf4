"""Boards of squares: the places of squares in a picture, and the shapes and paints that such boards share.

Files and ranks count from 1, from the lower left as the first side sees the board; halves are between squares.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from referee.draw.scenes.scene import Colour, Label, Paint, Paints, Point, Polygon, Polyline, Shape
from referee.rules.frozen import Frozen

INK: Colour = ("#1b1b1b", "#f1f1f1")
PAPER: Colour = ("#ffffff", "#101418")
_ACCENT: Colour = ("#d93025", "#f28b82")

SQUARE_PAINTS: Paints = Frozen(
    {
        "cell": Paint(stroke=("#9aa0a6", "#5f6368"), width=0.8),
        "cell-even": Paint(fill=("#f6f7f9", "#23272c")),
        "cell-odd": Paint(fill=("#eceef1", "#1c2024")),
        "label": Paint(fill=("#3c4043", "#dadce0")),
        "owner": Paint(bold=True),
    }
)
"""Paints of the squares and of the labels around them; a game adds its own."""

LAST_MOVE_PAINTS: Paints = Frozen(
    {
        "last": Paint(stroke=_ACCENT, width=2, dash=(4, 3)),
        "last-way": Paint(stroke=_ACCENT, width=2.5),
        "last-head": Paint(fill=_ACCENT),
    }
)
"""Paints of the marks of the last move."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Squares of a side `cell` in a picture, `left` and `top` from its borders, `turned` for the other side's view.

    `gap` is the distance between the board's lower and its upper half.
    """

    files: int
    ranks: int
    cell: float
    left: float
    top: float
    turned: bool = False
    gap: float = 0.0

    @property
    def right(self) -> float:
        """The right edge of the board."""
        return self.left + self.files * self.cell

    @property
    def bottom(self) -> float:
        """The lower edge of the board."""
        return self.top + self.ranks * self.cell + self.gap

    def at(self, file: float, rank: float) -> Point:
        """The middle of a square."""
        column, row = (self.files + 1 - file, rank) if self.turned else (file, self.ranks + 1 - rank)
        gap = self.gap if row > self.ranks / 2 else 0
        return self.left + (column - 0.5) * self.cell, self.top + (row - 0.5) * self.cell + gap

    def outline(self, file: float, rank: float, inset: float = 0.0) -> tuple[Point, ...]:
        """The corners of a square, or of a smaller one within it."""
        return square_outline(self.at(file, rank), self.cell / 2 - inset)

    def way(self, quarters: int) -> Point:
        """The step on the picture of one of the board's directions: 0 is to higher ranks, then clockwise."""
        return _quarter_turn((0.0, -1.0), quarters + 2 * self.turned)

    def labels(self) -> Iterator[Label]:
        """The letters of files and the numbers of ranks on all four sides."""
        for file in range(1, self.files + 1):
            x, _ = self.at(file, 1)
            yield from (Label((x, y), chr(96 + file), 13, ("label",)) for y in (self.top - 15, self.bottom + 15))
        for rank in range(1, self.ranks + 1):
            _, y = self.at(1, rank)
            yield from (Label((x, y), str(rank), 13, ("label",)) for x in (self.left - 17, self.right + 17))


@dataclass(frozen=True, slots=True)
class HexGrid(Grid):
    """Hexagons of a width `cell`, with a corner upwards and rank 1 on top; it has one view and no gap."""

    @property
    def right(self) -> float:
        """The right corner of the last rank."""
        return self.left + (self.files + (self.ranks - 1) / 2) * self.cell

    @property
    def bottom(self) -> float:
        """The lower corners of the last rank."""
        return self.top + (1.5 * self.ranks + 0.5) * self.cell / math.sqrt(3)

    def at(self, file: float, rank: float) -> Point:
        """The middle of a hexagon."""
        radius = self.cell / math.sqrt(3)
        return self.left + (file + rank / 2 - 1) * self.cell, self.top + (1.5 * rank - 0.5) * radius

    def outline(self, file: float, rank: float, inset: float = 0.0) -> tuple[Point, ...]:
        """The corners of a hexagon, or of a smaller one within it, from the upper one clockwise."""
        x, y = self.at(file, rank)
        radius = self.cell / math.sqrt(3) - inset
        turns = (math.tau * corner / 6 for corner in range(6))
        return tuple((x + radius * math.sin(turn), y - radius * math.cos(turn)) for turn in turns)

    def labels(self) -> Iterator[Label]:
        """The letters of files above them, the numbers of ranks before them."""
        for file in range(1, self.files + 1):
            yield Label((self.at(file, 1)[0], self.top - 12), chr(96 + file), 13, ("label",))
        for rank in range(1, self.ranks + 1):
            x, y = self.at(0.3, rank)
            yield Label((x, y), str(rank), 13, ("label",))


def square_outline(centre: Point, half: float) -> tuple[Point, ...]:
    """A square's corners, from the upper left one clockwise."""
    x, y = centre
    return (x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)


def _quarter_turn(point: Point, quarters: int) -> Point:
    x, y = point
    for _ in range(quarters % 4):
        x, y = -y, x
    return x, y


def around(points: Iterable[Point], centre: Point, quarters: int = 0) -> tuple[Point, ...]:
    """Points around the origin, turned and then moved to a centre."""
    turned = (_quarter_turn(point, quarters) for point in points)
    return tuple((centre[0] + x, centre[1] + y) for x, y in turned)


def _towards(start: Point, end: Point, distance: float) -> Point:
    """The point at this distance from the start towards the end; a negative distance counts from the end."""
    length = math.dist(start, end) or 1.0
    share = distance / length if distance >= 0 else 1 + distance / length
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def head(start: Point, tip: Point, classes: tuple[str, ...], size: float = 10.0) -> Polygon:
    """The head of an arrow that comes from a start and ends in a tip."""
    (x, y), (back_x, back_y) = tip, _towards(start, tip, -size)
    across, along = (tip[0] - back_x) * 0.5, (tip[1] - back_y) * 0.5
    return Polygon(((x, y), (back_x - along, back_y + across), (back_x + along, back_y - across)), classes)


def bar(start: Point, end: Point, half: float, classes: tuple[str, ...]) -> Polyline:
    """A line across the end of a way that reaches `half` to both sides."""
    (x, y), (back_x, back_y) = end, _towards(start, end, -half)
    across, along = y - back_y, x - back_x
    return Polyline(((x - across, y + along), (x + across, y - along)), classes)


def move_arrow(start: Point, end: Point, after: float, before: float) -> Iterator[Shape]:
    """The arrow of the last move; it begins a little after the start and ends a little before the end."""
    first, tip = _towards(start, end, after), _towards(start, end, -before)
    yield Polyline((first, _towards(first, tip, -8)), ("last-way",))
    yield head(first, tip, ("last-head",))
