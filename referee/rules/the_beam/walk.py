"""The beam's walk through the grid."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import NamedTuple

from referee.rules.frozen import Frozen
from referee.rules.the_beam.pieces import SIZE, Place, Slash

UP, RIGHT, DOWN, LEFT = (1, 0), (0, 1), (-1, 0), (0, -1)

TURNS = Frozen(
    {
        Slash.RISING: Frozen({UP: RIGHT, RIGHT: UP, DOWN: LEFT, LEFT: DOWN}),
        Slash.FALLING: Frozen({UP: LEFT, LEFT: UP, DOWN: RIGHT, RIGHT: DOWN}),
    }
)


class Walk(NamedTuple):
    """Where a beam came in, the squares that it entered, in order, and what ended it: "barrier" or "edge"."""

    column: int
    path: tuple[Place, ...]
    end: str


def walked(column: int, mirrors: Mapping[Place, Slash], barriers: Container[Place]) -> Walk:
    """The walk of a beam that enters from below; `barriers` are the squares with one on their bottom edge."""
    path: list[Place] = []
    here, way = Place(0, column), UP
    while True:
        there = Place(here.row + way[0], here.column + way[1])
        if (way == UP and there in barriers) or (way == DOWN and here in barriers):
            return Walk(column, tuple(path), "barrier")
        if not (1 <= there.row <= SIZE and 1 <= there.column <= SIZE):
            return Walk(column, tuple(path), "edge")
        path.append(there)
        if there in mirrors:
            way = TURNS[mirrors[there]][way]
        here = there
