"""Proofs of forced wins, over every reply."""

from __future__ import annotations

from collections.abc import Iterator

from referee.rules import Move, Position


def winning_moves(position: Position, turns: int) -> Iterator[Move]:
    """The moves that force a win within `turns` of the side to move, in games in which one side moves at a time."""
    (side,) = position.to_move
    solver = _Solver(side)
    return (move for move in position.legal_moves(side) if solver.wins(position, move, turns))


def won_in(position: Position, most: int) -> int | None:
    """The fewest turns in which the side to move wins by force; None if it needs more than `most`."""
    if len(position.to_move) != 1:
        return None
    return next((turns for turns in range(1, most + 1) if next(winning_moves(position, turns), None)), None)


class _Solver:
    """A proof for one side; the reply that refuted one move is tried first against the next."""

    def __init__(self, side: str) -> None:
        self._side = side
        self._refutations: dict[int, Move] = {}

    def wins(self, position: Position, move: Move, turns: int) -> bool:
        """True if a move of the side wins within `turns`."""
        after = position.play_unchecked({self._side: move})
        if not after.to_move:
            return self._won(after)
        return turns > 1 and all(self._answered(after, reply, turns) for reply in self._replies(after, turns))

    def _replies(self, position: Position, turns: int) -> Iterator[Move]:
        """The opponent's legal moves, the last refutation first."""
        (opponent,) = position.to_move
        moves = position.legal_moves(opponent)
        likely = self._refutations.get(turns)
        if likely is not None and likely in moves:
            yield likely
        yield from (move for move in moves if move != likely)

    def _answered(self, position: Position, reply: Move, turns: int) -> bool:
        """True if the side still wins after a reply."""
        (opponent,) = position.to_move
        after = position.play_unchecked({opponent: reply})
        if not after.to_move:
            return self._won(after)
        if any(self.wins(after, move, turns - 1) for move in after.legal_moves(self._side)):
            return True
        self._refutations[turns] = reply
        return False

    def _won(self, position: Position) -> bool:
        return position.outcome is not None and position.outcome.winner == self._side
