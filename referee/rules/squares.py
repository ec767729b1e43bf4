"""Chequered boards: squares named by a letter for the file and a number for the rank, and the ways over them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from referee.rules.frozen import Frozen


class Square(NamedTuple):
    """A square such as e4, which a board may lack: `file` and `rank` count from 1, from the lower left."""

    file: int
    rank: int

    def __str__(self) -> str:
        return f"{chr(96 + self.file)}{self.rank}"


def square_numbers(files: int, ranks: int) -> Frozen[Square, int]:
    """The squares of a board with their numbers: a1 is 0, b1 is 1, and so on, rank by rank."""
    squares = (Square(file, rank) for rank in range(1, ranks + 1) for file in range(1, files + 1))
    return Frozen({square: number for number, square in enumerate(squares)})


def ahead(numbers: Mapping[Square, int], square: Square, right: int, up: int) -> tuple[int, ...]:
    """The numbers of the squares ahead of one in a direction, up to the edge of the board."""
    found = []
    while (square := Square(square.file + right, square.rank + up)) in numbers:
        found.append(numbers[square])
    return tuple(found)
