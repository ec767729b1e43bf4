"""The pieces of Beams, Boosters and Barriers, and the moves that are made with them (rules: "Pieces", "Moves")."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import NamedTuple

from referee.rules.beams.board import CLOCKS, Cell, Clock


class Piece(enum.StrEnum):
    """A kind of piece, by its token in the notation."""

    M1, M2V, M2Y, M3 = "M1", "M2V", "M2Y", "M3"
    R1, R2V, R2Y, R3 = "R1", "R2V", "R2Y", "R3"
    S = "S"


FAN: dict[Piece, tuple[int, ...]] = {
    Piece.M1: (0,),
    Piece.M2V: (0, 1),
    Piece.M2Y: (0, 2),
    Piece.M3: (0, 1, 2),
    Piece.R1: (0,),
    Piece.R2V: (0, 1),
    Piece.R2Y: (0, 2),
    Piece.R3: (0, 1, 2),
    Piece.S: (),
}
"""The components of each piece, in clock steps from its leftmost one."""

GENERATORS = frozenset({Piece.M1, Piece.M2V, Piece.M2Y, Piece.M3})
BOOSTER = Piece.S
BARRIERS = frozenset({Piece.R1, Piece.R2V, Piece.R2Y, Piece.R3})

SETS: dict[str, dict[Piece, int]] = {
    "standard": dict(zip(Piece, (3, 1, 1, 1, 3, 1, 1, 1, 4), strict=True)),
    "beginner": dict(zip(Piece, (3, 1, 1, 0, 3, 1, 1, 0, 4), strict=True)),
}
"""What each player has in hand at the start, by the option `pieces`."""


class Turn(enum.StrEnum):
    """A rotation by one step: L is counter-clockwise, R is clockwise."""

    LEFT, RIGHT = "L", "R"

    @property
    def steps(self) -> int:
        """Clock steps, clockwise."""
        return -1 if self is Turn.LEFT else 1


@dataclass(frozen=True, slots=True)
class Place:
    """Put a piece from the hand on an empty cell of one's own territory.

    `clock` is where its leftmost component points, as its owner sees it; None for a booster.
    """

    piece: Piece
    cell: Cell
    clock: Clock | None = None

    def __post_init__(self) -> None:
        if (self.clock is None) != (self.piece is Piece.S):
            raise ValueError("a booster has no clock, and every other piece has one")

    def __str__(self) -> str:
        facing = "" if self.clock is None else f" {self.clock:d}"
        return f"P {self.piece} {self.cell}{facing}"


@dataclass(frozen=True, slots=True)
class Rotate:
    """Turn one of one's own placed pieces by one step."""

    cell: Cell
    turn: Turn

    def __str__(self) -> str:
        return f"R {self.cell} {self.turn}"


Move = Place | Rotate


class Stone(NamedTuple):
    """A piece as it stands on the board; `clock` as its owner sees it, None for a booster."""

    piece: Piece
    clock: Clock | None

    @property
    def components(self) -> tuple[Clock, ...]:
        """The directions of its beams or resisting lines, as its owner sees them, leftmost first."""
        return _COMPONENTS[self]

    def turned(self, turn: Turn) -> Stone:
        """The same piece after a rotation."""
        return self if self.clock is None else STONES[self.piece, self.clock.turned(turn.steps)]


_COMPONENTS = {
    Stone(piece, clock): tuple(clock.turned(step) for step in fan) for piece, fan in FAN.items() for clock in CLOCKS
} | {Stone(Piece.S, None): ()}

STONES: dict[tuple[Piece, Clock | None], Stone] = {(stone.piece, stone.clock): stone for stone in _COMPONENTS}
"""Every stone that there can be, ready made."""
