"""The grid and the moves of The Beam (rules/the-beam.md)."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import NamedTuple

from referee.rules import contract
from referee.rules.frozen import Frozen

SIZE = 6
PLAYERS = ("p1", "p2", "p3", "p4")
TEAM = "team"
COLOURS = ("yellow", "blue", "green", "red")
POINTS = Frozen({"yellow": 1, "blue": 2, "green": 3, "red": 4})
ROW = Frozen({"yellow": 3, "blue": 4, "green": 5, "red": 6})


class Place(NamedTuple):
    """A square of the grid; row 1 is where the beam enters, column 1 on the left."""

    row: int
    column: int

    def __str__(self) -> str:
        return f"{self.row},{self.column}"

    @property
    def exists(self) -> bool:
        """Whether the grid has this square."""
        return 1 <= self.row <= SIZE and 1 <= self.column <= SIZE


class Slash(enum.StrEnum):
    """How a mirror stands across its square."""

    __hash__ = str.__hash__

    RISING, FALLING = "/", "\\"

    @property
    def turned(self) -> Slash:
        """The other diagonal."""
        return Slash.FALLING if self is Slash.RISING else Slash.RISING


@dataclass(frozen=True, slots=True)
class Allocate(contract.Move):
    """Say which of the two revealed cards is the mirror's row and which the beam's column."""

    mirror: int
    beam: int

    def __str__(self) -> str:
        return f"A M{self.mirror} B{self.beam}"


@dataclass(frozen=True, slots=True)
class PlaceMirror(contract.Move):
    """Put a new mirror on a square."""

    slash: Slash
    square: Place

    def __str__(self) -> str:
        return f"P {self.slash} {self.square}"


@dataclass(frozen=True, slots=True)
class TurnMirror(contract.Move):
    """Turn a mirror to the other diagonal."""

    square: Place

    def __str__(self) -> str:
        return f"R {self.square}"


@dataclass(frozen=True, slots=True)
class TakeMirror(contract.Move):
    """Take a mirror away."""

    square: Place

    def __str__(self) -> str:
        return f"X {self.square}"


Move = Allocate | PlaceMirror | TurnMirror | TakeMirror

GRID = tuple(Place(row, column) for row in range(1, SIZE + 1) for column in range(1, SIZE + 1))
