"""The fast lane of Boundary (rules/boundary.md).

Squares are numbers, sets of squares the bits of an integer, pyramids their numbers in `_PYRAMIDS`, and a stack is a
tuple of these, from the bottom. A side is 0 or 1, as in `SIDES`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from referee.rules.boundary.pieces import BASE_OWNER, NUMBER, OWNER, REACH, SIDES, TREES, WORLD, Momentum, Move
from referee.rules.boundary.position import FEWEST_TO_CROSS, TREES_BUILT, WON, BoundaryPosition
from referee.rules.boundary.ways import AROUND, BARRED, ENTERED, STEPS
from referee.rules.lane import Entries, LaneResult, Read
from referee.rules.outcome import Outcome

_PYRAMIDS = tuple(pyramid for tree in TREES.values() for pyramid in tree)
_SIDE = tuple(SIDES.index(OWNER[pyramid.colour]) for pyramid in _PYRAMIDS)
_REACH = tuple(REACH[pyramid.size] for pyramid in _PYRAMIDS)
_TREES = tuple(tuple((goal, tuple(map(_PYRAMIDS.index, tree))) for goal, tree in WON[side]) for side in SIDES)
"""For each side, its two goals and the whole trees that win there."""

_FREE = tuple(~BARRED[side] for side in SIDES)
_BASES = sum(1 << base for base in BASE_OWNER)

_Entry = tuple[int, int, int, int, int, int, int, bool]
"""A move of a pyramid: origin, target, the squares entered, and the reach that it needs by itself.

Then the stone-bop's square or -1, the square where it stops, the squares that it enters, and whether the pyramid
crosses the continuum.
"""


class BoundaryLane:
    """The lane of the games that begin in a position."""

    def __init__(self, start: BoundaryPosition, read: Read) -> None:
        self._start = start
        self._entries = [Entries(read, partial(_entry, side)) for side in SIDES]
        self._stacks: list[tuple[int, ...]] = [()] * len(NUMBER)
        self._stones = [-1] * len(NUMBER)
        self._tops = [0, 0]
        self._owned = [0] * 4
        for number, stack in start.stacks.items():
            self._stacks[number] = tuple(map(_PYRAMIDS.index, stack))
            self._tops[_SIDE[self._stacks[number][-1]]] |= 1 << number
            for pyramid in self._stacks[number]:
                self._owned[2 * WORLD[number] + _SIDE[pyramid]] += 1
        for number, side in start.stones.items():
            self._stones[number] = SIDES.index(side)

    def run(self, texts: Sequence[str]) -> LaneResult | None:
        """As `Lane.run`; a side that seems to have no step is left to the usual way."""
        stacks, stones, tops, owned = self._stacks[:], self._stones[:], self._tops[:], self._owned[:]
        taken = sum(1 << number for number in range(len(NUMBER)) if stacks[number] or stones[number] >= 0)
        entries, side, is_over = self._entries, SIDES.index(self._start.mover), False
        for text in texts:
            entry = entries[side][text]
            if entry is None or is_over:
                return None
            origin, target, entered, reach, stone, stop, passed, crosses = entry
            if not tops[side] >> origin & 1:
                return None
            stack = stacks[origin]
            top = stack[-1]
            if reach > _REACH[top]:
                return None
            if stone >= 0:
                if stones[stone] != side or passed & taken:
                    return None
                if crosses:
                    if owned[2 * WORLD[origin] + side] < FEWEST_TO_CROSS:
                        return None
                    owned[2 * WORLD[origin] + side] -= 1
                    owned[2 * WORLD[target] + side] += 1
                taken ^= 1 << stone | 1 << stop
                stones[stone], stones[stop] = -1, side
            last = 1 << target
            hit = entered & taken
            if hit and (hit != last or not _BASES & last or not stacks[target]):
                return None
            stacks[origin] = stack = stack[:-1]
            tops[side] ^= 1 << origin | last
            if stack:
                tops[_SIDE[stack[-1]]] |= 1 << origin
            else:
                taken ^= 1 << origin
            if stacks[target]:
                tops[1 - side] &= ~last
                tops[side] |= last
            stacks[target] += (top,)
            taken |= last
            (goal, tree), (other_goal, other_tree) = _TREES[side]
            is_over = stacks[goal] == tree and stacks[other_goal] == other_tree
            side = 1 - side
            if not (is_over or _has_step(tops[side], _FREE[side] & ~taken)):
                return None
        winner = SIDES[1 - side] if is_over else None
        score = self._start.award(winner)
        return LaneResult(len(texts), Outcome(winner, TREES_BUILT, score) if is_over else None, score)


def _entry(side: str, move: Move) -> _Entry | None:
    origin, target = NUMBER.get(move.origin), NUMBER.get(move.target)
    if origin is None or target is None:
        return None
    steps, crosses = STEPS[origin][target], WORLD[origin] != WORLD[target]
    if not steps or BARRED[side] >> target & 1:
        return None
    if not isinstance(move, Momentum):
        return None if crosses else (origin, target, ENTERED[origin][target], steps, -1, 0, 0, False)
    stone, stop = NUMBER.get(move.stone), NUMBER.get(move.stone_target)
    if stone is None or stop is None or STEPS[stone][stop] != steps or BARRED[side] >> stop & 1:
        return None
    if not WORLD[stone] == WORLD[stop] == WORLD[origin]:
        return None
    return origin, target, ENTERED[origin][target], 0, stone, stop, ENTERED[stone][stop], crosses


def _has_step(tops: int, free: int) -> bool:
    """True if one of these pyramids has a free neighbour in its world."""
    while tops:
        top = tops & -tops
        if AROUND[top.bit_length() - 1] & free:
            return True
        tops ^= top
    return False
