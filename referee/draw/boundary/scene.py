"""The scene of a position of Boundary: two worlds, the continuum, bases, trees seen from above, stone-bops.

South's pyramids are dark with light edges, north's light with dark ones; of a side's two trees the one that
started in rank 1 has ridges, the other terraces, and every pyramid has the letter of its colour.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from referee.draw.boundary.text import sentence, stack_list, words
from referee.draw.scenes.grid import INK, LAST_MOVE_PAINTS, PAPER, SQUARE_PAINTS, Grid, move_arrow, square_outline
from referee.draw.scenes.scene import Circle, Group, Label, Paint, Point, Polygon, Polyline, Scene, Shape
from referee.draw.text import duel_text
from referee.rules import Event
from referee.rules.boundary import BoundaryPosition, Pyramid
from referee.rules.boundary.events import PyramidMoved, StoneMoved
from referee.rules.boundary.pieces import BASE_OWNER, GOAL, OWNER, SIZE, SQUARES, TREES, WORLD, Size

_CELL = 84.0
_GAP = 18.0
MARGIN_X, MARGIN_Y = 34.0, 32.0
_HALF = {Size.LARGE: 31.0, Size.MEDIUM: 21.0, Size.SMALL: 11.0}
"""Half a pyramid's width, seen from above."""

_BUILT = {number: colour for colour, number in GOAL.items()}
"""The tree to rebuild on each base, by square."""

_RIDGED = ("green", "red")


def scene(position: BoundaryPosition, *, view: str, events: tuple[Event, ...] = ()) -> Scene:
    """The picture of a position as one side sees it, with the move in `events`."""
    grid = board_grid(view)
    sketch = _Sketch(position, events, grid)
    shapes = (
        *_empty(view),
        Group(("bases",), tuple(sketch.bases()), still=True),
        Group(("pieces",), (*sketch.trees(), *sketch.stones())),
        *sketch.moves(),
        Group(("labels",), tuple(grid.labels())),
    )
    width, height = grid.right + MARGIN_X, grid.bottom + MARGIN_Y
    turn = duel_text(position.outcome.winner if position.outcome else None, position.mover)
    said = " ".join([*words(position, view=view), f"{turn.capitalize()}."])
    return Scene(width, height, f"Boundary: {turn}", said, shapes, _PAINTS, legend=_LEGEND)


_LEGEND = (
    "Squares with a letter are pyramids as seen from above, a smaller one on a larger one: green, blue, red and "
    "yellow. A small stack beside a tree shows what is out of sight in it. Black discs are south's stone-bops, "
    "rings are north's. A frame in a corner is a base, double for north's, with the tree to rebuild there. The last "
    "move has dashed frames."
)


def board_grid(view: str) -> Grid:
    """The squares as one side sees them."""
    return Grid(SIZE, SIZE, _CELL, MARGIN_X, MARGIN_Y, turned=view == "north", gap=_GAP)


@cache
def _empty(view: str) -> tuple[Group, Group]:
    """The squares and the continuum, which are the same in each position."""
    grid = board_grid(view)
    return (
        Group(("cells",), tuple(_cells(grid)), still=True),
        Group(("continuum",), tuple(_continuum(grid)), "the continuum", still=True),
    )


def _cells(grid: Grid) -> Iterator[Shape]:
    """The squares of both worlds, each world with its tint."""
    for number, (file, rank) in enumerate(SQUARES):
        shade = "even" if (file + rank) % 2 else "odd"
        yield Polygon(grid.outline(file, rank), ("cell", f"world-{WORLD[number]}-{shade}"))


def _continuum(grid: Grid) -> Iterator[Shape]:
    """Waves between the two worlds."""
    middle = (grid.top + grid.bottom) / 2
    steps = int(SIZE * _CELL / 6)
    for offset in (-4, 0, 4):
        wave = (
            (grid.left + 6 * step, middle + offset + 2 * math.sin(step * math.pi / 4)) for step in range(steps + 1)
        )
        yield Polyline(tuple(wave), ("wave",))


class _Sketch(NamedTuple):
    """The shapes of a picture."""

    position: BoundaryPosition
    events: tuple[Event, ...]
    grid: Grid

    def at(self, number: int) -> Point:
        """The middle of a square."""
        return self.grid.at(*SQUARES[number])

    def bases(self) -> Iterator[Shape]:
        """The bases: a frame, double for north's, with the name of the tree to rebuild there."""
        for number, owner in BASE_OWNER.items():
            file, rank = SQUARES[number]
            colour = _BUILT[number]
            frames = [Polygon(self.grid.outline(file, rank, inset), ("base",)) for inset in (2.5, 5.5)]
            x, y = self.at(number)
            note = Label((x, y + 31.5), f"for {colour}", 8, ("base-note",))
            done = self.position.stacks.get(number) == TREES[colour]
            built = (Polygon(self.grid.outline(file, rank, 4), ("complete",)),) if done else ()
            title = f"{owner}'s base {SQUARES[number]}, where the {colour} tree has to be rebuilt"
            yield Group(("base-group",), (*frames[: 2 if owner == "north" else 1], *built, note), title)

    def trees(self) -> Iterator[Shape]:
        """The stacks from above; a stack with a hidden pyramid also has its side view."""
        for number, stack in sorted(self.position.stacks.items()):
            x, y = self.at(number)
            y -= 5 if number in BASE_OWNER else 0
            if any(_HALF[above.size] >= _HALF[below.size] for below, above in pairwise(stack)):
                shapes = [*_from_above(stack, (x - 12, y), 0.84), *_from_aside(stack, (x + 27, y + 30))]
            else:
                shapes = [*_from_above(stack, (x, y), 1.0)]
            yield Group(("stack",), tuple(shapes), f"{SQUARES[number]}, from the bottom: {stack_list(stack)}")

    def stones(self) -> Iterator[Shape]:
        """The stone-bops: south's are solid, north's are rings."""
        for number, side in sorted(self.position.stones.items()):
            centre = self.at(number)
            yield Group(("piece", f"piece-{side}"), stone(side, centre), f"{side}'s stone-bop on {SQUARES[number]}")

    def moves(self) -> Iterator[Shape]:
        """Frames around the squares of the last move, and arrows from one to the other."""
        for event in self.events:
            if isinstance(event, StoneMoved | PyramidMoved):
                half = _HALF[event.pyramid.size] if isinstance(event, PyramidMoved) else 13.0
                origin, target = event.origin, event.target
                aslant = origin.file != target.file and origin.rank != target.rank
                start, end = self.grid.at(*origin), self.grid.at(*target)
                frames = (Polygon(self.grid.outline(*one, 1), ("last",)) for one in (origin, target))
                arrow = move_arrow(start, end, 14, half * (1.42 if aslant else 1.0) + 5)
                yield Group(("moves",), (*frames, *arrow), sentence(event))


def stone(side: str, centre: Point) -> tuple[Circle, Circle]:
    """A stone-bop: south's is solid, north's a ring."""
    inner = Circle(centre, 10, ("stone-ring",)) if side == "north" else Circle(centre, 13, ("shine",))
    return Circle(centre, 17, ("stone", f"stone-{side}")), inner


def _from_above(stack: tuple[Pyramid, ...], centre: Point, scale: float) -> Iterator[Shape]:
    """Pyramids nested in each other; a dashed outline shows a size that only hidden pyramids have."""
    seen = set()
    for place, pyramid in enumerate(stack):
        half = _HALF[pyramid.size]
        above = max((_HALF[one.size] for one in stack[place + 1 :]), default=0.0)
        if above < half:
            seen.add(pyramid.size)
            yield from _pyramid(pyramid, centre, half * scale, above * scale)
    for size in sorted({pyramid.size for pyramid in stack} - seen):
        cover = next(OWNER[one.colour] for one in reversed(stack) if _HALF[one.size] > _HALF[size])
        yield Polygon(square_outline(centre, _HALF[size] * scale), (f"buried-{cover}",))


def _pyramid(pyramid: Pyramid, centre: Point, half: float, above: float) -> Iterator[Shape]:
    """One pyramid from above; those on it reach `above` from the middle, and its letter stays clear of them."""
    x, y = centre
    owner = OWNER[pyramid.colour]
    yield Polygon(square_outline(centre, half), ("pyramid", f"pyramid-{pyramid.colour}"))
    inner = above or 8.0
    if pyramid.colour in _RIDGED:
        for right, down in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            ridge = ((x + right * half, y + down * half), (x + right * inner, y + down * inner))
            yield Polyline(ridge, (f"edge-{owner}",))
    else:
        yield Polygon(square_outline(centre, half - 2.5), (f"edge-{owner}",))
    at, size = ((x, y + (half - 1 + above) / 2), 8.5) if above else (centre, 13.0)
    yield Label(at, pyramid.colour[0].upper(), size, (f"letter-{owner}",))


def _from_aside(stack: tuple[Pyramid, ...], foot: Point) -> Iterator[Shape]:
    x, bottom = foot
    for place, pyramid in enumerate(stack):
        half = _HALF[pyramid.size] / 4 + 4.5
        low = bottom - 10 * place
        corners = ((x - half, low), (x - half + 2, low - 10), (x + half - 2, low - 10), (x + half, low))
        yield Polygon(corners, ("pyramid", f"pyramid-{pyramid.colour}"))
        yield Label((x, low - 4.6), pyramid.colour[0].upper(), 7.5, (f"letter-{OWNER[pyramid.colour]}",))


_LIGHT_LINE, _DARK_LINE = ("#ffffff", "#ffffff"), ("#1b1b1b", "#1b1b1b")

_PAINTS = {
    **SQUARE_PAINTS,
    "world-0-even": Paint(fill=("#f3f0e8", "#2a2822")),
    "world-0-odd": Paint(fill=("#eae6da", "#23211c")),
    "world-1-even": Paint(fill=("#e9eff5", "#232a32")),
    "world-1-odd": Paint(fill=("#dfe7ef", "#1d242b")),
    "wave": Paint(stroke=("#5b7fa6", "#8ab4f8"), width=1.2),
    "base": Paint(stroke=("#5f6368", "#9aa0a6"), width=1.4),
    "base-note": Paint(fill=("#3c4043", "#dadce0")),
    "complete": Paint(stroke=("#188038", "#81c995"), width=4),
    "pyramid": Paint(stroke=("#1b1b1b", "#0b0d0f"), width=1.2),
    "pyramid-green": Paint(fill=("#1b7a3c", "#1e8a44")),
    "pyramid-blue": Paint(fill=("#1d4ca3", "#2a5cb8")),
    "pyramid-red": Paint(fill=("#f4a79f", "#f4a79f")),
    "pyramid-yellow": Paint(fill=("#fbd65a", "#fbd65a")),
    "edge-south": Paint(stroke=_LIGHT_LINE, width=0.9, opacity=0.8),
    "edge-north": Paint(stroke=_DARK_LINE, width=0.9, opacity=0.8),
    "letter-south": Paint(fill=_LIGHT_LINE, bold=True),
    "letter-north": Paint(fill=_DARK_LINE, bold=True),
    "buried-south": Paint(stroke=_LIGHT_LINE, width=1.4, dash=(3, 3)),
    "buried-north": Paint(stroke=_DARK_LINE, width=1.4, dash=(3, 3)),
    "stone": Paint(stroke=INK, width=2),
    "stone-south": Paint(fill=("#3c4043", "#5f6368")),
    "stone-north": Paint(fill=PAPER),
    "stone-ring": Paint(stroke=INK, width=2),
    "shine": Paint(stroke=("#ffffff", "#ffffff"), width=1, opacity=0.5),
    **LAST_MOVE_PAINTS,
}
