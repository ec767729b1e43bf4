"""Search in games of two sides that move in turn: alpha-beta with iterative deepening."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from typing import Any, NamedTuple

from referee.engine.search.dice import Dice
from referee.engine.search.evaluation import SURE, WON, Evaluation, worth
from referee.engine.search.prospect import Prospect
from referee.rules import Move, Position

LOOK_AHEAD = 40
"""Maximum depth in plies."""

DEEP, FIRST_FEW, MANY = 3, 4, 12
"""From this depth on, moves after the first few are searched a ply less deeply, those after many two."""

_ALL = 2 * WON
"""More than any value."""

EXACT, AT_LEAST, AT_MOST = range(3)
_new = tuple.__new__  # without the call in Python that a named tuple makes


class Seen(NamedTuple):
    """The value of a position, exact or as a bound, at a depth of plies."""

    depth: int
    value: int
    bound: int
    move: Move | None

    def decides(self, alpha: int, beta: int) -> bool:
        """True if this is enough for a window."""
        if self.bound == EXACT:
            return True
        return self.value >= beta if self.bound == AT_LEAST else self.value <= alpha


class AlphaBeta:
    """Iterative deepening with alpha-beta, a table of positions, and the moves that were good elsewhere first.

    Up to `DEEP` plies it finds the same as a plain search; beyond, late moves are searched less deeply.
    """

    def __init__(self, evaluation: Evaluation[Any]) -> None:  # of any game's positions
        self.evaluation = evaluation

    def find(self, position: Position, side: str, moves: Sequence[Move], nodes: int, dice: Dice) -> Prospect:
        """The best of some moves; the dice choose among equally good ones."""
        mixed = list(moves)
        dice.shuffle(mixed)
        return _Hunt(self.evaluation, nodes).deepen(position, side, mixed)


class _NodesSpentError(Exception):
    """All nodes are spent."""


class _Hunt:
    """One search, with its memory."""

    def __init__(self, evaluation: Evaluation[Position], nodes: int) -> None:
        self._evaluation, self._nodes, self._left = evaluation, nodes, nodes
        self._table: dict[Hashable, list[Seen]] = {}
        self._merits: defaultdict[Move, int] = defaultdict(int)  # the best move has the lowest
        self._refutations: dict[int, Move] = {}

    def deepen(self, position: Position, side: str, moves: Sequence[Move]) -> Prospect:
        ordered = self._evaluation.promising(position, side, moves)
        best, value = ordered[0], -_ALL
        for depth in range(1, LOOK_AHEAD + 1):
            best, value, finished = self._widest(position, side, ordered, depth, best, value)
            if not finished or len(ordered) == 1 or abs(value) >= SURE:
                break
            ordered.remove(best)
            ordered.insert(0, best)
        return Prospect(best, value, self._line(position, side, best), self._nodes - max(self._left, 0))

    def _widest(
        self, position: Position, side: str, moves: Sequence[Move], depth: int, best: Move, before: int
    ) -> tuple[Move, int, bool]:
        """The best move at this depth, its value, and True if all moves were searched.

        The best move of the search before is the first one, so that a better one is better even without the rest.
        """
        value = -_ALL
        for move in moves:
            try:
                if not self._left:
                    raise _NodesSpentError
                self._left -= 1
                after = position.play_unchecked({side: move})
                if value > -_ALL and self._after(after, side, depth, value, value + 1, 1) <= value:
                    continue
                best = move
                value = max(value, self._after(after, side, depth, value, _ALL, 1))
            except _NodesSpentError:
                return best, before if value == -_ALL else value, False
        return best, value, True

    def _after(self, after: Position, side: str, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The value of a position for the side whose move led there, within a window."""
        due = after.to_move
        if not due:
            return _dated(worth(self._evaluation, after, side), ply)
        (answering,) = due
        value = -self._value(after, answering, depth - 1, -beta, -alpha, ply)
        return min(value, 0) if ply == 1 and after.claims(answering) else value

    def _value(self, position: Position, side: str, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The value of a position for the side to move, within a window."""
        if depth <= 0:
            return self._evaluation.value(position, side)
        # Keys take long to hash: they are looked up once, and what was seen is put there.
        kept = self._table.setdefault(self._evaluation.key(position), [])
        seen = kept[0] if kept else None
        if seen is not None and seen.depth >= depth and seen.decides(alpha, beta):
            return seen.value
        best, chosen, floor, trial = -_ALL, None, alpha, None
        for number, move in enumerate(self._ordered(position, side, seen, ply)):
            if not self._left:
                raise _NodesSpentError
            self._left -= 1
            less = (number >= FIRST_FEW) + (number >= MANY) if depth >= DEEP else 0
            value = alpha + 1
            if depth - less == 1:
                trial = trial or self._evaluation.trial(position, side)
                value = trial({side: move})
                if not -SURE < value < SURE:
                    value = _dated(value, ply + 1)
            if depth > 1 and value > alpha:
                after = position.play_unchecked({side: move})
                value = self._tried(after, side, depth, less, alpha, beta, ply + 1, is_first=not number)
            if value > best:
                best, chosen = value, move
                alpha = max(alpha, value)
            if alpha >= beta:
                self._refutations[ply] = move
                self._merits[move] -= depth * depth
                break
        bound = AT_LEAST if best >= beta else EXACT if best > floor else AT_MOST
        kept[:] = (_new(Seen, (depth, best, bound, chosen)),)
        return best

    def _tried(
        self, after: Position, side: str, depth: int, less: int, alpha: int, beta: int, ply: int, *, is_first: bool
    ) -> int:
        """The value of a position for the side whose move led there.

        Moves after the first are searched only to see if they are better than the best so far, late ones at once
        less deeply.
        """
        value = alpha + 1
        if 1 < depth - less < depth:
            value = self._after(after, side, depth - less, alpha, alpha + 1, ply)
        if not is_first and value > alpha:
            value = self._after(after, side, depth, alpha, alpha + 1, ply)
        if is_first or alpha < value < beta:
            value = self._after(after, side, depth, alpha, beta, ply)
        return value

    def _ordered(self, position: Position, side: str, seen: Seen | None, ply: int) -> Iterator[Move]:
        """The legal moves, first those that were best here before or good elsewhere; often they are enough."""
        first: list[Move] = []
        if seen is not None and seen.move is not None:
            first.append(seen.move)
            yield seen.move
        legal, refutation = position.legal_moves(side), self._refutations.get(ply)
        if refutation is not None and refutation not in first and refutation in legal:
            first.append(refutation)
            yield refutation
        # A list of what has a length asks for it first, and all moves would be found twice.
        moves = self._evaluation.promising(position, side, iter(legal))
        moves.sort(key=self._merits.__getitem__)
        yield from (move for move in moves if move not in first) if first else moves

    def _line(self, position: Position, side: str, best: Move) -> tuple[Move, ...]:
        line, move = [best], best
        while len(line) < LOOK_AHEAD:
            position = position.play_unchecked({side: move})
            kept = self._table.get(self._evaluation.key(position)) if position.to_move else None
            if not kept or kept[0].move is None:
                break
            (side,) = position.to_move
            move = kept[0].move
            line.append(move)
        return tuple(line)


def _dated(value: int, ply: int) -> int:
    """The value of a position in a ply: a sooner win is worth more."""
    return value - ply if value >= SURE else value + ply if value <= -SURE else value
