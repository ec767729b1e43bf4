"""The kit of a game to print: its empty board at true size, and everything to cut out.

A game of another package needs no kit of its own: the one here has the board of its scenes without pieces, and all
pieces that stood on it in a game played at random.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from referee.draw import drawing
from referee.draw.scenes.pdf import Box
from referee.draw.scenes.scene import Group, Paint, Paints, Polygon, Scene, Shape, every, extent, moved, without
from referee.rules import Position, movers

_UNIT = 20 / 48
"""Millimetres of a unit, for games of other packages: eight cells of 48 units fit on a sheet of A4."""

_PLIES = 150
"""Plies of the game that shows which pieces there are."""

_MOVING = ("piece", "pieces", "moves")
"""Classes of groups that are not part of the board."""

CUT_PAINTS: Paints = {
    "cut": Paint(stroke=("#1b1b1b", "#1b1b1b"), width=0.4),
    "fold": Paint(stroke=("#80868b", "#80868b"), width=0.5, dash=(2, 2)),
    "blank": Paint(fill=("#ffffff", "#ffffff")),
}
"""Paints of lines to cut and to fold along, and of paper."""


@dataclass(frozen=True, slots=True)
class CutOut:
    """Something to cut out: its shapes around any point, in units of its sheet, and how many there are."""

    name: str
    shapes: tuple[Shape, ...]
    number: int = 1


@dataclass(frozen=True, slots=True)
class Sheet:
    """Pieces that begin on a page of their own, with a sentence about them, and the millimetres of their units."""

    title: str
    says: str
    pieces: tuple[CutOut, ...]
    unit: float


@dataclass(frozen=True, slots=True)
class Kit:
    """A board without pieces, the part of it to print, the millimetres of a unit, and the sheets of pieces.

    The far half of a `facing` board is printed as its owner sees it.
    """

    board: Scene
    area: Box
    unit: float
    sheets: tuple[Sheet, ...]
    facing: bool = False

    @property
    def measure(self) -> str:
        """The distance of a cell's opposite sides, or the width of a board without polygons, as a sentence."""
        groups = (one.shapes for one in every(self.board.shapes) if isinstance(one, Group))
        first, *_ = next(groups, None) or (None,)
        if not isinstance(first, Polygon):
            return f"The board is {self.area.width * self.unit:.1f} mm wide with its border."
        left, top, right, bottom = extent((first,))
        return f"A cell is {min(right - left, bottom - top) * self.unit:.1f} mm from side to side."


def empty(scene: Scene, *, aside: Collection[str] = _MOVING) -> Scene:
    """A scene without the groups of some classes."""
    shapes = without(scene.shapes, lambda one: any(name in aside for name in one.classes))
    return replace(scene, shapes=shapes, paints={**scene.paints, **CUT_PAINTS})


def whole(scene: Scene) -> Box:
    """The board of a scene, without what is next to it."""
    return Box(0, 0, scene.board_width or scene.width, scene.height)


def rectangle(width: float, height: float, kind: str = "cut") -> Polygon:
    """A rectangle around the origin."""
    x, y = width / 2, height / 2
    return Polygon(((-x, -y), (x, -y), (x, y), (-x, y)), (kind,))


def kit_of(position: Position) -> Kit:
    """The kit of a game without one of its own."""
    view = position.sides[0]
    board = empty(drawing(position.game).scene(position, view=view))
    found = _pieces_seen(position, view)
    pieces = tuple(CutOut("", shapes, number) for shapes, number in found.items())
    sheet = Sheet("pieces", "The most that stood on the board at once in a game of random moves.", pieces, _UNIT)
    return Kit(board, whole(board), _UNIT, (sheet,) if pieces else ())


def _pieces_seen(position: Position, view: str) -> Mapping[tuple[Shape, ...], int]:
    """Every look of a piece in a game of random moves, with the most of them at once."""
    chance, most = random.Random(0), Counter[tuple[Shape, ...]]()
    for _ in range(_PLIES):
        scene = drawing(position.game).scene(position, view=view)
        groups = (one for one in every(scene.shapes) if isinstance(one, Group) and "piece" in one.classes)
        most |= Counter(_centred(one.shapes) for one in groups)
        if position.outcome is not None or not (due := movers(position)):
            break
        position = position.play({side: chance.choice([*position.legal_moves(side)]) for side in due})
    return most


def _centred(shapes: tuple[Shape, ...]) -> tuple[Shape, ...]:
    left, top, right, bottom = extent(shapes)
    return tuple(moved(shape, (-(left + right) / 2, -(top + bottom) / 2)) for shape in shapes)
