"""The evaluation of Laser Chess: the worth of the pieces, and the aim of the lasers."""

from __future__ import annotations

from collections.abc import Hashable

from referee.engine.search.alphabeta import AlphaBeta
from referee.engine.search.evaluation import Evaluation
from referee.rules import Position
from referee.rules.laser_chess import LaserChessPosition
from referee.rules.laser_chess.pieces import PIECES, SIDES, SQUARES, Kind, Piece, other
from referee.rules.laser_chess.setups import Board
from referee.rules.laser_chess.shot import fired

WORTH = {Kind.DEFLECTOR: 100, Kind.DEFENDER: 90, Kind.SWITCH: 0, Kind.LASER: 0, Kind.KING: 0}
"""Hundredths of a deflector; a piece that cannot be lost is worth nothing."""

THREAT = 0.4
"""The part of a piece's worth that counts while its opponent's laser would remove it."""

KING_IN_SIGHT = 300

NEARER = 4
"""Worth of a laser's beam that passes a square nearer to the opponent's king."""

_APART = tuple(tuple(max(abs(one.file - two.file), abs(one.rank - two.rank)) for two in SQUARES) for one in SQUARES)
"""For two squares, the king's steps between them."""


class LaserChessEvaluation(Evaluation[LaserChessPosition]):
    """The pieces, and those that the lasers would remove now."""

    def value(self, position: LaserChessPosition, side: str) -> int:
        """The pieces of a side against its opponent's; a threat can still be answered."""
        squares = position.squares
        return sum(map(_WORTH[side].__getitem__, squares)) + _aim(squares, side) - _aim(squares, other(side))

    def key(self, position: LaserChessPosition) -> Hashable:
        """The board and the side to move."""
        return position.squares, position.mover


def _aim(squares: Board, shooter: str) -> int:
    """The worth for a side of its laser's present beam and of its end."""
    shot, king = fired(squares, shooter), _APART[squares.index(_KING[other(shooter)])]
    aim = -NEARER * min(map(king.__getitem__, shot.path))
    hit = None if shot.lost is None else squares[shot.lost]
    return aim if hit is None else aim + _THREAT[shooter][hit]


_WORTH: dict[str, dict[Piece | None, int]] = {
    side: {None: 0, **{piece: WORTH[piece.kind] * (1 if piece.side == side else -1) for piece in PIECES.values()}}
    for side in SIDES
}
_THREAT = {
    side: {
        piece: int(THREAT * (KING_IN_SIGHT if piece.kind is Kind.KING else WORTH[piece.kind]))
        * (-1 if piece.side == side else 1)
        for piece in PIECES.values()
    }
    for side in SIDES
}
_KING = {side: PIECES[side, Kind.KING, 0] for side in SIDES}

_SEARCH = AlphaBeta(LaserChessEvaluation())  # type: ignore[arg-type]


def search(position: Position) -> AlphaBeta:
    """The search for any position."""
    return _SEARCH
