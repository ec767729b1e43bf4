"""The evaluation of Laser Chess: the worth of the pieces, and the aim of the lasers."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import lru_cache

from referee.engine.search.alphabeta import AlphaBeta
from referee.engine.search.evaluation import WON, Evaluation, Trial
from referee.rules import Position
from referee.rules.laser_chess import LaserChessPosition
from referee.rules.laser_chess.pieces import LASER_SQUARE, PIECES, SIDES, SQUARES, Kind, Move, Piece, Rotate, other
from referee.rules.laser_chess.position import change
from referee.rules.laser_chess.shot import Shot, Squares, fired
from referee.rules.squares import Square

WORTH = {Kind.DEFLECTOR: 100, Kind.DEFENDER: 90, Kind.SWITCH: 0, Kind.LASER: 0, Kind.KING: 0}
"""Hundredths of a deflector; a piece that cannot be lost is worth nothing."""

THREAT = 0.4
"""The part of a piece's worth that counts while its opponent's laser would remove it."""

KING_IN_SIGHT = 300

NEARER = 4
"""Worth of a laser's beam that passes a square nearer to the opponent's king."""

_WIN = WON + 100
"""Value of a win, with its point."""

_APART = tuple(tuple(max(abs(one.file - two.file), abs(one.rank - two.rank)) for two in SQUARES) for one in SQUARES)
"""For two squares, the king's steps between them."""


class LaserChessEvaluation(Evaluation[LaserChessPosition]):
    """The pieces, and those that the lasers would remove now."""

    def value(self, position: LaserChessPosition, side: str) -> int:
        """The pieces of a side against its opponent's; a threat can still be answered."""
        squares, rival = position.squares, other(side)
        own = _aim(squares, side, fired(squares, side), squares.index(_KING[rival]))
        theirs = _aim(squares, rival, fired(squares, rival), squares.index(_KING[side]))
        return _material(squares, side) + own - theirs

    def key(self, position: LaserChessPosition) -> Hashable:
        """The board and the side to move."""
        return position.squares, position.mover

    def trial(self, position: LaserChessPosition, side: str) -> Trial:
        """As in any game, but faster: moves apart from the beams and the mover's king are all worth the same."""
        squares, mover, rival = position.squares, position.mover, other(position.mover)
        sign, material = 1 if side == mover else -1, _material(squares, mover)
        home, target = squares.index(_KING[mover]), squares.index(_KING[rival])
        near, still, is_first = set[Square](), 0, True

        def fire(board: list[Piece | None], king: int) -> tuple[int, tuple[Shot, ...]]:
            """The value after the mover's shot, with its king's square, and the beams on which it depends."""
            shot, left = fired(board, mover), material
            own = shot
            if shot.lost is not None and (gone := board[shot.lost]) is not None:
                if gone.kind is Kind.KING:
                    return sign * (_WIN if gone.side == rival else -_WIN), (shot,)
                board[shot.lost] = None
                left -= _WORTH[mover][gone]
                own = fired(board, mover)
            theirs = fired(board, rival)
            aims = _aim(board, mover, own, target) - _aim(board, rival, theirs, king)
            return sign * (left + aims), (shot, own, theirs)

        def value(moves: Mapping[str, Move]) -> int:
            nonlocal near, still, is_first
            (move,) = moves.values()
            # Often one move is enough.
            if is_first:
                is_first = False
            else:
                if not near:
                    still, shots = fire([*squares], home)
                    numbers = {*LASER_SQUARE.values(), home}.union(*(shot.path for shot in shots))
                    near = set(map(SQUARES.__getitem__, numbers))
                if isinstance(move, Rotate):
                    if move.square not in near:
                        return still
                elif move.origin not in near and move.target not in near:
                    return still
            board = [*squares]
            change(board, move)
            king = home if board[home] is _KING[mover] else board.index(_KING[mover])
            return fire(board, king)[0]

        return value


def _material(squares: Squares, side: str) -> int:
    return sum(map(_WORTH[side].__getitem__, filter(None, squares)))


def _aim(squares: Squares, shooter: str, shot: Shot, king: int) -> int:
    """The worth for a side of its laser's present beam and of its end; the opponent's king is on `king`."""
    aim = _nearest(shot.path, king)
    hit = None if shot.lost is None else squares[shot.lost]
    return aim if hit is None else aim + _THREAT[shooter][hit]


@lru_cache(maxsize=1 << 14)
def _nearest(path: tuple[int, ...], king: int) -> int:
    """The cost of the way from a beam to a king."""
    return -NEARER * min(map(_APART[king].__getitem__, path))


_WORTH = {
    side: {piece: WORTH[piece.kind] * (1 if piece.side == side else -1) for piece in PIECES.values()}
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

_SEARCH = AlphaBeta(LaserChessEvaluation())


def search(position: Position) -> AlphaBeta:
    """The search for any position."""
    return _SEARCH
