"""A fast way through a game of The Beam, for work that makes many moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.rules.cursor import Cursor
from referee.rules.frozen import Frozen
from referee.rules.the_beam.pieces import PLAYERS, Allocate, Move, PlaceMirror, TakeMirror, TurnMirror, walked
from referee.rules.the_beam.position import (
    ALLOCATING,
    ALONE,
    MIRRORING,
    MIRRORS,
    NOBODY,
    TheBeamPosition,
    player_of,
)


class TheBeamCursor(Cursor[Allocate | PlaceMirror | TurnMirror | TakeMirror]):
    """The discs and mirrors of a position, changed in place by moves that are legal beyond doubt."""

    def __init__(self, position: TheBeamPosition) -> None:
        self.sides = PLAYERS
        self._stand(position)

    def _stand(self, position: TheBeamPosition) -> None:
        self._here: TheBeamPosition | None = position
        self._deal, self._barriers, self._cards = position.deal, position.barriers, position.cards
        self._discs, self._mirrors, self._collected = dict(position.discs), dict(position.mirrors), position.collected
        self._round, self._allocated, self._walk = position.round, position.allocated, position.walk
        self._pairs = tuple(zip(*position.deal.decks, strict=False))
        self.to_move = position.to_move

    @property
    def position(self) -> TheBeamPosition:
        """The position here."""
        if self._here is None:
            self._here = TheBeamPosition(
                self._deal,
                Frozen(self._discs),
                self._barriers,
                Frozen(self._mirrors),
                self._collected,
                self._round,
                self._allocated,
                self._walk,
            )
        return self._here

    def play(self, moves: Mapping[str, Move]) -> None:
        """Judge the move of a ply and go past it."""
        if moves.keys() != self.to_move or not all(map(self._make, moves.values())):
            self._stand(self.position.play(moves))
        self.to_move = self._due()

    def play_all(self, moves: Sequence[Move]) -> int | None:
        """As `Cursor.play_all`."""
        if not all(map(self._make, moves)):
            return None
        self.to_move = self._due()
        return len(moves)

    def _due(self) -> frozenset[str]:
        if self._cards is None:
            return NOBODY
        return ALONE[player_of(ALLOCATING if self._allocated is None else MIRRORING, self._round)]

    def _make(self, move: Move) -> bool:
        """Make a move if it is legal beyond doubt; otherwise change nothing."""
        cards, allocated = self._cards, self._allocated
        if cards is None:
            return False
        if allocated is None:
            if not isinstance(move, Allocate) or (move.mirror, move.beam) not in (cards, cards[::-1]):
                return False
            self._allocated = move
        else:
            if not isinstance(move, PlaceMirror | TurnMirror | TakeMirror) or not self._mirror(
                move, allocated.mirror
            ):
                return False
            self._follow(allocated.beam)
        self._here = None
        return True

    def _mirror(self, move: PlaceMirror | TurnMirror | TakeMirror, row: int) -> bool:
        square, mirrors = move.square, self._mirrors
        if square.row != row or not square.exists:
            return False
        if isinstance(move, PlaceMirror):
            if square in self._discs or square in mirrors or len(mirrors) >= MIRRORS:
                return False
            mirrors[square] = move.slash
        elif square not in mirrors:
            return False
        elif isinstance(move, TurnMirror):
            mirrors[square] = mirrors[square].turned
        else:
            del mirrors[square]
        return True

    def _follow(self, column: int) -> None:
        self._walk = walk = walked(column, self._mirrors, self._barriers)
        for square in walk.path:
            if square in self._discs:
                self._collected += (self._discs.pop(square),)
        self._round += 1
        self._allocated = None
        self._cards = self._pairs[self._round - 1] if self._round <= len(self._pairs) else None
