"""The kit of Boundary: the board, twelve pyramids to fold, and the stone-bops.

A square is 34 mm wide, so that a large pyramid stands in it with room around it, and smaller ones stand on the tips
of larger ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from referee.draw.boundary.scene import board_grid, scene, stone
from referee.draw.kit import Kit, Piece, Sheet, empty, folded_pyramid, whole
from referee.draw.scenes.scene import Label, Shape
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
    pyramids = [Piece(str(one), tuple(_net(one))) for one in sorted(trees, key=lambda one: [*_BASE].index(one.size))]
    stones = [Piece(f"{side}'s stone-bop", stone(side, (0, 0)), 2) for side in position.sides]
    says = (
        "Cut out, fold along the lines, and glue the tab. The base stays open: pyramids stand on each other's tips."
    )
    sheets = (Sheet("pieces", says, (*pyramids, *stones), _UNIT),)
    return Kit(board, whole(board), _UNIT, sheets)


def _net(pyramid: Pyramid) -> Iterator[Shape]:
    """The sides of a pyramid, each with the letter of its colour."""
    base = _BASE[pyramid.size] / _UNIT
    yield from folded_pyramid(base, base * _STEEP, f"pyramid-{pyramid.colour}")
    turn, away = 2 * math.asin(0.5 / _STEEP), base * _STEEP * 0.7
    for side in (-1.5, -0.5, 0.5, 1.5):
        at = (away * math.sin(side * turn), -away * math.cos(side * turn))
        yield Label(at, pyramid.colour[0].upper(), base * 0.3, (f"letter-{OWNER[pyramid.colour]}",))
