"""The laser's beam: where it goes, and what it removes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from referee.rules.laser_chess.pieces import AHEAD, LASER_SQUARE, PIECES, Kind, Piece

Squares = Sequence[Piece | None]

ABSORBED, REMOVED = -1, -2


class Shot(NamedTuple):
    """One firing: the squares the beam enters in order, and the one whose piece it removes, if any."""

    path: tuple[int, ...]
    lost: int | None


_new = tuple.__new__  # without the call in Python that a named tuple makes


def after_hit(piece: Piece, direction: int) -> int:
    """The direction of a beam after it has hit a piece, or ABSORBED or REMOVED."""
    arrives_from = (direction + 2) % 4
    match piece.kind:
        case Kind.DEFLECTOR:
            first, second = piece.facing, (piece.facing + 1) % 4
            return {first: second, second: first}.get(arrives_from, REMOVED)
        case Kind.SWITCH:
            # "/" joins north with west and south with east, "\" north with east and south with west.
            return arrives_from ^ 1 if piece.facing else 3 - arrives_from
        case Kind.DEFENDER:
            return ABSORBED if arrives_from == piece.facing else REMOVED
        case Kind.KING:
            return REMOVED
        case Kind.LASER:
            return ABSORBED


_HITS = {piece: tuple(after_hit(piece, direction) for direction in range(4)) for piece in PIECES.values()}


def fired(squares: Squares, side: str) -> Shot:
    """The shot of a side's laser over a board."""
    at = LASER_SQUARE[side]
    laser = squares[at]
    direction = laser.facing if laser is not None else 0
    path: tuple[int, ...] = ()
    while True:
        line = AHEAD[direction][at]
        for at in line:
            piece = squares[at]
            if piece is not None:
                break
        else:
            return _new(Shot, (path + line, None))
        path += line[: line.index(at) + 1]
        direction = _HITS[piece][direction]
        if direction < 0:
            return _new(Shot, (path, at if direction == REMOVED else None))
