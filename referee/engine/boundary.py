"""The evaluation of Boundary: the number of moves that each pyramid still needs."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from functools import cache, lru_cache, reduce
from itertools import combinations, starmap
from operator import eq, or_

from referee.engine.search.alphabeta import AlphaBeta
from referee.engine.search.evaluation import Evaluation, Trial, worth
from referee.rules import Move, Position
from referee.rules.boundary import BoundaryPosition, Pyramid
from referee.rules.boundary.pieces import (
    GOAL,
    LINES,
    NUMBER,
    OWNER,
    REACH,
    SIDES,
    SQUARES,
    TREES,
    WORLD,
    Momentum,
    Size,
    Walk,
    other,
)
from referee.rules.boundary.position import WON
from referee.rules.boundary.ways import AROUND, BARRED
from referee.rules.squares import Square

PER_MOVE = 100
"""Worth of a move that a pyramid no longer needs."""

IN_THE_WAY = 2
"""Cost in moves of a pyramid that is on its goal before the larger ones."""

STEP = 3
"""Worth of a square nearer to the goal, for the same number of moves."""


def _needed(goal: int, size: Size) -> tuple[int, ...]:
    """For each square, the moves to a goal over an empty board; only a stone-bop's push crosses the continuum."""
    found = {goal: 0}
    frontier = [goal]
    while frontier:
        reached = []
        for here in frontier:
            for line in LINES[here]:
                for distance, there in enumerate(line, 1):
                    walks = WORLD[there] == WORLD[here] and distance <= REACH[size]
                    pushed = distance <= _PUSHED
                    if (walks or pushed) and there not in found:
                        found[there] = found[here] + 1
                        reached.append(there)
        frontier = reached
    return tuple(found[square] for square in range(len(SQUARES)))


_PUSHED = 2
"""Usual distance over which a stone-bop can push a pyramid."""


def _apart(goal: int) -> tuple[int, ...]:
    """For each square, the king's steps to a goal."""
    there = SQUARES[goal]
    return tuple(max(abs(one.file - there.file), abs(one.rank - there.rank)) for one in SQUARES)


_MOVES = {Pyramid(colour, size): _needed(GOAL[colour], size) for colour in OWNER for size in Size}
_COST = {
    pyramid: tuple(
        PER_MOVE * moves + STEP * steps for moves, steps in zip(needed, _apart(GOAL[pyramid.colour]), strict=True)
    )
    for pyramid, needed in _MOVES.items()
}
_WHOLE = len(Size)
_GOALS = {goal: colour for colour, goal in GOAL.items()}


class BoundaryEvaluation(Evaluation[BoundaryPosition]):
    """The moves that both sides still need, as if each had the board alone."""

    def value(self, position: BoundaryPosition, side: str) -> int:
        """The opponent's needed moves less the side's, in hundredths."""
        lead = sum(starmap(_lead, position.stacks.items()))
        return lead if side == SIDES[0] else -lead

    def key(self, position: BoundaryPosition) -> Hashable:
        """The pieces and the side to move."""
        return position.layout if position.mover == SIDES[0] else ~position.layout

    def promising(self, position: BoundaryPosition, side: str, moves: Iterable[Move]) -> list[Move]:
        """The moves, those first that bring a pyramid nearest to its goal."""
        costs = {SQUARES[number]: _costs(stack[-1], number) for number, stack in position.stacks.items()}

        def cost(move: Walk | Momentum) -> int:
            return costs[move.origin][move.target]

        return sorted(moves, key=cost)  # type: ignore[arg-type]

    def is_far(self, position: BoundaryPosition, side: str, turns: int) -> bool:
        """True if more pyramids are out of place, and the opponent has too much room to be shut in."""
        stacks, rival = position.stacks, other(side)
        placed = sum(sum(map(eq, stacks.get(goal, ()), tree)) for goal, tree in WON[side])
        free = ~(position.taken | BARRED[rival])
        rooms = [AROUND[origin] & free for origin, stack in stacks.items() if OWNER[stack[-1].colour] == rival]
        # A turn fills two squares and the reply to it one; the pyramids that reply may be shut in by that.
        staying = combinations(rooms, max(0, len(rooms) - turns + 1))
        has_room = all(reduce(or_, some, 0).bit_count() >= 3 * turns for some in staying)
        return has_room and 2 * _WHOLE - placed > turns

    def trial(self, position: BoundaryPosition, side: str) -> Trial:
        """As in any game, but without positions unless the move may end the game."""
        stacks, opponent, sign = position.stacks, other(position.mover), 1 if side == SIDES[0] else -1
        before, free, steps = self.value(position, SIDES[0]), ~(position.taken | BARRED[opponent]), 0
        known: dict[Square, tuple[int, Mapping[Square, int]]] = {}
        for origin, stack in stacks.items():
            if OWNER[stack[-1].colour] == opponent:
                steps |= AROUND[origin] & free
                if steps.bit_count() > _FILLED:
                    break

        is_roomy = steps.bit_count() > _FILLED

        def left(origin: Square) -> tuple[int, Mapping[Square, int]]:
            number = NUMBER[origin]
            stack = stacks[number]
            # A whole tree may be uncovered on its base by a pyramid that leaves it.
            alone = _ALONE[stack[-1]] if is_roomy and len(stack) <= _WHOLE else {}
            known[origin] = before - _lead(number, stack) + _lead(number, stack[:-1]), alone
            return known[origin]

        def value(moves: Mapping[str, Walk | Momentum]) -> int:
            (move,) = moves.values()
            rest, alone = known.get(move.origin) or left(move.origin)
            lead = alone.get(move.target)
            return worth(self, position.play_unchecked(moves), side) if lead is None else sign * (rest + lead)

        return value


@lru_cache(maxsize=1 << 14)
def _lead(square: int, stack: tuple[Pyramid, ...]) -> int:
    """The part of a stack in the first side's lead: its cost counts for the owner of the lowest pyramid.

    That is the cost of the moves that its pyramids need: those above must leave before those below.
    """
    cost = 0
    colour = _GOALS.get(square)
    wanted = TREES[colour] if colour is not None else ()
    rebuilt = True
    for height, pyramid in enumerate(stack):
        rebuilt = rebuilt and height < len(wanted) and pyramid == wanted[height]
        if rebuilt:
            continue
        cost += _COST[pyramid][square]
        if pyramid.colour == colour:
            cost += IN_THE_WAY * PER_MOVE
    return -cost if stack and OWNER[stack[0].colour] == SIDES[0] else cost


_FILLED = 2
"""Maximum squares that a move fills."""

_ALONE = {
    pyramid: {square: _lead(number, (pyramid,)) for square, number in NUMBER.items() if number not in _GOALS}
    for pyramid in _COST
}
"""For each pyramid, its lead where it stands alone; on a base it may complete a tree."""


@cache
def _costs(pyramid: Pyramid, square: int) -> Mapping[Square, int]:
    """The change of a pyramid's cost on each square that it may reach from one."""
    return {there: cost - _COST[pyramid][square] for there, cost in zip(SQUARES, _COST[pyramid], strict=True)}


_SEARCH = AlphaBeta(BoundaryEvaluation())


def search(position: Position) -> AlphaBeta:
    """The search for any position."""
    return _SEARCH
