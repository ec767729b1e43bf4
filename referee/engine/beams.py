"""What an engine knows of Beams, Boosters and Barriers: the points as they stand."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from referee.engine.candidates import CandidateSearch
from referee.engine.evaluation import lead
from referee.engine.rounds import MatrixSearch
from referee.rules import Move, Position
from referee.rules.beams import BeamsPosition


class BeamsEvaluation:
    """The counters on both rear boundaries."""

    def value(self, position: BeamsPosition, side: str) -> int:
        """By how many points a side leads."""
        return lead(position.score, side)

    def key(self, position: BeamsPosition) -> Hashable:
        """Everything but the light, which follows from it."""
        return position.stones, position.hands, position.mover, position.rotated, position.left

    def promising(self, position: BeamsPosition, side: str, moves: Iterable[Move]) -> list[Move]:
        """The moves as they come."""
        return list(moves)


_EVALUATION = BeamsEvaluation()
_ROUNDS, _TURNS = MatrixSearch(_EVALUATION), CandidateSearch(_EVALUATION)  # type: ignore[arg-type]


def search(position: Position) -> MatrixSearch | CandidateSearch:
    """A matrix where both sides move at once, candidates and replies where they move in turn."""
    return _ROUNDS if len(position.to_move) > 1 else _TURNS
