"""Search in games with chance: futures are imagined and played to their end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from referee.engine.search.dice import Dice
from referee.engine.search.prospect import Prospect
from referee.rules import Move, Position

_P = TypeVar("_P", bound=Position)


class Imagination(Protocol[_P]):
    """An engine's knowledge of a game with chance."""

    def imagined(self, position: _P, dice: Dice) -> _P:
        """The position with everything hidden replaced by a random draw; itself, the only future, if nothing is."""

    def quick(self, position: _P) -> tuple[Move, int]:
        """The move that seems best at once, and the number of positions looked at for it."""

    def value(self, position: _P) -> int:
        """The points of the players so far, in hundredths."""


class Playouts:
    """Sequential halving: plays out futures quickly after every move, and more of them after the better half.

    All moves get the same futures, so that luck does not decide between them.
    """

    def __init__(self, imagination: Imagination[Position]) -> None:
        self._imagination = imagination

    def find(self, position: Position, side: str, moves: Sequence[Move], nodes: int, dice: Dice) -> Prospect:
        """The move whose futures end best on average."""
        left = list(moves)
        dice.shuffle(left)
        halvings = max(1, (len(left) - 1).bit_length())
        totals, counts, used = dict.fromkeys(left, 0), 0, 0
        for halving in range(1, halvings + 1):
            while True:
                future = self._imagination.imagined(position, dice)
                for move in left:
                    value, looked = self._played(future.play_unchecked({side: move}))
                    totals[move] += value
                    used += looked + 1
                counts += 1
                if used * halvings >= nodes * halving or future is position:
                    break
            left.sort(key=lambda move: -totals[move])
            del left[max(1, len(left) // 2) :]
            if used >= nodes:
                break
        best = left[0]
        return Prospect(best, round(totals[best] / counts), (best,), used)

    def cost(self, position: Position, side: str, move: Move, nodes: int, dice: Dice) -> int:
        """The mean difference between the best move's futures and this one's, for the same futures."""
        moves = list(position.legal_moves(side))
        best = self.find(position, side, moves, nodes, dice).move
        gain, used, counts, future = 0, 0, 0, None
        while used < nodes and future is not position:
            future = self._imagination.imagined(position, dice)
            for one, sign in ((best, 1), (move, -1)):
                value, looked = self._played(future.play_unchecked({side: one}))
                gain += sign * value
                used += looked + 1
            counts += 1
        return max(0, round(gain / counts))

    def _played(self, position: Position) -> tuple[int, int]:
        """The value at the end of a quickly played game, and the number of positions looked at."""
        looked = 0
        while position.to_move:
            (side,) = position.to_move
            move, more = self._imagination.quick(position)
            position = position.play_unchecked({side: move})
            looked += more + 1
        return self._imagination.value(position), looked
