"""Boundary in plain text: the two worlds with their stacks and stone-bops, and what happened in a ply."""

from __future__ import annotations

from referee.notation.boundary import stack_text
from referee.rules import Event
from referee.rules.boundary import BoundaryPosition
from referee.rules.boundary.events import PyramidMoved, StoneMoved, TreeRebuilt
from referee.rules.boundary.pieces import BASE_OWNER, NUMBER, OWNER, SIZE, WORLD
from referee.rules.squares import Square
from referee.terminal import counted

_WIDTH = 12
_SIZES = {"L": "large", "M": "medium", "S": "small"}


def board(position: BoundaryPosition, *, view: str, unicode: bool, events: tuple[Event, ...]) -> list[str]:
    """The board as one side sees it; south's pieces are in capitals, north's in small letters.

    Squares to or from which a piece was moved in `events` have a star.
    """
    moved = {
        square
        for event in events
        if isinstance(event, StoneMoved | PyramidMoved)
        for square in (event.origin, event.target)
    }
    ranks = range(SIZE, 0, -1) if view == "south" else range(1, SIZE + 1)
    files = range(1, SIZE + 1) if view == "south" else range(SIZE, 0, -1)
    names = " " * 3 + "".join(f"{chr(96 + file):^{_WIDTH}}" for file in files).rstrip()
    lines = [names]
    for place, rank in enumerate(ranks):
        if place == SIZE // 2:
            lines.append("   " + ("\u2248" if unicode else "~") * (_WIDTH * SIZE))
        cells = (_cell(position, Square(file, rank), moved, unicode=unicode) for file in files)
        lines += [f"{rank}  " + "".join(f"{cell:^{_WIDTH}}" for cell in cells) + f" {rank}", ""]
    del lines[-1]
    dot = "\u25cf \u25cb" if unicode else "(S) (n)"
    return [
        *lines,
        names,
        "",
        "SOUTH north   G green, B blue, r red, y yellow, each with its sizes from",
        f"the bottom: L large, M medium, S small; {dot} stone-bops;",
        "[S] [n] an empty base; * moved last",
    ]


def _cell(position: BoundaryPosition, square: Square, moved: set[Square], *, unicode: bool) -> str:
    number = NUMBER[square]
    star = "*" if square in moved else ""
    if number in position.stacks:
        return star + stack_text(position.stacks[number])
    if number in position.stones:
        own = position.stones[number] == "south"
        return star + ("\u25cf\u25cb"[not own] if unicode else "(S)" if own else "(n)")
    if number in BASE_OWNER:
        return star + ("[S]" if BASE_OWNER[number] == "south" else "[n]")
    return star + ("\u00b7" if unicode else ".")


def standing(position: BoundaryPosition) -> list[tuple[str, str]]:
    """How many pyramids each side has in which world: three are needed to cross the continuum."""
    told = []
    for side in position.sides:
        held = [0, 0]
        for number, stack in position.stacks.items():
            held[WORLD[number]] += sum(OWNER[pyramid.colour] == side for pyramid in stack)
        low = counted(held[0], "pyramid", "pyramids")
        told.append((f"{side} has", f"{low} in the ranks 1 to 3, {held[1]} in the ranks 4 to 6"))
    return told


def sentence(event: Event) -> str:
    """An event in words."""
    match event:
        case StoneMoved(side, origin, target):
            return f"{side}'s stone-bop went from {origin} to {target}"
        case PyramidMoved(pyramid, origin, target, crossed):
            how = ", across the continuum" if crossed else ""
            return f"the {_SIZES[pyramid.size]} {pyramid.colour} pyramid went from {origin} to {target}{how}"
        case TreeRebuilt(colour, square):
            return f"the {colour} tree stands complete on {square}"
        case _:
            raise TypeError(f"no event of Boundary: {event}")
