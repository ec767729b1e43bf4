"""What an engine knows of a game beyond its rules: how good a position is, and which moves look promising."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Protocol, TypeVar

from referee.rules import Move, Position

WON = 1_000_000
"""The value of a game that is won, in hundredths of a point; each ply until then takes one off."""

SURE = WON - 1_000
"""From this value on a win is certain, and not a guess."""

_P = TypeVar("_P", bound=Position, contravariant=True)


class Evaluation(Protocol[_P]):
    """The values of positions, in hundredths of a point."""

    def value(self, position: _P, side: str) -> int:
        """How much better a side stands than its opponent, in a game that runs."""

    def key(self, position: _P) -> Hashable:
        """What two positions have in common if the same follows from them; it is quick to make and to compare."""

    def promising(self, position: _P, side: str, moves: Iterable[Move]) -> list[Move]:
        """The moves in the order in which they should be tried."""


def worth(evaluation: Evaluation[Position], position: Position, side: str) -> int:
    """The value of a position for a side, whether its game runs or is over."""
    outcome = position.outcome
    if outcome is None:
        return evaluation.value(position, side)
    if outcome.winner is None:
        return lead(outcome.score, side)
    return (WON if outcome.winner == side else -WON) + lead(outcome.score, side)


def lead(score: Mapping[str, int], side: str) -> int:
    """By how many hundredths of a point a side leads."""
    return 100 * sum(points if one == side else -points for one, points in score.items())
