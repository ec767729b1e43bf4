"""A fast way through a game of Laser Chess, for work that makes many moves."""

from __future__ import annotations

from referee.rules.contract import Position
from referee.rules.cursor import TurnCursor
from referee.rules.laser_chess.pieces import (
    FORBIDDEN,
    LASER_WAYS,
    NEAR,
    NUMBER,
    Kind,
    Move,
    Rotate,
    Step,
    other,
)
from referee.rules.laser_chess.position import ALONE, NOBODY, SWAPPED, LaserChessPosition, Past
from referee.rules.laser_chess.shot import fired


class LaserChessCursor(TurnCursor[Step | Rotate]):
    """The board of a position, changed in place."""

    def _stand(self, position: Position[Step | Rotate]) -> None:
        assert isinstance(position, LaserChessPosition)
        self._here: LaserChessPosition | None = position
        self._squares, self._past = list(position.squares), position.past
        self._mover, self._winner, self._lost = position.mover, position.winner, position.lost
        self._kings_turn = position.kings_turn
        self.to_move = position.to_move

    @property
    def position(self) -> LaserChessPosition:
        """The position here."""
        if self._here is None:
            assert self._past is not None
            self._here = LaserChessPosition(
                self._past.squares, self._mover, self._winner, self._lost, self._past, self._kings_turn
            )
        return self._here

    def _make(self, move: Move) -> bool:
        """Make a move if it is legal beyond doubt, and fire; otherwise change nothing."""
        side, squares = self._mover, self._squares
        if isinstance(move, Step):
            origin, target = NUMBER.get(move.origin), NUMBER.get(move.target)
            if origin is None or target is None:
                return False
            piece, hit = squares[origin], squares[target]
            if piece is None or piece.side != side or piece.kind is Kind.LASER:
                return False
            if target not in NEAR[origin] or target in FORBIDDEN[side]:
                return False
            if hit is not None and not (piece.kind is Kind.SWITCH and hit.kind in SWAPPED):
                return False
            squares[origin], squares[target] = hit, piece
        elif isinstance(move, Rotate):
            origin = NUMBER.get(move.square)
            if origin is None:
                return False
            piece = squares[origin]
            if piece is None or piece.side != side or (piece.kind is Kind.KING and not self._kings_turn):
                return False
            turned = piece.turned(move.turn.steps)
            if piece.kind is Kind.LASER and turned.facing not in LASER_WAYS[side]:
                return False
            squares[origin] = turned
        else:
            return False
        self._fire(side)
        return True

    def _fire(self, side: str) -> None:
        squares, past = self._squares, self._past
        self._here, self._mover = None, other(side)
        self.to_move = ALONE[self._mover]
        self._lost = lost = fired(squares, side).lost
        if lost is not None:
            gone, past = squares[lost], None
            squares[lost] = None
            if gone is not None and gone.kind is Kind.KING:
                self._winner, self.to_move = other(gone.side), NOBODY
        self._past = Past(tuple(squares), past)
