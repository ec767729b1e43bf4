"""Beams, Boosters and Barriers: the game (rules/beams.md).

`pieces` stand on a `board`, and `light` runs its beams over it. `legality` says what may be played, `position` plays
it. `lane` does both in integers, with the light of all stones at once from `whole_light`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.errors import OptionError
from referee.rules.beams.board import SIDES, Board, Cell, Clock, board
from referee.rules.beams.lane import BeamsLane
from referee.rules.beams.light import lit
from referee.rules.beams.pieces import SETS, Move, PieceType, Place, PlacedPiece, Rotate
from referee.rules.beams.position import BeamsCursor, BeamsPosition
from referee.rules.description import Choice, Game, Number, own_parts
from referee.rules.frozen import Frozen
from referee.rules.squares import Turn

__all__ = [
    "GAME",
    "BeamsPosition",
    "Board",
    "Cell",
    "Clock",
    "Move",
    "PieceType",
    "Place",
    "PlacedPiece",
    "Rotate",
    "Turn",
]

_FEWEST_CELLS = 53
"""Six generators block at most 42 cells and the other ten pieces 10 more, so a placement is always left."""


def _begin(options: Mapping[str, Any]) -> BeamsPosition:
    columns, rows = options["columns"], options["rows"]
    faults = []
    if columns % 2 == 0:
        faults.append(("columns", f"columns must be odd, so that both territories are alike, not {columns}"))
    elif (cells := len(board(columns, rows).cells)) < _FEWEST_CELLS:
        few = f"{columns} columns and {rows} rows give {cells} cells a territory; at least {_FEWEST_CELLS} are needed"
        faults.append(("columns", f"{few}, so that there is always a legal placement"))
    synchronous = options["mode"] == "synchronous"
    if options["first"] and not synchronous:
        faults.append(("first", "in asynchronous play both sides move at once: there is no first side"))
    if faults:
        raise OptionError(tuple(faults))
    place = board(columns, rows)
    return BeamsPosition(
        board=place,
        light=lit(place, facing=options["barriers"] == "facing", stones={}),
        hands=Frozen(dict.fromkeys(SIDES, SETS[options["pieces"]])),
        stones=Frozen(),
        mover=(options["first"] or "south") if synchronous else None,
    )


GAME = Game(
    **own_parts("beams"),
    title="Beams, Boosters and Barriers",
    designer="Keith Wiley",
    sides=SIDES,
    options=(
        Choice(
            "mode",
            "asynchronous",
            ("asynchronous", "synchronous"),
            "both sides move at once (asynchronous), or one after the other",
        ),
        Number("columns", 15, 7, 51, "the number of columns, an odd number"),
        Number("rows", 13, 5, 26, "the number of half-rows in each territory"),
        Choice("pieces", "standard", ("standard", "beginner"), "all pieces, or those without the triples"),
        Choice(
            "barriers",
            "crossing",
            ("crossing", "facing"),
            "a barrier resists beams along its lines both ways, or only those that arrive at its marked side",
        ),
        Choice("first", None, SIDES, "who moves first in synchronous play; by default south"),
    ),
    begin=_begin,
    presets=Frozen({"beginner": Frozen({"mode": "synchronous", "pieces": "beginner"})}),
    cursor=BeamsCursor,
    lane=BeamsLane,
)
