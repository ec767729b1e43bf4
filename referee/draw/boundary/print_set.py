"""The kit of Boundary: the board, twelve pyramids to fold, and the stone-bops.

A square is 34 mm wide, so that a large pyramid stands in it with room around it, and smaller ones stand on the tips
of larger ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from referee.draw.boundary.scene import board_grid, scene, stone
from referee.draw.kit import CutOut, Kit, Sheet, empty, whole
from referee.draw.scenes.scene import Label, Point, Polygon, Polyline, Shape
from referee.rules.boundary import BoundaryPosition, Pyramid
from referee.rules.boundary.pieces import OWNER, TREES, Size

_UNIT = 34 / board_grid("south").cell
_BASE = {Size.LARGE: 26.0, Size.MEDIUM: 20.0, Size.SMALL: 14.0}
_STEEP = 1.6
"""A pyramid's edge from its base to its tip, in lengths of its base."""


def kit(position: BoundaryPosition) -> Kit:
    """The board, the trees and the stone-bops."""
    board = empty(scene(position, view="south"))
    trees = [one for tree in TREES.values() for one in tree]
    pyramids = [CutOut(str(one), tuple(_net(one))) for one in sorted(trees, key=lambda one: [*_BASE].index(one.size))]
    stones = [CutOut(f"{side}'s stone-bop", stone(side, (0, 0)), 2) for side in position.sides]
    says = (
        "Cut out, fold along the lines, and glue the tab. The base stays open: pyramids stand on each other's tips."
    )
    sheets = (Sheet("pieces", says, (*pyramids, *stones), _UNIT),)
    return Kit(board, whole(board), _UNIT, sheets)


def _net(pyramid: Pyramid) -> Iterator[Shape]:
    """Four sides around the tip, to fold along three lines, each with the letter of its colour, and a tab to glue."""
    base, letter = _BASE[pyramid.size] / _UNIT, f"letter-{OWNER[pyramid.colour]}"
    turn, tip = 2 * math.asin(0.5 / _STEEP), (0.0, 0.0)

    def at(side: float, share: float = 1.0) -> Point:
        away = base * _STEEP * share
        return away * math.sin(side * turn), -away * math.cos(side * turn)

    corners = tuple(map(at, range(-2, 3)))
    yield Polygon((tip, at(2.3, 0.94), at(2, 0.97)), ("blank", "cut"))
    yield Polygon((tip, *corners), (f"pyramid-{pyramid.colour}", "cut"))
    yield from (Polyline((tip, corner), ("fold",)) for corner in corners[1:])
    yield from (
        Label(at(side, 0.7), pyramid.colour[0].upper(), base * 0.3, (letter,)) for side in (-1.5, -0.5, 0.5, 1.5)
    )
