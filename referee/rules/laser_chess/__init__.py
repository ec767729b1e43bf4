"""Laser Chess: the game (rules/laser-chess.md).

`pieces` has the board, the pieces and the moves; `setups` places them, and `shot` runs the laser over them.
`position` judges and plays moves, and `lane` does the same in integers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.rules.description import Choice, Data, Game, own_parts
from referee.rules.laser_chess.lane import LaserChessLane
from referee.rules.laser_chess.pieces import SIDES, Move, Piece, Rotate, Step
from referee.rules.laser_chess.position import KING_HIT, Arrangements, LaserChessCursor, LaserChessPosition
from referee.rules.laser_chess.setups import NAMES, board, fault, named
from referee.rules.squares import Turn

__all__ = ["GAME", "LaserChessPosition", "Move", "Piece", "Rotate", "Step", "Turn"]


def _begin(options: Mapping[str, Any]) -> LaserChessPosition:
    setup = options["setup"]
    squares = named(setup) if isinstance(setup, str) else board(list(setup))
    return LaserChessPosition(squares, past=Arrangements(squares, None), kings_turn=options["kings"] == "turn")


GAME = Game(
    **own_parts("laser-chess"),
    title="Laser Chess",
    designer="published by ThinkFun",
    sides=SIDES,
    options=(
        Data("setup", "ace", "ace, curiosity, grail, mercury or sophie, or eight rows of its own", fault, NAMES),
        Choice("kings", None, ("fixed", "turn"), "whether kings may be rotated; by default fixed"),
    ),
    begin=_begin,
    ends=(KING_HIT,),
    cursor=LaserChessCursor,
    lane=LaserChessLane,
    trials=False,
)
