"""A fast way through a game of Boundary, for work that makes many moves."""

from __future__ import annotations

from referee.rules.boundary.pieces import (
    BASE_OWNER,
    NUMBER,
    OWNER,
    REACH,
    SIDES,
    SQUARES,
    WAY,
    WORLD,
    Momentum,
    Move,
    Walk,
    other,
)
from referee.rules.boundary.position import ALONE, FEWEST_TO_CROSS, WON, BoundaryPosition, pyramids_in
from referee.rules.contract import Position
from referee.rules.cursor import TurnCursor
from referee.rules.frozen import Frozen

_NOWHERE = len(SQUARES)
"""The number for a missing square, with no ways."""

_NUMBERS = range(_NOWHERE + 1)
_WAYS = tuple(tuple(WAY.get((origin, target), ()) for target in _NUMBERS) for origin in _NUMBERS)
STEPS = tuple(tuple(map(len, ways)) for ways in _WAYS)
ENTERED = tuple(tuple(sum(1 << number for number in way) for way in ways) for ways in _WAYS)
"""For two squares, a bit for each square entered on the way from one to the other, the last included."""

AROUND = tuple(
    sum(1 << target for target in _NUMBERS[:-1] if STEPS[origin][target] == 1 and WORLD[target] == WORLD[origin])
    for origin in _NUMBERS[:-1]
)
"""For each square, its neighbours in the same world, a bit for each."""

BARRED = Frozen({side: sum(1 << base for base, owner in BASE_OWNER.items() if owner != side) for side in SIDES})
"""For each side, the bases of its opponent."""


class BoundaryCursor(TurnCursor[Walk | Momentum]):
    """The pieces of a position, changed in place, and a bit for each taken square."""

    def _stand(self, position: Position[Walk | Momentum]) -> None:
        assert isinstance(position, BoundaryPosition)
        self._here: BoundaryPosition | None = position
        self._stacks, self._stones = dict(position.stacks), dict(position.stones)
        self._taken = sum(1 << number for number in (*position.stacks, *position.stones))
        self._mover, self.to_move = position.mover, position.to_move

    @property
    def position(self) -> BoundaryPosition:
        """The position here."""
        if self._here is None:
            self._here = BoundaryPosition(Frozen(self._stacks), Frozen(self._stones), self._mover)
        return self._here

    def _make(self, move: Move) -> bool:
        """Make a move of the side to move if it holds beyond doubt; if not, nothing is changed."""
        if not isinstance(move, BoundaryPosition.kinds):
            return False
        side, stacks, taken = self._mover, self._stacks, self._taken
        origin, target = NUMBER.get(move.origin, _NOWHERE), NUMBER.get(move.target, _NOWHERE)
        stack = stacks.get(origin)
        steps = STEPS[origin][target]
        if not stack or not steps or OWNER[stack[-1].colour] != side or BARRED[side] >> target & 1:
            return False
        world = WORLD[origin]
        if isinstance(move, Momentum):
            stone, stop = NUMBER.get(move.stone, _NOWHERE), NUMBER.get(move.stone_target, _NOWHERE)
            if self._stones.get(stone) != side or STEPS[stone][stop] != steps or ENTERED[stone][stop] & taken:
                return False
            if BARRED[side] >> stop & 1 or not WORLD[stone] == WORLD[stop] == world:
                return False
            if WORLD[target] != world and pyramids_in(stacks, side, world) < FEWEST_TO_CROSS:
                return False
            taken ^= 1 << stone | 1 << stop
        elif steps > REACH[stack[-1].size] or WORLD[target] != world:
            return False
        hit = ENTERED[origin][target] & taken
        # A pyramid may land on others only on a base of its owner.
        if hit and (hit != 1 << target or target not in BASE_OWNER or target not in stacks):
            return False
        if isinstance(move, Momentum):
            self._stones[stop] = self._stones.pop(stone)
        if stack[1:]:
            stacks[origin] = stack[:-1]
        else:
            del stacks[origin]
            taken ^= 1 << origin
        stacks[target] = (*stacks.get(target, ()), stack[-1])
        self._taken = taken | 1 << target
        self._pass_on(side)
        return True

    def _pass_on(self, side: str) -> None:
        self._here, self._mover = None, other(side)
        self.to_move = ALONE[self._mover]
        (first, its_tree), (second, other_tree) = WON[side]
        stacks = self._stacks
        won = stacks.get(first) == its_tree and stacks.get(second) == other_tree
        if won or not self._has_step():
            self._here = self.position.judged()
            self.to_move = self._here.to_move

    def _has_step(self) -> bool:
        mover, free = self._mover, ~(self._taken | BARRED[self._mover])
        for origin, stack in self._stacks.items():
            if AROUND[origin] & free and OWNER[stack[-1].colour] == mover:
                return True
        return False
