"""Search in games of two sides that move at once: a matrix of promising moves of both."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import Any

from referee.engine.search.dice import Dice
from referee.engine.search.evaluation import Evaluation
from referee.engine.search.matrix import solved
from referee.engine.search.prospect import Prospect
from referee.rules import Move, Position

TURNS = 200
"""Turns for the solution of a matrix."""

REPLIES = 3
"""The opponent's moves in the first trial of each move."""


class MatrixSearch:
    """Tries moves against a few replies, then solves the matrix of the best moves of both sides.

    A side's choice must not be predictable, so the dice choose by the shares of the solution.
    """

    def __init__(self, evaluation: Evaluation[Any]) -> None:  # of any game's positions
        self._evaluation = evaluation

    def find(self, position: Position, side: str, moves: Sequence[Move], nodes: int, dice: Dice) -> Prospect:
        """A move of a good mixture."""
        ours, theirs, table = self._candidates(position, side, moves, nodes, dice)
        found = solved([[table.value(move, reply) for reply in theirs] for move in ours], TURNS)
        move = dice.weighed(ours, found.rows)
        return Prospect(move, round(found.value), (move,), table.nodes)

    def _candidates(
        self, position: Position, side: str, moves: Sequence[Move], nodes: int, dice: Dice
    ) -> tuple[list[Move], list[Move], _Table]:
        """The promising moves of both sides, and a table of their values."""
        (opponent,) = position.to_move - {side}
        trials = max(1, nodes // (3 * REPLIES))
        width = max(2, isqrt(nodes // 3))
        ours, theirs = dice.sample(moves, trials), dice.sample(list(position.legal_moves(opponent)), trials)
        table = _Table(self._evaluation, position, side, opponent)
        gains = {move: sum(table.value(move, reply) for reply in theirs[:REPLIES]) for move in ours}
        losses = {reply: sum(table.value(move, reply) for move in ours[:REPLIES]) for reply in theirs}
        best = sorted(ours, key=lambda move: -gains[move])[:width]
        return best, sorted(theirs, key=lambda reply: losses[reply])[:width], table

    def cost(self, position: Position, side: str, move: Move, nodes: int, dice: Dice) -> int:
        """The least gain of the best other move over all moves of the opponent."""
        moves = list(position.legal_moves(side))
        ours, theirs, table = self._candidates(position, side, moves, nodes, dice)
        made = [table.value(move, reply) for reply in theirs]
        gains = (min(table.value(one, reply) - was for reply, was in zip(theirs, made, strict=True)) for one in ours)
        return max(0, *gains)


class _Table:
    """The values of pairs of moves for one side."""

    def __init__(self, evaluation: Evaluation[Position], position: Position, side: str, opponent: str) -> None:
        self._trial, self._side, self._opponent = evaluation.trial(position, side), side, opponent
        self.nodes = 0

    def value(self, move: Move, reply: Move) -> int:
        """The value of a move against a reply."""
        self.nodes += 1
        return self._trial({self._side: move, self._opponent: reply})
