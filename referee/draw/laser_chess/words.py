"""Laser Chess in words: every piece of each side by its kind, with its direction."""

from __future__ import annotations

from collections.abc import Iterator

from referee.rules.laser_chess import LaserChessPosition, Piece
from referee.rules.laser_chess.pieces import SQUARES, Kind, other

_COMPASS = ("north", "east", "south", "west")
_LISTED = {Kind.LASER: "laser", Kind.KING: "king", Kind.SWITCH: "switches"}


def words(position: LaserChessPosition, *, view: str) -> Iterator[str]:
    """Every piece, each kind a line, those of `view` first; then the square that the last shot emptied."""
    yield "North is towards rank 8, and east towards file j."
    for side in (view, other(view)):
        for kind in Kind:
            own = [
                f"{square} {stance(piece)}".rstrip()
                for square, piece in zip(SQUARES, position.squares, strict=True)
                if piece is not None and (piece.side, piece.kind) == (side, kind)
            ]
            if own:
                name = _LISTED.get(kind, f"{kind.name.lower()}s")
                yield f"{side.capitalize()}'s {name}: {'; '.join(own)}."
    if position.lost is not None:
        yield f"The last shot emptied {SQUARES[position.lost]}."


def name_of(piece: Piece) -> str:
    """A piece in words, without its owner."""
    return f"{piece.kind.name.lower()} {stance(piece)}".rstrip()


def stance(piece: Piece) -> str:
    """The direction of a piece on the board, north towards rank 8; empty for a king."""
    match piece.kind:
        case Kind.KING:
            return ""
        case Kind.LASER:
            return f"pointing {_COMPASS[piece.facing]}"
        case Kind.DEFENDER:
            return f"with its shield to the {_COMPASS[piece.facing]}"
        case Kind.DEFLECTOR:
            return f"open to the {_COMPASS[piece.facing]} and {_COMPASS[(piece.facing + 1) % 4]}"
        case Kind.SWITCH:
            return f"from {'northwest to southeast' if piece.facing else 'southwest to northeast'}"
