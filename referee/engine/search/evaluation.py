"""An engine's knowledge of a game beyond its rules: the values of positions, and promising moves."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, Protocol, TypeVar

from referee.rules import Move, Position

WON = 1_000_000
"""The value of a won game, in hundredths of a point, less one for each ply until then."""

SURE = WON - 1_000
"""The smallest value of a certain win."""

Trial = Callable[[Mapping[str, Any]], int]
"""The value for a side after moves, each of its own game, which are made from one position."""

_P = TypeVar("_P", bound=Position, contravariant=True)


class Evaluation(Protocol[_P]):
    """The values of positions, in hundredths of a point."""

    def value(self, position: _P, side: str) -> int:
        """The lead of a side over its opponent, in a game that runs."""

    def key(self, position: _P) -> Hashable:
        """A key that is equal for equivalent positions, and quick to make and to compare."""

    def promising(self, position: _P, side: str, moves: Iterable[Move]) -> list[Move]:
        """The moves in the order of trial, by default their own."""
        return list(moves)

    def is_far(self, position: _P, side: str, turns: int) -> bool:
        """True if a side cannot force a win in this many of its turns; False if that is not obvious."""
        return False

    def trial(self, position: _P, side: str) -> Trial:
        """The `worth` for a side after moves from a position; a game may find it faster."""
        return lambda moves: worth(self, position.play_unchecked(moves), side)


def worth(evaluation: Evaluation[_P], position: _P, side: str) -> int:
    """The value of a position for a side, also after the end of the game."""
    outcome = position.outcome
    if outcome is None:
        return evaluation.value(position, side)
    if outcome.winner is None:
        return lead(outcome.score, side)
    return (WON if outcome.winner == side else -WON) + lead(outcome.score, side)


def lead(score: Mapping[str, int], side: str) -> int:
    """The lead of a side in hundredths of a point."""
    return 100 * sum(points if one == side else -points for one, points in score.items())
