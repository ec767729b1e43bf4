"""The board, the pieces and the moves of Boundary (rules/boundary.md).

Squares have a number inside the rules: a1 is 0, b1 is 1, a2 is 6, f6 is 35. The continuum runs between the
ranks 3 and 4, which divides the board into two worlds, 0 and 1.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import NamedTuple

from referee.rules import contract
from referee.rules.frozen import Frozen
from referee.rules.squares import Board, Square, ahead
from referee.rules.turns import opponents

SIZE = 6
SIDES = ("south", "north")

BOARD = Board(SIZE, SIZE)
NUMBER = BOARD.numbers
SQUARES = tuple(NUMBER)
WORLD = tuple(int(square.rank > SIZE // 2) for square in SQUARES)
_WAYS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))

other = opponents(SIDES)


def at(name: str) -> int:
    """The number of a square."""
    return NUMBER[Square(ord(name[0]) - 96, int(name[1]))]


class Size(enum.StrEnum):
    """The size of a pyramid, by its letter."""

    __hash__ = str.__hash__

    LARGE = "L"
    MEDIUM = "M"
    SMALL = "S"


REACH = Frozen({Size.LARGE: 3, Size.MEDIUM: 2, Size.SMALL: 1})
"""Maximum squares of a pyramid's own move."""


class Pyramid(NamedTuple):
    """A pyramid; its colour is the name of its tree."""

    colour: str
    size: Size

    def __str__(self) -> str:
        return f"{self.colour} {self.size}"


OWNER = Frozen({"green": "south", "blue": "south", "red": "north", "yellow": "north"})
START = Frozen({"green": at("a1"), "blue": at("f6"), "red": at("f1"), "yellow": at("a6")})
"""The base on which each tree starts."""

GOAL = Frozen({"green": at("f6"), "blue": at("a1"), "red": at("a6"), "yellow": at("f1")})
"""The base that each tree must reach: the one where its owner's other tree started."""

BASE_OWNER = Frozen({START[colour]: OWNER[colour] for colour in START})
STONES = Frozen({at("c3"): "south", at("d4"): "south", at("d3"): "north", at("c4"): "north"})

TREES = Frozen({colour: tuple(Pyramid(colour, size) for size in Size) for colour in OWNER})
"""Each complete tree, from the bottom."""


@dataclass(frozen=True, slots=True)
class Walk(contract.Move):
    """Move the top pyramid of a stack as far as its size allows."""

    form = "P {origin}-{target}"

    origin: Square
    target: Square


@dataclass(frozen=True, slots=True)
class Momentum(contract.Move):
    """Move a stone-bop, then a pyramid in the same world by exactly as many squares."""

    form = "S {stone}-{stone_target} P {origin}-{target}"

    stone: Square
    stone_target: Square
    origin: Square
    target: Square


Move = Walk | Momentum

LINES = tuple(tuple(ahead(NUMBER, square, *way) for way in _WAYS) for square in SQUARES)
"""For each square, the squares ahead in each of the eight directions."""

WAY = Frozen(
    {
        (number, line[distance]): line[: distance + 1]
        for number, lines in enumerate(LINES)
        for line in lines
        for distance in range(len(line))
    }
)
"""For two squares on a straight line, the squares entered on the way from one to the other, the last included."""
