"""The ways of Boundary's pieces over an empty board, each with a bit for each square that it enters."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from referee.rules.boundary.pieces import BASE_OWNER, LINES, REACH, SIDES, SIZE, SQUARES, WAY, WORLD, Momentum, Walk
from referee.rules.frozen import Frozen


class Way(NamedTuple):
    """A way to a square: the bits of the squares that are entered, and that of the last one alone."""

    target: int
    entered: int
    last: int


_NUMBERS = range(len(SQUARES))


def _lines(side: str, origin: int) -> tuple[tuple[Way, ...], ...]:
    """The ways of a side's pieces from a square by direction and length, except to an opponent's base."""
    lines = []
    for line in LINES[origin]:
        entered, ways = 0, []
        for target in line:
            entered |= 1 << target
            if BASE_OWNER.get(target, side) == side:
                ways.append(Way(target, entered, 1 << target))
        lines.append(tuple(ways))
    return tuple(lines)


_LINES = Frozen({side: tuple(_lines(side, origin) for origin in _NUMBERS) for side in SIDES})

STOPS = Frozen(
    {
        side: tuple(
            tuple(tuple(way for way in line if WORLD[way.target] == WORLD[origin]) for line in lines)
            for origin, lines in enumerate(_LINES[side])
        )
        for side in SIDES
    }
)
"""For each side and square, the ways of a stone-bop in each direction, within its world."""

WALKS = Frozen(
    {
        (side, size): tuple(
            tuple((way, Walk(SQUARES[origin], SQUARES[way.target])) for line in lines for way in line[:reach])
            for origin, lines in enumerate(STOPS[side])
        )
        for side in SIDES
        for size, reach in REACH.items()
    }
)
"""For each side, size and square, the moves of a pyramid by itself."""

JUMPS = Frozen(
    {
        side: tuple(
            tuple(tuple(line[far] for line in lines if len(line) > far) for far in range(SIZE - 1))
            for lines in _LINES[side]
        )
        for side in SIDES
    }
)
"""For each side and square, the ways of a pyramid that follows a stone-bop, by their length less one."""

_WAYS = tuple(tuple(WAY.get((here, there), ()) for there in _NUMBERS) for here in _NUMBERS)
STEPS = tuple(tuple(map(len, ways)) for ways in _WAYS)
ENTERED = tuple(tuple(sum(1 << number for number in way) for way in ways) for ways in _WAYS)
"""For two squares, a bit for each square entered on the way from one to the other, the last included."""

AROUND = tuple(
    sum(1 << there for there in _NUMBERS if STEPS[here][there] == 1 and WORLD[there] == WORLD[here])
    for here in _NUMBERS
)
"""For each square, its neighbours in the same world, a bit for each."""

BARRED = Frozen({side: sum(1 << base for base, owner in BASE_OWNER.items() if owner != side) for side in SIDES})
"""For each side, the bases of its opponent."""


@lru_cache(maxsize=1 << 16)
def momentum(stone: int, stop: int, origin: int, target: int) -> Momentum:
    """The move of a stone-bop and of the pyramid that follows it; cached, as it takes longer to make."""
    return Momentum(SQUARES[stone], SQUARES[stop], SQUARES[origin], SQUARES[target])
