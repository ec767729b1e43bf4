"""The board, the pieces and the moves of Laser Chess (rules/laser-chess.md).

Squares have a number inside the rules: a1 is 0, b1 is 1, a2 is 10, j8 is 79. Directions count clockwise:
0 is north (towards rank 8), 1 east (towards file j), 2 south, 3 west.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import final

from referee.rules import contract
from referee.rules.frozen import Frozen
from referee.rules.squares import AROUND, STRAIGHT, Board, Square, Turn, ahead
from referee.rules.turns import opponents

FILES, RANKS = 10, 8
SIDES = ("blue", "red")

BOARD = Board(FILES, RANKS)
NUMBER = BOARD.numbers
SQUARES = tuple(NUMBER)

other = opponents(SIDES)


def _numbers(names: str) -> frozenset[int]:
    return frozenset(number for number, square in enumerate(SQUARES) if str(square) in names.split())


FORBIDDEN = Frozen(
    blue=_numbers("a1 a2 a3 a4 a5 a6 a7 a8 i1 i8"),
    red=_numbers("b1 b8 j1 j2 j3 j4 j5 j6 j7 j8"),
)
"""The squares that no piece of a side may be moved to: the opponent's helix and the corner of its laser."""

LASER_SQUARE = Frozen({"blue": NUMBER[Square(10, 1)], "red": NUMBER[Square(1, 8)]})
LASER_WAYS = Frozen({"blue": (0, 3), "red": (2, 1)})


class Kind(enum.StrEnum):
    """A kind of piece, by its letter in set-ups."""

    __hash__ = str.__hash__

    LASER = "L"
    KING = "K"
    SWITCH = "S"
    DEFENDER = "D"
    DEFLECTOR = "M"


_made: dict[tuple[str, Kind, int], Piece] = {}


@final
@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    r"""A piece on the board; equal ones are the same object, so that boards are quick to compare.

    `facing` is the side to which a laser fires, the side of a defender's shield, or the first of the two
    neighbouring sides, clockwise, of a deflector's mirror. A switch has 0 for / and 1 for \; a king always has 0.
    """

    side: str
    kind: Kind
    facing: int

    def __new__(cls, side: str, kind: Kind, facing: int) -> Piece:
        """The one piece with these values; TypeError for values of other types that are only equal to them."""
        if type(kind) is not Kind or type(facing) is not int:
            raise TypeError(f"a piece has a Kind and a number, not {kind!r} and {facing!r}")
        return _made.setdefault((side, kind, facing), object.__new__(cls))

    def __reduce__(self) -> tuple[type[Piece], tuple[str, Kind, int]]:
        return Piece, (self.side, self.kind, self.facing)

    def __str__(self) -> str:
        letter = str(self.kind) if self.side == "blue" else str(self.kind).lower()
        return f"{letter}{self.facing}"

    def turned(self, steps: int) -> Piece:
        """The piece turned clockwise by this many quarter turns."""
        return PIECES[self.side, self.kind, (self.facing + steps) % _STATES[self.kind]]


_STATES = {Kind.LASER: 4, Kind.KING: 1, Kind.SWITCH: 2, Kind.DEFENDER: 4, Kind.DEFLECTOR: 4}
PIECES = Frozen(
    {
        (side, kind, facing): Piece(side, kind, facing)
        for side in SIDES
        for kind, states in _STATES.items()
        for facing in range(states)
    }
)
"""Every possible piece."""

TOKENS = Frozen({str(piece): piece for piece in PIECES.values()})


@dataclass(frozen=True, slots=True)
class Step(contract.Move):
    """Move a piece to a neighbouring square; a switch may change places with a deflector or defender there."""

    form = "M {origin}-{target}"

    origin: Square
    target: Square


@dataclass(frozen=True, slots=True)
class Rotate(contract.Move):
    """Turn a piece by ninety degrees."""

    form = "R {square} {turn}"

    square: Square
    turn: Turn


Move = Step | Rotate

AHEAD = tuple(tuple(ahead(NUMBER, square, *way) for square in SQUARES) for way in STRAIGHT)
"""For each direction and square, the squares ahead up to the edge."""

STEPS = tuple(
    tuple(
        (NUMBER[target], Step(square, target))
        for target in (Square(square.file + right, square.rank + up) for right, up in AROUND)
        if target in NUMBER
    )
    for square in SQUARES
)
"""For each square, its neighbours and the moves to them."""

NEAR = tuple(frozenset(target for target, _ in steps) for steps in STEPS)
"""For each square, its neighbours."""

ROTATIONS = tuple(Frozen({turn: Rotate(square, turn) for turn in Turn}) for square in SQUARES)
"""For each square, both rotations."""
