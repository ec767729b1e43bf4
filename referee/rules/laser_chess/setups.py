"""Set-ups of Laser Chess: the five that have names, and a game's own (rules/laser-chess.md, "Board and set-ups")."""

from __future__ import annotations

from functools import cache

from referee.data import table
from referee.errors import shown
from referee.rules.laser_chess.pieces import (
    FILES,
    FORBIDDEN,
    LASER_SQUARE,
    LASER_WAYS,
    RANKS,
    SIDES,
    SQUARES,
    TOKENS,
    Kind,
    Piece,
)

NAMES = ("ace", "curiosity", "grail", "mercury", "sophie")

Board = tuple[Piece | None, ...]


@cache
def named(name: str) -> Board:
    """The board of one of the named set-ups."""
    rows: list[str] = table("laser-chess", f"set-ups/{name}")["rows"]
    return board(rows)


def board(rows: list[str]) -> Board:
    """The board of eight rows of twenty characters, rank 8 first."""
    tokens = [row[start : start + 2] for row in reversed(rows) for start in range(0, 2 * FILES, 2)]
    return tuple(TOKENS.get(token) for token in tokens)


def rows(squares: Board) -> list[str]:
    """The eight rows of a board."""
    lines = [squares[start : start + FILES] for start in range(0, FILES * RANKS, FILES)]
    return ["".join(str(piece) if piece else ".." for piece in line) for line in reversed(lines)]


def fault(setup: object) -> str | None:
    """The fault of the option `setup`, a name or eight rows; or None."""
    if isinstance(setup, str):
        names = ", ".join(NAMES)
        return None if setup in NAMES else f"setup must be {names}, or eight rows of its own, not {shown(setup)}"
    if not isinstance(setup, list | tuple) or len(setup) != RANKS or not all(isinstance(row, str) for row in setup):
        return f"a setup of its own is {RANKS} rows of text, rank {RANKS} first"
    for row in setup:
        if len(row) != 2 * FILES:
            return f"a row of a setup has {2 * FILES} characters, two for each square; {row[:40]!r} has {len(row)}"
        for start in range(0, len(row), 2):
            if row[start : start + 2] not in {*TOKENS, ".."}:
                return f"a setup has no {row[start : start + 2]!r}: a square is '..' or a piece such as 'M3'"
    return _placement_fault(board(list(setup)))


def _placement_fault(squares: Board) -> str | None:
    """The rule that the pieces of a set-up break, or None."""
    for side in SIDES:
        own = {number: piece for number, piece in enumerate(squares) if piece and piece.side == side}
        lasers = {number: piece for number, piece in own.items() if piece.kind is Kind.LASER}
        corner = LASER_SQUARE[side]
        if list(lasers) != [corner] or lasers[corner].facing not in LASER_WAYS[side]:
            ways = " or ".join(f"{'L' if side == 'blue' else 'l'}{way}" for way in LASER_WAYS[side])
            return f"{side} must have one laser, on {SQUARES[corner]}, as {ways}"
        if sum(piece.kind is Kind.KING for piece in own.values()) != 1:
            return f"{side} must have exactly one king"
        for number, piece in own.items():
            if piece.kind is not Kind.LASER and number in FORBIDDEN[side]:
                return f"no piece of {side} may stand on {SQUARES[number]}"
    return None
