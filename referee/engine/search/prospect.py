"""What a search is, and what it finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from referee.engine.search.dice import Dice
from referee.rules import Move, Position


@dataclass(frozen=True, slots=True)
class Prospect:
    """The move that a search prefers.

    Attributes:
        move: the move itself.
        value: how much better its side stands after it, in hundredths of a point; of a team's game, its score.
        line: what is likely to follow, the move itself first; in simultaneous play only that move.
        nodes: the positions that were looked at.
    """

    move: Move
    value: int
    line: tuple[Move, ...]
    nodes: int


class GameSearch(Protocol):
    """A way to look for a good move; what it finds follows from what it is given, and from nothing else."""

    def find(self, position: Position, side: str, moves: Sequence[Move], nodes: int, dice: Dice) -> Prospect:
        """The best of some moves of a side, after a look at so many positions."""


@runtime_checkable
class CostSearch(GameSearch, Protocol):
    """A search that says itself what a move costs: the position after it does not, where others move at once.

    The same holds where chance goes on.
    """

    def cost(self, position: Position, side: str, move: Move, nodes: int, dice: Dice) -> int:
        """By how much a move is worse than the best, in hundredths of a point; only what opponents easily punish."""
