"""Boundary: the game (rules/boundary.md).

`pieces` has the board, the pieces and the moves, and `ways` where they lead. `position` judges and plays them, and
`lane` does the same in integers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.rules.boundary.lane import BoundaryLane
from referee.rules.boundary.pieces import SIDES, START, STONES, TREES, Momentum, Move, Pyramid, Walk
from referee.rules.boundary.position import TREES_BUILT, BoundaryCursor, BoundaryPosition
from referee.rules.description import Choice, Game, own_parts
from referee.rules.frozen import Frozen

__all__ = ["GAME", "BoundaryPosition", "Momentum", "Move", "Pyramid", "Walk"]


def _begin(options: Mapping[str, Any]) -> BoundaryPosition:
    return BoundaryPosition(Frozen({START[colour]: TREES[colour] for colour in START}), STONES, options["first"])


GAME = Game(
    **own_parts("boundary"),
    title="Boundary",
    designer="Antoine Richard",
    sides=SIDES,
    options=(Choice("first", "south", SIDES, "who moves first"),),
    begin=_begin,
    ends=(TREES_BUILT,),
    cursor=BoundaryCursor,
    lane=BoundaryLane,
)
