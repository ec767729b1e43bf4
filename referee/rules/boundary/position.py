"""Positions of Boundary: what is legal, what a move does, when the game ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, cycle
from typing import Self, assert_never

from referee.errors import IllegalMove
from referee.rules.boundary.events import PyramidMoved, StoneMoved, TreeRebuilt
from referee.rules.boundary.pieces import (
    BASE_OWNER,
    BOARD,
    GOAL,
    NUMBER,
    OWNER,
    REACH,
    SIDES,
    SQUARES,
    TREES,
    WAY,
    WORLD,
    Momentum,
    Move,
    Pyramid,
    Walk,
    other,
)
from referee.rules.boundary.ways import AROUND, BARRED, JUMPS, STOPS, WALKS, momentum
from referee.rules.contract import Event
from referee.rules.cursor import TurnCursor
from referee.rules.frozen import Frozen
from referee.rules.outcome import Facts, Termination
from referee.rules.turns import TwoSided, alone

TREES_BUILT = "trees"
"""The end of a game by two rebuilt trees."""

FEWEST_TO_CROSS = 3
WON = Frozen(
    {side: tuple((GOAL[colour], TREES[colour]) for colour in OWNER if OWNER[colour] == side) for side in SIDES}
)
"""For each side, the trees that win and the bases they win on."""

_PYRAMID_AT = Frozen({pyramid: 9 * place for place, pyramid in enumerate(chain(*TREES.values()))})
_STONES_AT = Frozen({side: 108 + 36 * place for place, side in enumerate(SIDES)})
"""The first bit in a layout of a pyramid's square and height, and of a side's stone-bops."""

Stones = Mapping[int, str]


class BoundaryTable:
    """The pieces on the board, and the rules for moving them; `BoundaryPosition` describes each field."""

    stacks: Mapping[int, tuple[Pyramid, ...]]
    stones: Mapping[int, str]

    def won(self, side: str) -> bool:
        """True if a side has rebuilt both its trees."""
        (first, its_tree), (second, other_tree) = WON[side]
        return self.stacks.get(first) == its_tree and self.stacks.get(second) == other_tree

    def _runs(self, mover: str, taken: int) -> bool:
        """True if the last move has not won, and the side to move has a step; False if that is not obvious."""
        free = ~(taken | BARRED[mover])
        if self.won(other(mover)):
            return False
        for origin, stack in self.stacks.items():
            if AROUND[origin] & free and OWNER[stack[-1].colour] == mover:
                return True
        return False

    def _check(self, side: str, move: Move) -> None:
        match move:
            case Walk():
                self._refuse_walk(side, move)
            case Momentum():
                self._refuse_momentum(side, move)
            case _:
                assert_never(move)

    def _refuse_walk(self, side: str, move: Walk) -> None:
        origin, target = BOARD.number(move.origin), BOARD.number(move.target)
        pyramid = self._own_pyramid(side, origin)
        steps = _steps(origin, target)
        reach = REACH[pyramid.size]
        if steps > reach:
            far = f"{reach} square{'s' if reach > 1 else ''}"
            raise IllegalMove(
                "distance", f"a pyramid of size {pyramid.size} goes {far} at most by itself, not {steps}"
            )
        self._refuse_way(side, origin, target, self.stones)
        if WORLD[origin] != WORLD[target]:
            raise IllegalMove("continuum", "a pyramid does not cross the continuum by itself")

    def _refuse_momentum(self, side: str, move: Momentum) -> None:
        stone, stop, origin, target = map(BOARD.number, (move.stone, move.stone_target, move.origin, move.target))
        owner = self.stones.get(stone)
        if owner is None:
            raise IllegalMove("empty-square", f"there is no stone-bop on {move.stone}")
        if owner != side:
            raise IllegalMove("not-yours", f"the stone-bop on {move.stone} is {owner}'s")
        steps = _steps(stone, stop)
        self._refuse_way(side, stone, stop, self.stones, landing=False)
        if WORLD[stone] != WORLD[stop]:
            raise IllegalMove("continuum", "a stone-bop does not cross the continuum")
        self._own_pyramid(side, origin)
        if _steps(origin, target) != steps:
            message = f"the stone-bop went {steps}, so the pyramid must go as far, not {_steps(origin, target)}"
            raise IllegalMove("distance", message)
        stones = dict(self.stones)
        stones[stop] = stones.pop(stone)
        self._refuse_way(side, origin, target, stones)
        if WORLD[origin] != WORLD[target] and pyramids_in(self.stacks, side, WORLD[stone]) < FEWEST_TO_CROSS:
            message = f"to cross the continuum {side} needs {FEWEST_TO_CROSS} pyramids in that world"
            raise IllegalMove("continuum", message)
        if WORLD[origin] != WORLD[stone]:
            raise IllegalMove("other-world", f"the pyramid on {move.origin} is not in the stone-bop's world")

    def _own_pyramid(self, side: str, origin: int) -> Pyramid:
        stack = self.stacks.get(origin)
        if not stack:
            raise IllegalMove("empty-square", f"there is no pyramid on {SQUARES[origin]}")
        if OWNER[stack[-1].colour] != side:
            raise IllegalMove("not-yours", f"the pyramid on {SQUARES[origin]} is {other(side)}'s")
        return stack[-1]

    def _refuse_way(self, side: str, origin: int, target: int, stones: Stones, *, landing: bool = True) -> None:
        """Refuse a blocked way; `landing` if the piece may land on its owner's pyramids on their base."""
        way = WAY[origin, target]
        for number in way[:-1]:
            if number in self.stacks or number in stones:
                raise IllegalMove("blocked", f"a piece stands on {SQUARES[number]}, on the way")
        last = way[-1]
        base = BASE_OWNER.get(last)
        if last in stones or (last in self.stacks and not (landing and base == side)):
            raise IllegalMove("occupied", f"a piece stands on {SQUARES[last]}")
        if base == other(side):
            raise IllegalMove("opponent-base", f"{SQUARES[last]} is a base of {base}'s")


@dataclass(frozen=True, repr=False)
class BoundaryPosition(BoundaryTable, TwoSided[Walk | Momentum]):
    """A position of Boundary: pyramids, bottom first, stone-bops' owners, and `over`, why the last mover has won."""

    game = "boundary"
    sides = SIDES
    kinds = (Walk, Momentum)

    stacks: Frozen[int, tuple[Pyramid, ...]]
    stones: Frozen[int, str]
    mover: str
    over: str | None = None

    @cached_property
    def taken(self) -> int:
        """A bit for each square with a piece."""
        return bits(self.stacks) | bits(self.stones)

    @cached_property
    def layout(self) -> int:
        """A number for the squares of all pieces, the same if and only if these are: it is quick to compare."""
        stones = (1 << number + _STONES_AT[side] for number, side in self.stones.items())
        return sum(stones) + sum(
            (number << 3 | height) << _PYRAMID_AT[pyramid]
            for number, stack in self.stacks.items()
            for height, pyramid in enumerate(stack, 1)
        )

    @property
    def verdict(self) -> tuple[str, str] | None:
        """The win of the side that moved last, once the game is over."""
        return None if self.over is None else (other(self.mover), self.over)

    def judged(self) -> Self:
        """The same position, with `over` set if its last move won."""
        over: str | None = None
        if self.won(other(self.mover)):
            over = TREES_BUILT
        elif next(self._generate(self.mover), None) is None:
            over = Termination.NO_MOVE
        return self if over is None else replace(self, over=over)

    def play_unchecked(self, moves: Mapping[str, Move]) -> BoundaryPosition:
        """The position after a legal move."""
        (move,) = moves.values()
        stacks = dict(self.stacks)
        stones, taken, layout = _changed(stacks, self.stones, self.taken, self.layout, move)
        after = object.__new__(BoundaryPosition)  # a frozen dataclass sets its fields slowly
        mover = other(self.mover)
        vars(after).update(stacks=Frozen(stacks), stones=stones, mover=mover, over=None, taken=taken, layout=layout)
        return after if after._runs(mover, taken) else after.judged()

    def _generate(self, side: str) -> Iterator[Move]:
        # The walks, pyramid by pyramid from a1; then for each stop of each stone-bop the pyramids that follow it.
        stacks, stones, tops = self.stacks, self.stones, []
        taken = self.taken
        open_bases = bits(base for base, owner in BASE_OWNER.items() if owner == side and base in stacks)
        for origin in sorted(stacks):
            pyramid = stacks[origin][-1]
            if OWNER[pyramid.colour] != side:
                continue
            tops.append(origin)
            for (_, entered, last), walk in WALKS[side, pyramid.size][origin]:
                hit = entered & taken
                if not hit or hit == last & open_bases:
                    yield walk
        for stone in sorted(stones):
            if stones[stone] == side:
                followers = [top for top in tops if WORLD[top] == WORLD[stone]]
                yield from self._momenta(side, stone, followers, taken, open_bases)

    def _momenta(self, side: str, stone: int, tops: list[int], taken: int, open_bases: int) -> list[Momentum]:
        """A side's moves that begin with this stone-bop; pyramids may land on `open_bases`, although `taken`."""
        world, jumps, moves = WORLD[stone], JUMPS[side], []
        crossing = pyramids_in(self.stacks, side, world) >= FEWEST_TO_CROSS
        closed = taken ^ 1 << stone
        followed: dict[int, list[tuple[int, int, int]]] = {}
        for line in STOPS[side][stone]:
            for far, (stop, _, stopped) in enumerate(line):
                if stopped & taken:
                    break
                # The same for stops as far in other directions, which differ only in the square that is taken there.
                if far not in followed:
                    followed[far] = [
                        (origin, target, entered)
                        for origin in tops
                        for target, entered, last in jumps[origin][far]
                        if (not (hit := entered & closed) or hit == last & open_bases)
                        and (crossing or WORLD[target] == world)
                    ]
                moves += [
                    momentum(stone, stop, origin, target)
                    for origin, target, entered in followed[far]
                    if not entered & stopped
                ]
        return moves

    def pieces(self, moves: Iterable[Move]) -> Iterator[tuple[str, str]]:
        """The pyramids that are moved, by themselves or by momentum."""
        stacks = {SQUARES[number]: [*map(str, stack)] for number, stack in self.stacks.items()}
        for side, move in zip(cycle((self.mover, other(self.mover))), moves, strict=False):
            pyramid = stacks[move.origin].pop()
            stacks.setdefault(move.target, []).append(pyramid)
            yield side, f"{pyramid} by momentum" if isinstance(move, Momentum) else pyramid

    def facts(self) -> Facts:
        """The stacks, bottom first, and the stone-bops (design: "The contract")."""
        return {
            "stacks": {str(SQUARES[number]): [*map(str, self.stacks[number])] for number in sorted(self.stacks)},
            "stones": {str(SQUARES[number]): self.stones[number] for number in sorted(self.stones)},
        }

    def events(self, moves: Mapping[str, Move], after: BoundaryPosition) -> tuple[Event, ...]:
        """The pieces that were moved, and the trees completed by that."""
        ((side, move),) = moves.items()
        found: list[Event] = []
        if isinstance(move, Momentum):
            found.append(StoneMoved(side, move.stone, move.stone_target))
        top = self.stacks[NUMBER[move.origin]][-1]
        crossed = WORLD[NUMBER[move.origin]] != WORLD[NUMBER[move.target]]
        found.append(PyramidMoved(top, move.origin, move.target, crossed))
        if after.stacks[NUMBER[move.target]] == TREES[top.colour] and GOAL[top.colour] == NUMBER[move.target]:
            found.append(TreeRebuilt(top.colour, move.target))
        return tuple(found)


class BoundaryCursor(BoundaryTable, TurnCursor[Walk | Momentum]):
    """The pieces of a position, changed in place, and a bit for each taken square."""

    kinds = BoundaryPosition.kinds
    stacks: dict[int, tuple[Pyramid, ...]]
    stones: Frozen[int, str]

    def __init__(self, position: BoundaryPosition) -> None:
        self._here: BoundaryPosition | None = position
        self.stacks, self.stones = dict(position.stacks), position.stones
        self._taken, self._layout, self._mover = position.taken, position.layout, position.mover
        self.sides, self.to_move = SIDES, position.to_move

    @property
    def position(self) -> BoundaryPosition:
        """The position here."""
        if self._here is None:
            self._here = BoundaryPosition(Frozen(self.stacks), self.stones, self._mover)
            vars(self._here).update(taken=self._taken, layout=self._layout)  # not to be found again
        return self._here

    def _change(self, move: Move) -> None:
        """Make a legal move, and find out if it has won."""
        self.stones, self._taken, self._layout = _changed(self.stacks, self.stones, self._taken, self._layout, move)
        self._here, self._mover = None, other(self._mover)
        self.to_move = alone(self._mover)
        if not self._runs(self._mover, self._taken):
            self._here = self.position.judged()
            self.to_move = self._here.to_move


def _changed(
    stacks: dict[int, tuple[Pyramid, ...]], stones: Frozen[int, str], taken: int, layout: int, move: Move
) -> tuple[Frozen[int, str], int, int]:
    """The stone-bops, the taken squares and the layout after a legal move, which changes the stacks."""
    if isinstance(move, Momentum):
        stone, stop, changed = NUMBER[move.stone], NUMBER[move.stone_target], dict(stones)
        changed[stop] = side = changed.pop(stone)
        stones, moved = Frozen(changed), 1 << stone | 1 << stop
        taken ^= moved
        layout ^= moved << _STONES_AT[side]
    origin, target = NUMBER[move.origin], NUMBER[move.target]
    stack, below = stacks[origin], stacks.get(target, ())
    if len(stack) > 1:
        stacks[origin] = stack[:-1]
    else:
        del stacks[origin]
        taken ^= 1 << origin
    stacks[target] = below + stack[-1:]
    places = (origin << 3 | len(stack)) ^ (target << 3 | len(below) + 1)
    return stones, taken | 1 << target, layout ^ places << _PYRAMID_AT[stack[-1]]


def bits(squares: Iterable[int]) -> int:
    """A bit for each of some different squares."""
    return sum(map((1).__lshift__, squares))


def pyramids_in(stacks: Mapping[int, tuple[Pyramid, ...]], side: str, world: int) -> int:
    """The number of a side's pyramids in a world, buried ones too."""
    return sum(
        OWNER[pyramid.colour] == side
        for number, stack in stacks.items()
        if WORLD[number] == world
        for pyramid in stack
    )


def _steps(origin: int, target: int) -> int:
    """The number of squares on a straight way."""
    way = WAY.get((origin, target))
    if way is None:
        raise IllegalMove("not-straight", f"from {SQUARES[origin]} to {SQUARES[target]} is not a straight line")
    return len(way)
