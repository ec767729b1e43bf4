"""The plainest search: every line to a fixed number of plies, without any shortcut."""

from __future__ import annotations

from referee.engine.search.evaluation import SURE, Evaluation, worth
from referee.rules import Move, Position


def searched(evaluation: Evaluation[Position], position: Position, depth: int, ply: int = 0) -> int:
    """The value for the side to move, if both sides look `depth` plies ahead."""
    (side,) = position.to_move
    return max(move_value(evaluation, position, side, move, depth, ply) for move in position.legal_moves(side))


def move_value(
    evaluation: Evaluation[Position], position: Position, side: str, move: Move, depth: int, ply: int = 0
) -> int:
    """The value of a move for the side that makes it."""
    after = position.play_unchecked({side: move})
    if not after.to_move:
        value = worth(evaluation, after, side)
        return value - ply - 1 if value >= SURE else value + ply + 1 if value <= -SURE else value
    (answering,) = after.to_move
    value = -(evaluation.value(after, answering) if depth == 1 else searched(evaluation, after, depth - 1, ply + 1))
    return min(value, 0) if not ply and after.claims(answering) else value
