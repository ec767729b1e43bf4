"""The layout of a board's picture, and the shapes of the board without pieces.

Places are computed in the view of one chair: half-row 0 is the midline, positive half-rows are the viewer's own
territory and lie below it; columns count from the viewer's left.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from referee.draw.scenes.scene import Group, Point, Polygon, Polyline, Shape
from referee.rules.beams import Cell, Clock, PieceType
from referee.rules.beams.board import other, seen_by

COLUMN, HALF_ROW = 30.0, 17.32
"""The distance between columns and between half-rows; a hexagon's side is 20."""

MARGIN_X, MARGIN_Y = 46.0, 104.0
"""The room next to the walls, and behind the rear boundaries for columns, counters and hands."""

COIN = 14.5
RAY_COLOURS = 12
_SIDE = 20.0
_COUNTER, _HAND, _NAME = 40.0, 70.0, 94.5
"""The distance of counters, the pieces of a hand, and their names from the rear boundary."""

_WIDEST_HAND = 46.0
"""Maximum distance between two kinds of pieces in a hand."""


class Layout:
    """The places of a board of a size, as one side sees it."""

    def __init__(self, columns: int, rows: int, view: str) -> None:
        self.columns, self.rows, self.view = columns, rows, view
        self.width = 2 * MARGIN_X + (self.columns + 1) * COLUMN
        self.height = 2 * MARGIN_Y + 2 * (self.rows + 1) * HALF_ROW
        self._apart = min(_WIDEST_HAND, self.width / len(PieceType))
        self.name_size = self._apart * 0.3  # so that "M1 x3" fits

    def at(self, row: float, column: float) -> Point:
        """The point of a half-row and column of the view."""
        return MARGIN_X + column * COLUMN, MARGIN_Y + (row + self.rows + 1) * HALF_ROW

    def place(self, side: str, cell: Cell) -> tuple[int, int]:
        """The half-row and column of a side's cell in the view."""
        return (cell.row, cell.column) if side == self.view else (-cell.row, self.columns + 1 - cell.column)

    def clock(self, side: str, clock: Clock) -> Clock:
        """A direction of a side's as the viewer sees it."""
        return seen_by(self.view, seen_by(side, clock))

    def behind(self, side: str, label: int) -> Point:
        """The place of a counter behind a side's rear boundary, at the column as its owner labels it."""
        column = label if side == self.view else self.columns + 1 - label
        return self.at(0, column)[0], self._beyond(side, _COUNTER)

    def held(self, side: str, piece: PieceType) -> Point:
        """The place of a kind of piece in a side's hand, which lies before its owner from left to right."""
        kinds = list(PieceType)
        away = (kinds.index(piece) - (len(kinds) - 1) / 2) * self._apart
        return self.width / 2 + (away if side == self.view else -away), self._beyond(side, _HAND)

    def name(self, side: str, piece: PieceType) -> Point:
        """The place of the name of a kind of piece in a side's hand."""
        return self.held(side, piece)[0], self._beyond(side, _NAME)

    def _beyond(self, side: str, distance: float) -> float:
        return self.height - MARGIN_Y + distance if side == self.view else MARGIN_Y - distance

    def cells(self) -> Iterator[Group]:
        """The hexagons, cut off where the board ends."""
        kinds: dict[str, list[Shape]] = {"south": [], "north": [], "neutral": [], "partial": []}
        for row in range(-self.rows - 1, self.rows + 2):
            for column in range(self.columns + 2):
                if (row + column) % 2:
                    whole = abs(row) <= self.rows and 1 <= column <= self.columns
                    owner = "neutral" if row == 0 else self.view if row > 0 else other(self.view)
                    kinds[owner if whole else "partial"].append(Polygon(self.hexagon(row, column), ()))
        for kind, polygons in kinds.items():
            yield Group(("cell", f"cell-{kind}"), tuple(polygons), still=True)

    def hexagon(self, row: int, column: int) -> tuple[Point, ...]:
        """A cell's outline within the board's walls and rear boundaries."""
        corners = [*ring(self.at(row, column), _SIDE, 6)]
        left, top = self.at(-self.rows - 1, 0)
        right, bottom = self.at(self.rows + 1, self.columns + 1)
        for axis, sign, limit in ((0, 1, left), (0, -1, -right), (1, 1, top), (1, -1, -bottom)):
            corners = _cut(corners, axis, sign, limit)
        return tuple(corners)

    def rays(self) -> Iterator[Shape]:
        """Every diagonal path, reflected at all four edges until it closes; each has a class of its own."""
        for number, corners in enumerate(_closed_paths(self.columns, self.rows)):
            points = tuple(self.at(row, column) for row, column in corners)
            yield Polyline(points, ("ray", f"ray-{number % RAY_COLOURS}"))


def ring(centre: Point, radius: float, corners: int) -> tuple[Point, ...]:
    """A regular outline with a corner to the right, as cells have."""
    turns = (math.tau * number / corners for number in range(corners))
    return tuple((centre[0] + radius * math.cos(turn), centre[1] + radius * math.sin(turn)) for turn in turns)


def _closed_paths(columns: int, rows: int) -> Iterator[list[tuple[int, int]]]:
    """The corners of each diagonal path that is reflected at all four edges, from a corner back to itself."""
    seen: set[tuple[int, int]] = set()
    for start in range(columns + 2):
        row, column, down, right = -rows - 1, start, 1, 1 if start <= columns else -1
        # Only one path leads through a place at the edge.
        if (row + column) % 2 == 0 or (row, column) in seen:
            continue
        corners = [(row, column)]
        first = (row, column, down, right)
        while True:
            row, column = row + down, column + right
            # At an edge the direction that leads off the board is reversed.
            down = -down if abs(row + down) > rows + 1 else down
            right = -right if not 0 <= column + right <= columns + 1 else right
            if abs(row) == rows + 1 or column in (0, columns + 1):
                corners.append((row, column))
            if (row, column, down, right) == first:
                break
        seen.update(corners)
        yield corners


def _cut(corners: list[Point], axis: int, sign: int, limit: float) -> list[Point]:
    """The part of a convex outline where sign * coordinate reaches the limit."""
    kept: list[Point] = []
    for here, there in zip(corners, [*corners[1:], *corners[:1]], strict=True):
        inside = sign * here[axis] - limit
        ahead = sign * there[axis] - limit
        if inside >= -1e-6:
            kept.append(here)
        if (inside > 1e-6 and ahead < -1e-6) or (inside < -1e-6 and ahead > 1e-6):
            share = inside / (inside - ahead)
            kept.append((here[0] + share * (there[0] - here[0]), here[1] + share * (there[1] - here[1])))
    return kept
