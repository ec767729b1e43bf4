"""The scene of a position of Laser Chess: squares, helices, pieces, the last move and its shot.

Blue's pieces are light on a filled tile, red's dark on a pale tile with a rim.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache, lru_cache

from referee.draw.boards import places_of
from referee.draw.laser_chess.text import name_of, sentence, words
from referee.draw.scenes.grid import INK, LAST_MOVE_PAINTS, SQUARE_PAINTS, Grid, around, bar, head, move_arrow
from referee.draw.scenes.scene import Circle, Group, Paint, Point, Polygon, Polyline, Scene, Shape
from referee.draw.text import duel_text
from referee.draw.words import capital
from referee.rules import Event
from referee.rules.laser_chess import LaserChessPosition, Piece
from referee.rules.laser_chess.events import Fired, Moved, Removed, Rotated, Swapped
from referee.rules.laser_chess.pieces import FILES, FORBIDDEN, LASER_SQUARE, NUMBER, RANKS, SQUARES, Kind, other
from referee.rules.laser_chess.shot import after_hit
from referee.rules.squares import STRAIGHT, Square

CELL = 52.0
MARGIN_X, MARGIN_Y = 34.0, 32.0
_TILE = 21.0
"""Half a tile's width."""

_CROWN = ((-13, 9), (-15, -8), (-7, -1), (0, -13), (7, -1), (15, -8), (13, 9))
_EMITTER = ((-9, 13), (-9, -2), (-4, -6), (-4, -15), (4, -15), (4, -6), (9, -2), (9, 13))
_MUZZLE = ((-6, -20), (6, -20), (4, -15), (-4, -15))
_BAR = ((-18, -19), (18, -19), (18, -13), (-18, -13))
_WEDGE = ((-15, -11), (11, 15), (-15, 15))
_FALLING = ((-17, -17), (17, 17))
_RISING = ((-17, 17), (17, -17))
"""The shapes of pieces around the origin, for one that faces up the page."""


def scene(position: LaserChessPosition, *, view: str, events: tuple[Event, ...] = ()) -> Scene:
    """The picture of a position as one side sees it, with the move and the shot in `events`."""
    sketch = _Sketch(position, view, events)
    grid = sketch.grid
    shapes = (
        *_empty(view),
        Group(("pieces",), tuple(sketch.pieces())),
        *sketch.moves(),
        *sketch.shots(),
        Group(("labels",), tuple(grid.labels())),
    )
    width, height = grid.right + MARGIN_X, grid.bottom + MARGIN_Y
    turn = duel_text(position.winner, position.mover)
    shots = [_shot_text(event, sketch.removed) for event in events if isinstance(event, Fired)]
    said = " ".join([*words(position, view=view), *(f"{capital(one)}." for one in (*shots, turn))])
    return Scene(width, height, f"Laser Chess: {turn}", said, shapes, _PAINTS, legend=_LEGEND)


_LEGEND = (
    "A crown is a king, a dot a defender with its shield as a grey bar, a cannon a laser; a deflector has one "
    "mirror from corner to corner, a switch a mirror that reflects on both sides. Only blue may enter the squares "
    "with blue spirals, only red those with red ones. The last move is framed, the last shot is the pink line, and "
    "a cross is on what it removed."
)


def board_grid(view: str) -> Grid:
    """The squares as one side sees them."""
    return Grid(FILES, RANKS, CELL, MARGIN_X, MARGIN_Y, turned=view == "red")


@cache
def _empty(view: str) -> tuple[Group, Group]:
    """The squares and helices, which are the same in each position."""
    grid = board_grid(view)
    return (
        Group(("cells",), tuple(_cells(grid)), still=True),
        Group(("helices",), tuple(_helices(grid)), still=True),
    )


def _cells(grid: Grid) -> Iterator[Shape]:
    """The squares; those for one side only have its tint."""
    for number, square in enumerate(SQUARES):
        owner = next((side for side in FORBIDDEN if number in FORBIDDEN[other(side)]), None)
        tint = f"cell-{owner}" if owner else f"cell-{'even' if sum(square) % 2 else 'odd'}"
        yield Polygon(grid.outline(*square), ("cell", tint))


def _helices(grid: Grid) -> Iterator[Shape]:
    """The helix on each square for one side only: blue's is upright, red's is flat."""
    for side in FORBIDDEN:
        for number in sorted(FORBIDDEN[other(side)] - {LASER_SQUARE[side]}):
            square = SQUARES[number]
            lines = tuple(_helix(grid.at(*square), standing=side == "blue", side=side))
            yield Group((), lines, f"{side}'s helix on {square}")


def tile(piece: Piece, centre: Point, quarters: int) -> Iterator[Shape]:
    """A piece: its owner's tile and the shape of its kind; `quarters` are the quarter turns of the view."""
    side = piece.side
    yield Polygon(around(_octagon(_TILE), centre), ("tile", f"tile-{side}"))
    if side == "red":
        yield Polygon(around(_octagon(_TILE - 2.5), centre), ("rim",))
    facing = 0 if piece.kind is Kind.KING else piece.facing + quarters
    solid, open_line = (f"solid-{side}",), (f"open-{side}",)
    match piece.kind:
        case Kind.KING:
            yield Polygon(around(_CROWN, centre), solid)
            yield Polyline(around(((-12, 14), (12, 14)), centre), open_line)
        case Kind.LASER:
            yield Polygon(around(_EMITTER, centre, facing), solid)
            yield Polygon(around(_MUZZLE, centre, facing), ("muzzle",))
            yield Circle(around(((0, 5),), centre, facing)[0], 4, ("muzzle",))
        case Kind.DEFENDER:
            yield Circle(around(((0, 3),), centre, facing)[0], 8, solid)
            yield Polygon(around(_BAR, centre, facing), ("shield",))
        case Kind.DEFLECTOR:
            yield Polygon(around(_WEDGE, centre, facing), solid)
            yield from _mirror(around(_FALLING, centre, facing))
        case Kind.SWITCH:
            for away in (-6, 6):
                beside = ((-12 + away, 12 + away), (12 + away, -12 + away))
                yield Polyline(around(beside, centre, facing), open_line)
            yield from _mirror(around(_RISING, centre, facing))


def _mirror(ends: tuple[Point, ...]) -> Iterator[Shape]:
    yield Polyline(ends, ("mirror-frame",))
    yield Polyline(ends, ("mirror",))


def _octagon(half: float) -> tuple[Point, ...]:
    cut = half - 5
    return (
        *((-cut, -half), (cut, -half), (half, -cut), (half, cut)),
        *((cut, half), (-cut, half), (-half, cut), (-half, -cut)),
    )


@lru_cache(2048)
def _piece(piece: Piece, square: Square, view: str) -> tuple[Shape, ...]:
    """A piece on a square, which is the same in many positions."""
    return tuple(tile(piece, board_grid(view).at(*square), 2 if view == "red" else 0))


class _Sketch:
    """The shapes of a picture."""

    def __init__(self, position: LaserChessPosition, view: str, events: tuple[Event, ...]) -> None:
        self.position = position
        self.events = events
        self.view = view
        self.grid = board_grid(view)
        self.removed = {event.square: event.piece for event in events if isinstance(event, Removed)}

    def pieces(self) -> Iterator[Shape]:
        """Every piece, and faintly the one that the shot removed."""
        for square, gone in self.removed.items():
            shapes = (*_piece(gone, square, self.view), Polygon(self.grid.outline(*square, 2), ("veil",)))
            yield Group(("removed",), shapes, f"removed: {gone.side}'s {name_of(gone)} on {square}")
        for square, piece in zip(SQUARES, self.position.squares, strict=True):
            if piece is not None:
                title = f"{piece.side}'s {name_of(piece)} on {square}"
                yield Group(("piece", f"piece-{piece.side}"), _piece(piece, square, self.view), title)

    def moves(self) -> Iterator[Shape]:
        """Frames around the squares of the last move, and an arrow from one to the other."""
        for event in self.events:
            if isinstance(event, Moved | Swapped | Rotated):
                shapes: list[Shape] = [Polygon(self.grid.outline(*one, 2), ("last",)) for one in places_of(event)]
                if isinstance(event, Moved):
                    shapes += move_arrow(self.grid.at(*event.origin), self.grid.at(*event.target), 3, _TILE + 1)
                yield Group(("moves",), tuple(shapes), sentence(event))

    def shots(self) -> Iterator[Shape]:
        """The path of the last shot, and its end."""
        for event in self.events:
            if isinstance(event, Fired):
                points, end = self._shot(event)
                lines = (Polyline(points, ("shot-glow",)), Polyline(points, ("shot",)))
                yield Group(("shots",), (*lines, *self._fate(points, end)), _shot_text(event, self.removed))

    def _shot(self, event: Fired) -> tuple[tuple[Point, ...], str]:
        """The points of a shot from the laser to its end, and the kind of its end."""
        at = self.grid.at(*SQUARES[LASER_SQUARE[event.side]])
        path = [self.grid.at(*square) for square in event.path]
        laser = self.position.squares[LASER_SQUARE[event.side]]
        direction = laser.facing if laser is not None else 0
        muzzle = _ahead(at, self.grid.way(direction), _TILE)
        if not event.path:
            return (muzzle, _ahead(at, self.grid.way(direction), CELL / 2)), "edge"
        points = [muzzle, *path]
        if event.path[1:]:
            (file, rank), (to_file, to_rank) = event.path[-2:]
            direction = STRAIGHT.index((to_file - file, to_rank - rank))
        last = event.path[-1]
        if last in self.removed:
            return tuple(points), "hit"
        piece = self.position.squares[NUMBER[last]]
        after = direction if piece is None else after_hit(piece, direction)
        if after >= 0:
            return (*points, _ahead(path[-1], self.grid.way(after), CELL / 2 + 10)), "edge"
        return (*points[:-1], _ahead(path[-1], self.grid.way(direction), -_TILE + 1)), "shield"

    def _fate(self, points: tuple[Point, ...], end: str) -> Iterator[Shape]:
        """The mark at the end of a shot: a cross on a removed piece, a bar on a shield, an arrow off the board."""
        before, (x, y) = points[-2:]
        if end == "hit":
            for slant in (-1, 1):
                cross = (x - 18, y - slant * 18), (x + 18, y + slant * 18)
                yield from (Polyline(cross, ("cross-frame",)), Polyline(cross, ("cross",)))
        elif end == "shield":
            yield bar(before, (x, y), 9, ("shot-stop",))
        else:
            yield head(before, (x, y), ("shot-head",), 9)


def _ahead(point: Point, way: Point, distance: float) -> Point:
    return point[0] + way[0] * distance, point[1] + way[1] * distance


def _helix(centre: Point, *, standing: bool, side: str) -> Iterator[Shape]:
    """Two strands that wind around each other, with rungs between them."""
    steps = range(-8, 9)

    def at(along: float, away: float) -> Point:
        return (centre[0] + away, centre[1] + along) if standing else (centre[0] + along, centre[1] + away)

    waves = [(step * 1.9, 6.5 * math.sin(step * math.pi / 6)) for step in steps]
    for along, away in waves[2:-1:3]:
        if abs(away) > 1:
            yield Polyline((at(along, -away), at(along, away)), (f"rung-{side}",))
    for sign in (-1, 1):
        yield Polyline(tuple(at(along, sign * away) for along, away in waves), (f"helix-{side}",))


def _shot_text(event: Fired, removed: dict[Square, Piece]) -> str:
    way = " ".join(map(str, event.path)) or "straight off the board"
    lost = "".join(f"; it removed {piece.side}'s {piece.kind.name.lower()}" for piece in removed.values())
    return f"{event.side}'s shot: {way}{lost}"


_BLUE, _RED = ("#174ea6", "#2f5fb8"), ("#a50e0e", "#ffb4ab")
_ON_BLUE = ("#ffffff", "#ffffff")
_SHOT = ("#e6007e", "#ff5cad")

_PAINTS = {
    **SQUARE_PAINTS,
    "cell-blue": Paint(fill=("#dbe7fb", "#1f2d47")),
    "cell-red": Paint(fill=("#fbe3e1", "#45292a")),
    "helix-blue": Paint(stroke=("#5f86c9", "#7ea6ea"), width=1.8),
    "helix-red": Paint(stroke=("#d08a85", "#d9928c"), width=1.8),
    "rung-blue": Paint(stroke=("#5f86c9", "#7ea6ea"), width=0.9),
    "rung-red": Paint(stroke=("#d08a85", "#d9928c"), width=0.9),
    "tile": Paint(stroke=INK, width=1.5),
    "tile-blue": Paint(fill=_BLUE),
    "tile-red": Paint(fill=("#fdeceb", "#3b1f1e")),
    "rim": Paint(stroke=_RED, width=1),
    "solid-blue": Paint(fill=_ON_BLUE),
    "solid-red": Paint(fill=_RED),
    "open-blue": Paint(stroke=_ON_BLUE, width=2),
    "open-red": Paint(stroke=_RED, width=2),
    "mirror-frame": Paint(stroke=("#1b1b1b", "#0b0d0f"), width=6),
    "mirror": Paint(stroke=("#cfe8ff", "#cfe8ff"), width=2.6),
    "shield": Paint(fill=("#cfd4da", "#cfd4da"), stroke=("#1b1b1b", "#0b0d0f"), width=1.5),
    "muzzle": Paint(fill=("#e6007e", "#ff5cad"), stroke=("#ffffff", "#0b0d0f"), width=0.8),
    "veil": Paint(fill=("#f6f7f9", "#1c2024"), opacity=0.4),
    **LAST_MOVE_PAINTS,
    "shot-glow": Paint(stroke=_SHOT, width=7, opacity=0.25),
    "shot": Paint(stroke=_SHOT, width=2.4),
    "shot-head": Paint(fill=_SHOT),
    "shot-stop": Paint(stroke=_SHOT, width=4),
    "cross-frame": Paint(stroke=("#ffffff", "#101418"), width=5.5),
    "cross": Paint(stroke=INK, width=2.6),
}
