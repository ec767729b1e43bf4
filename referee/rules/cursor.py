"""A fast way through a game, for work that judges or makes many moves and looks at few positions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import ClassVar, Generic

from referee.rules.contract import M, Position


class Cursor(Generic[M]):
    """A place in a game that `play` advances by one ply, here by new positions; some games work in place."""

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
        """Judge the moves of a ply and go past it; after IllegalMove the cursor stays in place."""
        self._position = after = self._position.play(moves)
        self.to_move = after.to_move

    def any_move(self, side: str, below: Callable[[int], int]) -> M:
        """As `Position.any_move`."""
        return self.position.any_move(side, below)


class TurnCursor(Cursor[M]):
    """A cursor of a game whose sides move in turn, which judges moves as the position does."""

    kinds: ClassVar[tuple[type, ...]]
    """The classes of the game's moves."""

    @abstractmethod
    def _check(self, side: str, move: M) -> None:  # type: ignore[misc] # covariant: see M
        """As `Position._check`."""

    @abstractmethod
    def _change(self, move: M) -> None:  # type: ignore[misc] # covariant: see M
        """Make a move of the side to move that is known to be legal."""

    def play(self, moves: Mapping[str, M]) -> None:
        """Judge the move of a ply and go past it."""
        is_of_game = all(isinstance(move, self.kinds) for move in moves.values())
        if not self.to_move or moves.keys() != self.to_move or not is_of_game:
            self.position.play(moves)
        for side, move in moves.items():
            self._check(side, move)
        self.play_unchecked(moves)

    def play_unchecked(self, moves: Mapping[str, M]) -> None:
        """Go past a ply whose move is known to be legal."""
        for move in moves.values():
            self._change(move)
