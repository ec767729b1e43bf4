"""A fast way through a game, for work that judges or makes many moves and looks at few positions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Generic

from referee.rules.contract import M, Position


class Cursor(Generic[M]):
    """A place in a game that `play` advances by one ply; positions taken from it do not change.

    This one plays from position to position. Games whose positions take long to make have their own, which work in
    place.
    """

    sides: tuple[str, ...]
    """All sides, in their order."""
    to_move: frozenset[str]
    """The sides that owe a move now; empty when the game is over."""

    def __init__(self, position: Position[M]) -> None:
        self._position = position
        self.sides, self.to_move = position.sides, position.to_move

    @property
    def position(self) -> Position[M]:
        """The position here."""
        return self._position

    def play(self, moves: Mapping[str, M]) -> None:
        """Judge the moves of a ply and go past it; after a refusal the cursor stays in place.

        Raises:
            IllegalMove: as `Position.play` does.
        """
        self._position = after = self._position.play(moves)
        self.to_move = after.to_move

    def play_all(self, moves: Sequence[M]) -> int | None:
        """Judge and play all these moves, ply by ply in the order of the sides; return the number of plies.

        None if the game has no fast way for this, or if a move may be illegal. Drop the cursor then, and let `play`
        find the reason.
        """
        return None

    def any_move(self, side: str, below: Callable[[int], int]) -> M:
        """As `Position.any_move`."""
        return self.position.any_move(side, below)

    def piece_of(self, side: str, move: M) -> str | None:  # type: ignore[misc] # covariant: see M
        """As `Position.piece_of`."""
        return self.position.piece_of(side, move)


class TurnCursor(Cursor[M]):
    """A cursor of a game whose sides move in turn: it makes moves in place where they are legal beyond doubt.

    It leaves all others to the position, which gives the reason for a refusal.
    """

    _mover: str

    def __init__(self, position: Position[M]) -> None:
        self.sides = position.sides
        self._stand(position)

    @abstractmethod
    def _stand(self, position: Position[M]) -> None:
        """Take over a position."""

    @abstractmethod
    def _make(self, move: M) -> bool:  # type: ignore[misc] # covariant: see M
        """Make a move of the side to move if it is legal beyond doubt; otherwise change nothing."""

    def play(self, moves: Mapping[str, M]) -> None:
        """Judge the move of a ply and go past it."""
        if not self.to_move or moves.keys() != self.to_move or not self._make(moves[self._mover]):
            self._stand(self.position.play(moves))

    def play_all(self, moves: Sequence[M]) -> int | None:
        """As `Cursor.play_all`."""
        for move in moves:
            if not self.to_move or not self._make(move):
                return None
        return len(moves)


def cursor(position: Position[M]) -> Cursor[M]:
    """A cursor at a position: its game's own, if it has one."""
    return position._cursor()
