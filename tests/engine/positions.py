"""Positions that chance has made, the same on every machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.engine.search.dice import Dice
from referee.rules import Position, first_position, movers

GAMES: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "beams, at once": ("beams", {"mode": "asynchronous"}),
    "beams, in turn": ("beams", {"mode": "synchronous"}),
    "boundary": ("boundary", {}),
    "laser-chess": ("laser-chess", {}),
    "the-beam": ("the-beam", {"deal": {"seed": "kept"}}),
}
"""The games and modes in which engines play."""


def opened(kind: str, plies: int) -> Position:
    """The position after a number of random plies, or before the last one if the game is shorter."""
    dice, position = Dice(f"{kind} {plies}"), first_position(*GAMES[kind])
    for _ in range(plies):
        after = position.play({side: position.any_move(side, dice.below) for side in movers(position)})
        if not after.to_move:
            break
        position = after
    return position
