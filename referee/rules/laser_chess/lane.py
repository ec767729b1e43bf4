"""The fast lane of Laser Chess (rules/laser-chess.md).

Squares are numbers, sets of squares the bits of an integer, and pieces their numbers in `_PIECES`; -1 is an empty
square. A side is 0 or 1, as in `SIDES`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from referee.rules.lane import Entries, LaneResult, Read
from referee.rules.laser_chess.pieces import (
    AHEAD,
    FORBIDDEN,
    LASER_SQUARE,
    LASER_WAYS,
    NEAR,
    NUMBER,
    PIECES,
    SIDES,
    Kind,
    Move,
    Piece,
    Rotate,
)
from referee.rules.laser_chess.position import KING_HIT, SWAPPED, LaserChessPosition
from referee.rules.laser_chess.shot import REMOVED, after_hit
from referee.rules.outcome import Outcome
from referee.rules.squares import Turn

_PIECES = tuple(PIECES.values())
_SIDE = tuple(SIDES.index(piece.side) for piece in _PIECES)
_FACING = tuple(piece.facing for piece in _PIECES)
_STEPS = tuple(piece.kind is not Kind.LASER for piece in _PIECES)
_SWITCH = tuple(piece.kind is Kind.SWITCH for piece in _PIECES)
_SWAPPED = tuple(piece.kind in SWAPPED for piece in _PIECES)
_KING = tuple(piece.kind is Kind.KING for piece in _PIECES)
_HITS = tuple(tuple(after_hit(piece, direction) for direction in range(4)) for piece in _PIECES)
"""For each piece, where a beam of each direction goes on, or what becomes of it (see `after_hit`)."""

_RAYS = tuple(tuple(sum(1 << number for number in line) for line in lines) for lines in AHEAD)
"""For each direction and square, the squares ahead. The first piece there is the lowest bit to north and east."""

_LASERS = tuple(LASER_SQUARE[side] for side in SIDES)

_Entry = tuple[int, int, tuple[int, ...]]
"""A move: a square and the one next to it, or -1 and what each piece is after the turn (-1: it may not turn)."""


class LaserChessLane:
    """The lane of the games that begin in a position."""

    def __init__(self, start: LaserChessPosition, read: Read) -> None:
        self._start = start
        self._turned = {turn: tuple(_turned(piece, turn, start) for piece in _PIECES) for turn in Turn}
        self._entries = [Entries(read, partial(self._entry, side)) for side in SIDES]
        self._squares = [-1 if piece is None else _PIECES.index(piece) for piece in start.squares]

    def _entry(self, side: str, move: Move) -> _Entry | None:
        if isinstance(move, Rotate):
            square = NUMBER.get(move.square)
            return None if square is None else (square, -1, self._turned[move.turn])
        origin, target = NUMBER.get(move.origin), NUMBER.get(move.target)
        if origin is None or target is None or target not in NEAR[origin] or target in FORBIDDEN[side]:
            return None
        return origin, target, ()

    def run(self, texts: Sequence[str]) -> LaneResult | None:
        """As `Lane.run`."""
        squares, side, winner = self._squares[:], SIDES.index(self._start.mover), -1
        taken = sum(1 << number for number, piece in enumerate(squares) if piece >= 0)
        for text in texts:
            entry = self._entries[side][text]
            if entry is None or winner >= 0:
                return None
            origin, target, turned = entry
            piece = squares[origin]
            if piece < 0 or _SIDE[piece] != side:
                return None
            if target < 0:
                piece = turned[piece]
                if piece < 0:
                    return None
                squares[origin] = piece
            else:
                hit = squares[target]
                if not _STEPS[piece] or (hit >= 0 and not (_SWITCH[piece] and _SWAPPED[hit])):
                    return None
                squares[origin], squares[target] = hit, piece
                if hit < 0:
                    taken ^= 1 << origin | 1 << target
            lost = _lost(squares, taken, side)
            if lost >= 0:
                gone, squares[lost] = squares[lost], -1
                taken ^= 1 << lost
                if _KING[gone]:
                    winner = 1 - _SIDE[gone]
            side = 1 - side
        name = SIDES[winner] if winner >= 0 else None
        score = self._start.award(name)
        return LaneResult(len(texts), Outcome(name, KING_HIT, score) if name else None, score)


def _lost(squares: Sequence[int], taken: int, side: int) -> int:
    """The square that a side's shot empties, or -1."""
    at = _LASERS[side]
    direction = _FACING[squares[at]]
    while ahead := _RAYS[direction][at] & taken:
        at = (ahead & -ahead if direction < 2 else ahead).bit_length() - 1
        direction = _HITS[squares[at]][direction]
        if direction < 0:
            return at if direction == REMOVED else -1
    return -1


def _turned(piece: Piece, turn: Turn, start: LaserChessPosition) -> int:
    """The number of a piece after a turn; -1 if it may not turn so."""
    turned = piece.turned(turn.steps)
    if piece.kind is Kind.LASER and turned.facing not in LASER_WAYS[piece.side]:
        return -1
    return -1 if piece.kind is Kind.KING and not start.kings_turn else _PIECES.index(turned)
