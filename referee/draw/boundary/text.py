"""Boundary in plain text and in words: the two worlds with their stacks and stone-bops, and the events of a ply."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from referee.draw.boards import board_rows, places_of
from referee.draw.scenes.ink import Line, Run
from referee.draw.text import REPORT_WIDTH, legend
from referee.notation.boundary import stack_text
from referee.rules import Event
from referee.rules.boundary import BoundaryPosition, Pyramid
from referee.rules.boundary.events import PyramidMoved, StoneMoved, TreeRebuilt
from referee.rules.boundary.pieces import BASE_OWNER, BOARD, GOAL, NUMBER, OWNER, SIZE, SQUARES, TREES, Size, other
from referee.rules.boundary.position import pyramids_in
from referee.rules.squares import Square
from referee.terminal import counted, join_words

_WIDTH = 11
_NARROW = 7
SIZES = {size: size.name.lower() for size in Size}


def board_lines(
    position: BoundaryPosition, *, view: str, unicode: bool, events: tuple[Event, ...], width: int
) -> list[Line]:
    """The board as one side sees it; south's pieces are in capitals, north's in small letters.

    The squares that a piece left or reached in `events` have a star. Below 78 columns the board is 45 wide.
    """
    narrow = width < REPORT_WIDTH
    margin, room = (1, _NARROW) if narrow else (2, _WIDTH)
    moves = (event for event in events if isinstance(event, StoneMoved | PyramidMoved))
    moved = {square for event in moves for square in places_of(event)}

    def cell(square: Square) -> tuple[Line, Line]:
        star = (Run("*", "last-head"),) if square in moved else ()
        return star, _cell(position, square, unicode=unicode)

    names, *rows, _ = board_rows(BOARD, cell, room=room, margin=margin, turned=view == "north", narrow=narrow)
    lines = [names, *(line for row in rows for line in (row, ()))]
    lines.insert(SIZE + 1, (Run(" " * margin), Run(("\u2248" if unicode else "~") * (room * SIZE), "wave")))
    dots = "\u25cf \u25cb" if unicode else "(S) (n)"
    said = (
        "SOUTH north   G green, B blue, r red, y yellow, each with its sizes from",
        f"the bottom: L large, M medium, S small; {dots} stone-bops;",
        "[S] [n] an empty base; * moved last",
    )
    return [*lines[:-1], names, (), *legend(said, width)]


def _cell(position: BoundaryPosition, square: Square, *, unicode: bool) -> Line:
    number = NUMBER[square]
    if number in position.stacks:
        colours = groupby(position.stacks[number], key=lambda pyramid: pyramid.colour)
        return tuple(Run(stack_text(tuple(pyramids)), f"pyramid-{colour}") for colour, pyramids in colours)
    if number in position.stones:
        own = position.stones[number] == "south"
        return (Run("\u25cf\u25cb"[not own] if unicode else "(S)" if own else "(n)", "owner"),)
    if number in BASE_OWNER:
        return (Run("[S]" if BASE_OWNER[number] == "south" else "[n]"),)
    return (Run("\u00b7" if unicode else "."),)


def standing(position: BoundaryPosition) -> list[tuple[str, str]]:
    """The number of each side's pyramids in each world: three are needed to cross the continuum."""
    lines = []
    for side in position.sides:
        low, high = (pyramids_in(position.stacks, side, world) for world in (0, 1))
        said = f"{counted(low, 'pyramid', 'pyramids')} in the ranks 1 to 3, {high} in the ranks 4 to 6"
        lines.append((f"{side} has", said))
    return lines


def sentence(event: Event) -> str:
    """An event in words."""
    match event:
        case StoneMoved(side, origin, target):
            return f"{side}'s stone-bop went from {origin} to {target}"
        case PyramidMoved(pyramid, origin, target, crossed):
            how = ", across the continuum" if crossed else ""
            return f"the {SIZES[pyramid.size]} {pyramid.colour} pyramid went from {origin} to {target}{how}"
        case TreeRebuilt(colour, square):
            return f"the {colour} tree is complete on {square}"
        case _:
            raise TypeError(f"no event of Boundary: {event}")


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
