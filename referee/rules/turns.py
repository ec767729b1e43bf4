"""Games of two sides that move in turn."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import lru_cache

from referee.rules.contract import M, Position
from referee.rules.outcome import Outcome

NOBODY: frozenset[str] = frozenset()
"""The sides to move when the game is over."""


@lru_cache
def alone(side: str) -> frozenset[str]:
    """The sides to move if it is one side's turn."""
    return frozenset((side,))


def opponents(sides: tuple[str, str]) -> Callable[[str], str]:
    """The function that gives the opponent of each of two sides."""
    return dict(zip(sides, reversed(sides), strict=True)).__getitem__


class TwoSided(Position[M]):
    """A position of two sides that move in turn, whose `mover` is to move; a game adds its `verdict`."""

    __slots__ = ()

    mover: str

    @property
    @abstractmethod
    def verdict(self) -> tuple[str | None, str] | None:
        """The winner, or None for a draw, and the kind of the end; None while the game runs."""

    @property
    def rival(self) -> str:
        """The side that is not to move."""
        first, second = self.sides
        return second if self.mover == first else first

    @property
    def to_move(self) -> frozenset[str]:
        """The side to move."""
        return alone(self.mover) if self.verdict is None else NOBODY

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the verdict."""
        if self.verdict is None:
            return None
        winner, how = self.verdict
        return Outcome(winner, how, self.award(winner))
