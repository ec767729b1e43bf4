"""Boards of squares or hexagons: places named by a letter for the file and a number for the rank, and their ways."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from referee.errors import IllegalMove
from referee.rules.frozen import Frozen


class Square(NamedTuple):
    """A square or hexagon such as e4, which a board may lack: `file` and `rank` count from 1."""

    file: int
    rank: int

    def __str__(self) -> str:
        return f"{chr(96 + self.file)}{self.rank}"


STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""The steps to the right and up that lead over the edges of a square."""

AROUND = (*STRAIGHT, (1, 1), (1, -1), (-1, -1), (-1, 1))
"""The steps over its edges and corners."""

_HEXAGONAL = (*STRAIGHT, (1, -1), (-1, 1))


@dataclass(frozen=True, slots=True)
class Board:
    """The places of a board, squares or hexagons; a1 has the number 0, b1 the number 1, and so on, rank by rank.

    Squares have rank 1 at the bottom. Hexagons have it on top, and each rank begins half a hexagon to the right of
    the one above it.
    """

    files: int
    ranks: int
    hexagons: bool = False

    @property
    def numbers(self) -> Frozen[Square, int]:
        """The places with their numbers."""
        return square_numbers(self.files, self.ranks)

    def __contains__(self, square: Square) -> bool:
        return 1 <= square.file <= self.files and 1 <= square.rank <= self.ranks

    def number(self, square: Square) -> int:
        """The number of a place; IllegalMove `unknown-square` if the board lacks it."""
        number = square_numbers(self.files, self.ranks).get(square)
        if number is None:
            last = Square(self.files, self.ranks)
            raise IllegalMove("unknown-square", f"there is no square {square}: the board is a1 to {last}")
        return number

    def near(self, square: Square) -> tuple[Square, ...]:
        """The neighbours of a place, over its edges."""
        steps = _HEXAGONAL if self.hexagons else STRAIGHT
        found = (Square(square.file + right, square.rank + up) for right, up in steps)
        return tuple(one for one in found if one in self)


class Turn(enum.StrEnum):
    """A turn of a piece by one step: L is counter-clockwise, R is clockwise."""

    __hash__ = str.__hash__

    LEFT = "L"
    RIGHT = "R"

    @property
    def steps(self) -> int:
        """Steps, clockwise."""
        return -1 if self is Turn.LEFT else 1


@lru_cache(maxsize=64)
def square_numbers(files: int, ranks: int) -> Frozen[Square, int]:
    """The squares of a board with their numbers."""
    squares = (Square(file, rank) for rank in range(1, ranks + 1) for file in range(1, files + 1))
    return Frozen({square: number for number, square in enumerate(squares)})


def ahead(numbers: Mapping[Square, int], square: Square, right: int, up: int) -> tuple[int, ...]:
    """The numbers of the squares ahead of one in a direction, up to the edge of the board."""
    found = []
    while (square := Square(square.file + right, square.rank + up)) in numbers:
        found.append(numbers[square])
    return tuple(found)
