"""A fast way through a game, for work that judges or makes many moves and looks at few positions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic

from referee.rules.contract import M, Position


class Cursor(Generic[M]):
    """A place in a game that `play` moves on by one ply; positions that it gave stay as they were.

    This one plays from position to position. A game whose positions take long to make has one of its own, which
    changes what it holds in place.
    """

    def __init__(self, position: Position[M]) -> None:
        self._position = position

    @property
    def position(self) -> Position[M]:
        """The position here."""
        return self._position

    @property
    def to_move(self) -> frozenset[str]:
        """The sides that owe a move now; empty when the game is over."""
        return self._position.to_move

    @property
    def sides(self) -> tuple[str, ...]:
        """All sides, in their order."""
        return self._position.sides

    def play(self, moves: Mapping[str, M]) -> None:
        """Judge the moves of a ply and go past it; the cursor stays where it is if one is refused.

        Raises:
            IllegalMove: as `Position.play` does.
        """
        self._position = self._position.play(moves)

    def any_move(self, side: str, below: Callable[[int], int]) -> M:
        """As `Position.any_move`."""
        return self._position.any_move(side, below)

    def piece_of(self, side: str, move: M) -> str | None:  # type: ignore[misc] # covariant: see M
        """As `Position.piece_of`."""
        return self._position.piece_of(side, move)


def cursor(position: Position[M]) -> Cursor[M]:
    """A cursor at a position: its game's own, if it has one."""
    return position._cursor()
