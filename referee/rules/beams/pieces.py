"""The pieces and the moves of Beams, Boosters and Barriers (rules: "Pieces", "Moves")."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from referee.rules import contract
from referee.rules.beams.board import CLOCKS, Cell, Clock
from referee.rules.frozen import Frozen
from referee.rules.squares import Turn


class PieceType(enum.StrEnum):
    """A kind of piece, by its token in the notation."""

    __hash__ = str.__hash__

    M1 = "M1"
    M2V = "M2V"
    M2Y = "M2Y"
    M3 = "M3"
    R1 = "R1"
    R2V = "R2V"
    R2Y = "R2Y"
    R3 = "R3"
    S = "S"


_SPREAD = {"1": (0,), "2V": (0, 1), "2Y": (0, 2), "3": (0, 1, 2), "": ()}

FAN: Mapping[PieceType, tuple[int, ...]] = Frozen({piece: _SPREAD[piece[1:]] for piece in PieceType})
"""The components of each piece, in clock steps from its leftmost one: what follows the letter of its token."""

GENERATORS = frozenset({PieceType.M1, PieceType.M2V, PieceType.M2Y, PieceType.M3})
BOOSTER = PieceType.S

SETS: Mapping[str, Frozen[PieceType, int]] = Frozen(
    standard=Frozen(zip(PieceType, (3, 1, 1, 1, 3, 1, 1, 1, 4), strict=True)),
    beginner=Frozen(zip(PieceType, (3, 1, 1, 0, 3, 1, 1, 0, 4), strict=True)),
)
"""Each player's hand at the start, by the option `pieces`."""


@dataclass(frozen=True, slots=True)
class Place(contract.Move):
    """Put a piece from the hand on a free own cell; `clock` is its leftmost direction, None for a booster."""

    piece: PieceType
    cell: Cell
    clock: Clock | None = None

    def __post_init__(self) -> None:
        if (self.clock is None) != (self.piece is PieceType.S):
            raise ValueError("a booster has no clock, and every other piece has one")

    def __str__(self) -> str:
        facing = "" if self.clock is None else f" {self.clock:d}"
        return f"P {self.piece} {self.cell}{facing}"


@dataclass(frozen=True, slots=True)
class Rotate(contract.Move):
    """Turn one of your own placed pieces by one step."""

    form = "R {cell} {turn}"

    cell: Cell
    turn: Turn


Move = Place | Rotate


class PlacedPiece(NamedTuple):
    """A piece on the board; `clock` as its owner sees it, None for a booster."""

    piece: PieceType
    clock: Clock | None

    @property
    def components(self) -> tuple[Clock, ...]:
        """The directions of its beams or resisting lines, as its owner sees them, leftmost first."""
        return _COMPONENTS[self]

    def turned(self, turn: Turn) -> PlacedPiece:
        """The same piece after a rotation."""
        return _TURNED[self, turn]


_COMPONENTS = {
    PlacedPiece(piece, clock): tuple(clock.turned(step) for step in fan)
    for piece, fan in FAN.items()
    for clock in CLOCKS
} | {PlacedPiece(PieceType.S, None): ()}

PLACED_PIECES: Mapping[tuple[PieceType, Clock | None], PlacedPiece] = Frozen(
    {(placed.piece, placed.clock): placed for placed in _COMPONENTS}
)
"""Every possible placed piece."""

_TURNED = {
    (placed, turn): placed if placed.clock is None else PLACED_PIECES[placed.piece, placed.clock.turned(turn.steps)]
    for placed in _COMPONENTS
    for turn in Turn
}
