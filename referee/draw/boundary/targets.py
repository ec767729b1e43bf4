"""Targets of Boundary: squares, with the stacks and stone-bops on them."""

from __future__ import annotations

from collections.abc import Iterator

from referee.draw.boards import reading_order, target_ids
from referee.draw.boundary.scene import board_grid
from referee.draw.boundary.text import SIZES, stack_list
from referee.draw.scenes.target import Composition, Target, Wording
from referee.rules.boundary import BoundaryPosition, Momentum, Move
from referee.rules.boundary.pieces import BASE_OWNER, BOARD, NUMBER, OWNER
from referee.rules.squares import Square

_WALK = Wording("P {0}-{1}", "Move {0} to {1}.", ("a pyramid", "its square"))
_MOMENTUM = Wording(
    "S {0}-{1} P {2}-{3}",
    "Move {0} to {1}, then {2} to {3}.",
    ("a stone-bop", "its square", "a pyramid that goes as far", "its square"),
)


def targets(position: BoundaryPosition, *, side: str, view: str) -> Iterator[Target]:
    """All squares from the upper left."""
    grid = board_grid(view)
    for square in reading_order(BOARD, turned=view == "north"):
        name, phrase = _content(position, side, square)
        yield Target(str(square), f"{square}, {name}", str(square), phrase, grid.outline(*square))


def _content(position: BoundaryPosition, side: str, square: Square) -> tuple[str, str]:
    number = NUMBER[square]
    base = f"{BASE_OWNER[number]}'s base, " if number in BASE_OWNER else ""
    if stack := position.stacks.get(number):
        heap = "from the bottom " if len(stack) > 1 else ""
        top = stack[-1]
        whose = "your" if OWNER[top.colour] == side else f"{OWNER[top.colour]}'s"
        return f"{base}{heap}{stack_list(stack)}", f"{whose} {SIZES[top.size]} {top.colour} pyramid on {square}"
    if owner := position.stones.get(number):
        whose = "your" if owner == side else f"{owner}'s"
        return f"{base}{whose} stone-bop", f"{whose} stone-bop on {square}"
    return f"{base}empty", ""


def composition(position: BoundaryPosition, side: str, move: Move) -> Composition:
    """The way to a move: from square to square, with momentum twice."""
    return Composition(_MOMENTUM if isinstance(move, Momentum) else _WALK, target_ids(move))
