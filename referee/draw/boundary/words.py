"""Boundary in words: every stack from the bottom, every stone-bop, the rebuilt trees."""

from __future__ import annotations

from collections.abc import Iterator

from referee.draw.boundary.text import SIZES, standing
from referee.rules.boundary import BoundaryPosition, Pyramid
from referee.rules.boundary.pieces import GOAL, OWNER, SQUARES, TREES, other
from referee.terminal import join_words


def words(position: BoundaryPosition, *, view: str) -> Iterator[str]:
    """Everything on the board, each sentence a line, beginning with the rank next to `view`."""
    for side in (view, other(view)):
        yield f"{side.capitalize()}'s pyramids are {join_words(colour for colour in OWNER if OWNER[colour] == side)}."
    for number, stack in sorted(position.stacks.items(), reverse=view == "north"):
        yield f"On {SQUARES[number]}{', from the bottom' if len(stack) > 1 else ''}: {stack_list(stack)}."
    for side in (view, other(view)):
        own = [str(SQUARES[number]) for number, owner in sorted(position.stones.items()) if owner == side]
        yield f"{side.capitalize()}'s stone-bops: {', '.join(own) or 'none'}."
    for colour, goal in GOAL.items():
        if position.stacks.get(goal) == TREES[colour]:
            yield f"The {colour} tree is rebuilt on {SQUARES[goal]}."
    yield from (f"{heading.capitalize()} {text}." for heading, text in standing(position))


def stack_list(stack: tuple[Pyramid, ...]) -> str:
    """The pyramids of a stack, from the bottom."""
    return ", ".join(f"{SIZES[pyramid.size]} {pyramid.colour}" for pyramid in stack)
