"""The contract of a search, and its findings."""

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
        value: the lead of its side after it, in hundredths of a point; in a team's game, the score.
        line: the likely continuation, the move itself first; in simultaneous play only that move.
        nodes: the number of positions looked at.
    """

    move: Move
    value: int
    line: tuple[Move, ...]
    nodes: int


class GameSearch(Protocol):
    """A deterministic search for a good move."""

    def find(self, position: Position, side: str, moves: Sequence[Move], nodes: int, dice: Dice) -> Prospect:
        """The best of some moves of a side, after a look at about `nodes` positions."""


@runtime_checkable
class CostSearch(GameSearch, Protocol):
    """A search with its own cost of a move, for games with chance or moves at once.

    The position after the move does not show the cost there.
    """

    def cost(self, position: Position, side: str, move: Move, nodes: int, dice: Dice) -> int:
        """The cost of a move that opponents can easily punish, against the best, in hundredths of a point."""
