"""Search in games of two sides in turn with thousands of moves: the promising ones, and the replies to them."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import Any

from referee.engine.search.dice import Dice
from referee.engine.search.evaluation import Evaluation
from referee.engine.search.prospect import Prospect
from referee.rules import Move, Position

SCREENED = 2
"""Divisor of the nodes: this part of them is for trying moves alone."""


class CandidateSearch:
    """Tries moves alone, then the best ones with replies; the worst reply counts.

    The replies are those that are best for the opponent against the move that seemed best.
    """

    def __init__(self, evaluation: Evaluation[Any]) -> None:  # of any game's positions
        self._evaluation = evaluation

    def find(self, position: Position, side: str, moves: Sequence[Move], nodes: int, dice: Dice) -> Prospect:
        """The move that is best after its worst reply."""
        line = _Line(self._evaluation, side)
        tried = dice.sample(moves, max(1, nodes // SCREENED))
        alone = line.values(position, side, tried)
        tried.sort(key=lambda move: -alone[move])
        left = max(1, nodes - line.nodes)
        candidates = tried[: max(1, isqrt(left) // 2)]
        replies = self._replies(position, side, candidates[0], left // 3, line, dice)
        width = max(1, (left - left // 3) // len(candidates))
        found = {move: line.answered(position, move, replies[:width], alone[move]) for move in candidates}
        best = max(candidates, key=lambda move: found[move][0])
        value, reply = found[best]
        return Prospect(best, value, (best,) if reply is None else (best, reply), line.nodes)

    def _replies(self, position: Position, side: str, move: Move, nodes: int, line: _Line, dice: Dice) -> list[Move]:
        """Replies to a move, those first that are best for the opponent."""
        after = position.play_unchecked({side: move})
        if not after.to_move:
            return []
        (opponent,) = after.to_move
        replies = dice.sample(list(after.legal_moves(opponent)), nodes)
        values = line.values(after, opponent, replies)
        return sorted(replies, key=lambda reply: values[reply])


class _Line:
    """The values of moves for one side, and their number."""

    def __init__(self, evaluation: Evaluation[Position], side: str) -> None:
        self._evaluation, self._side = evaluation, side
        self.nodes = 0

    def values(self, position: Position, mover: str, moves: Sequence[Move]) -> dict[Move, int]:
        """The values for the side after each of some moves of either side."""
        self.nodes += len(moves)
        trial = self._evaluation.trial(position, self._side)
        return {move: trial({mover: move}) for move in moves}

    def answered(
        self, position: Position, move: Move, replies: Sequence[Move], alone: int
    ) -> tuple[int, Move | None]:
        """The value of a move after its worst legal reply among these, and that reply."""
        after = position.play_unchecked({self._side: move})
        if not after.to_move:
            return alone, None
        (opponent,) = after.to_move
        legal = after.legal_moves(opponent)
        values = self.values(after, opponent, [reply for reply in replies if reply in legal])
        if not values:
            return alone, None
        worst = min(values, key=values.__getitem__)
        return values[worst], worst
