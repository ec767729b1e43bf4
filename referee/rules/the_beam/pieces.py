"""The grid, the moves and the beam of The Beam (rules/the-beam.md)."""

from __future__ import annotations

import enum
from collections.abc import Container, Mapping
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


class Slash(enum.StrEnum):
    """A mirror's diagonal across its square."""

    __hash__ = str.__hash__

    RISING = "/"
    FALLING = "\\"

    @property
    def turned(self) -> Slash:
        """The other diagonal."""
        return Slash.FALLING if self is Slash.RISING else Slash.RISING


@dataclass(frozen=True, slots=True)
class Allocate(contract.Move):
    """Make one of the two revealed cards the mirror's row and the other the beam's column."""

    form = "A M{mirror} B{beam}"

    mirror: int
    beam: int


@dataclass(frozen=True, slots=True)
class PlaceMirror(contract.Move):
    """Put a new mirror on a square."""

    form = "P {slash} {square}"

    slash: Slash
    square: Place


@dataclass(frozen=True, slots=True)
class TurnMirror(contract.Move):
    """Turn a mirror to the other diagonal."""

    form = "R {square}"

    square: Place


@dataclass(frozen=True, slots=True)
class TakeMirror(contract.Move):
    """Take a mirror away."""

    form = "X {square}"

    square: Place


Move = Allocate | PlaceMirror | TurnMirror | TakeMirror

GRID = tuple(Place(row, column) for row in range(1, SIZE + 1) for column in range(1, SIZE + 1))

UP, RIGHT, DOWN, LEFT = (1, 0), (0, 1), (-1, 0), (0, -1)

TURNS = Frozen(
    {
        Slash.RISING: Frozen({UP: RIGHT, RIGHT: UP, DOWN: LEFT, LEFT: DOWN}),
        Slash.FALLING: Frozen({UP: LEFT, LEFT: UP, DOWN: RIGHT, RIGHT: DOWN}),
    }
)

_AHEAD = {
    way: Frozen({Place(there.row - way[0], there.column - way[1]): there for there in GRID})
    for way in (UP, RIGHT, DOWN, LEFT)
}
"""For each direction, the square ahead of each square, and of those below the grid; none at the edge."""


class BeamWalk(NamedTuple):
    """A beam's walk: its first column, the squares that it entered, in order, and its end, "barrier" or "edge"."""

    column: int
    path: tuple[Place, ...]
    end: str


def walked(column: int, mirrors: Mapping[Place, Slash], barriers: Container[Place]) -> BeamWalk:
    """The walk of a beam that enters from below; `barriers` are the squares with one on their bottom edge."""
    path: list[Place] = []
    here, way = Place(0, column), UP
    while True:
        there = _AHEAD[way].get(here)
        if (way is UP and there in barriers) or (way is DOWN and here in barriers):
            return BeamWalk(column, tuple(path), "barrier")
        if there is None:
            return BeamWalk(column, tuple(path), "edge")
        path.append(there)
        if there in mirrors:
            way = TURNS[mirrors[there]][way]
        here = there
