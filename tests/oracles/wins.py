"""Wins proved the plainest way: all moves, all replies, on the naive boards alone.

Nothing of referee.rules or referee.engine is used here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from tests.oracles import laser_chess
from tests.oracles.boundary import NaiveBoard

HOMES = {"south": {"blue": "a1", "green": "f6"}, "north": {"yellow": "f1", "red": "a6"}}


class Naive(Protocol):
    """A position, naively."""

    def legal(self, side: str) -> Iterator[str]:
        """Every legal move of a side, its turn taken for granted."""

    def after(self, side: str, text: str) -> tuple[Naive, str | None]:
        """The position after a move, and the side that has won by it."""


class NaiveLaser:
    """Laser Chess."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self.board = laser_chess.board(facts["rows"])

    def legal(self, side: str) -> Iterator[str]:
        return laser_chess.legal(self.board, side)

    def after(self, side: str, text: str) -> tuple[NaiveLaser, str | None]:
        board = laser_chess.moved(self.board, text)
        _, hit = laser_chess.shot(board, side)
        gone = board.pop(hit) if hit else "  "
        made = NaiveLaser({"rows": laser_chess.rows(board)})
        return made, {"K": "red", "k": "blue"}.get(gone[0])


class NaiveTrees:
    """Boundary."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self.board = NaiveBoard(facts)

    def legal(self, side: str) -> Iterator[str]:
        return self.board.legal(side)

    def after(self, side: str, text: str) -> tuple[NaiveTrees, str | None]:
        made = NaiveTrees(self.board.after(text))
        stands = [
            made.board.stacks.get(base) == [f"{colour} {size}" for size in "LMS"]
            for colour, base in HOMES[side].items()
        ]
        return made, side if all(stands) else None


def wins(position: Naive, sides: tuple[str, str], text: str, turns: int) -> bool:
    """True if the first side wins with a move within `turns` of its turns, against every answer."""
    side, other = sides
    after, winner = position.after(side, text)
    if winner is not None:
        return winner == side
    if turns == 1:
        return next(after.legal(other), None) is None  # who has no move has lost
    return all(answered(*after.after(other, reply), sides, turns - 1) for reply in after.legal(other))


def answered(position: Naive, winner: str | None, sides: tuple[str, str], turns: int) -> bool:
    """True if the first side still wins after a reply."""
    if winner is not None:
        return winner == sides[0]
    return any(wins(position, sides, text, turns) for text in position.legal(sides[0]))
