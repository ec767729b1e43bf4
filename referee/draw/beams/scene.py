"""The scene of a position of Beams, Boosters and Barriers: board, rays, beams, pieces and counters.

Places are computed in the view of one chair: half-row 0 is the midline, positive half-rows are the viewer's own
territory and lie below it; columns count from the viewer's left.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

from referee.draw.beams.trail import changed_exits, last_beams, moved_pieces
from referee.draw.beams.words import beam_end, piece_text, words
from referee.draw.grid import INK, LAST_MOVE_PAINTS, SQUARE_PAINTS
from referee.draw.scene import Circle, Group, Label, Paint, Paints, Point, Polygon, Polyline, Scene, Shape
from referee.rules import Event, score_text
from referee.rules.beams import BeamsPosition, Cell, Clock, PlacedPiece
from referee.rules.beams.board import STEPS, other, seen_by
from referee.rules.beams.light import Beam
from referee.rules.beams.pieces import BARRIERS, GENERATORS
from referee.rules.frozen import Frozen

COLUMN, HALF_ROW = 30.0, 17.32
"""The distance between columns and between half-rows; a hexagon's side is 20."""

_SIDE = 20.0
COIN = 14.5
MARGIN_X, MARGIN_Y = 46.0, 62.0
_RAY_COLOURS = 12


def scene(position: BeamsPosition, *, view: str, events: tuple[Event, ...] = ()) -> Scene:
    """The picture of a position as one side sees it, with marks on the pieces, beams and counters of `events`."""
    sketch = _Sketch(position, view)
    marks = tuple(sketch.moves(events))
    shapes = (
        *_empty(sketch.columns, sketch.rows, view),
        Group(("boosts",), tuple(sketch.boosts())),
        *((Group(("moves",), marks, "what the last ply changed"),) if marks else ()),
        Group(("beams",), tuple(map(sketch.beam, position.beams))),
        Group(("pieces",), tuple(sketch.pieces(events))),
        Group(("labels",), tuple(sketch.labels())),
        Group(("counters",), tuple(sketch.counters())),
    )
    title = f"Beams, Boosters and Barriers: {score_text(position.score)}"
    return Scene(sketch.width, sketch.height, title, _in_words(position, view), shapes, PAINTS)


@lru_cache(maxsize=8)
def _empty(columns: int, rows: int, view: str) -> tuple[Group, ...]:
    """The cells and rays of a board, which are the same in each of its positions."""
    grid = _Grid(columns, rows, view)
    rays = Group(("rays",), tuple(grid.rays()), "diagonal paths with their reflections", "Coloured rays of the board")
    return (*grid.cells(), rays)


class _Grid:
    """Where things are in a picture, and the shapes of the board without pieces."""

    def __init__(self, columns: int, rows: int, view: str) -> None:
        self.columns, self.rows, self.view = columns, rows, view
        self.width = 2 * MARGIN_X + (self.columns + 1) * COLUMN
        self.height = 2 * MARGIN_Y + 2 * (self.rows + 1) * HALF_ROW

    def at(self, row: float, column: float) -> Point:
        """The point of a half-row and column of the view."""
        return MARGIN_X + column * COLUMN, MARGIN_Y + (row + self.rows + 1) * HALF_ROW

    def place(self, side: str, cell: Cell) -> tuple[int, int]:
        """The half-row and column of a side's cell in the view."""
        return (cell.row, cell.column) if side == self.view else (-cell.row, self.columns + 1 - cell.column)

    def clock(self, side: str, clock: Clock) -> Clock:
        """A direction of a side's as the viewer sees it."""
        return seen_by(self.view, seen_by(side, clock))

    def cells(self) -> Iterator[Group]:
        """The hexagons, cut off where the board ends."""
        kinds: dict[str, list[Shape]] = {"south": [], "north": [], "neutral": [], "partial": []}
        for row in range(-self.rows - 1, self.rows + 2):
            for column in range(self.columns + 2):
                if (row + column) % 2:
                    whole = abs(row) <= self.rows and 1 <= column <= self.columns
                    owner = "neutral" if row == 0 else self.view if row > 0 else other(self.view)
                    kinds[owner if whole else "partial"].append(Polygon(self._hexagon(row, column), ()))
        for kind, polygons in kinds.items():
            yield Group(("cell", f"cell-{kind}"), tuple(polygons))

    def _hexagon(self, row: int, column: int) -> tuple[Point, ...]:
        """A cell's outline within the board's walls and rear boundaries."""
        x, y = self.at(row, column)
        corners = [(x + _SIDE * math.cos(math.tau * n / 6), y + _SIDE * math.sin(math.tau * n / 6)) for n in range(6)]
        left, top = self.at(-self.rows - 1, 0)
        right, bottom = self.at(self.rows + 1, self.columns + 1)
        for axis, sign, limit in ((0, 1, left), (0, -1, -right), (1, 1, top), (1, -1, -bottom)):
            corners = _cut(corners, axis, sign, limit)
        return tuple(corners)

    def rays(self) -> Iterator[Shape]:
        """Every diagonal path, reflected at all four edges until it closes; each has a class of its own."""
        for number, corners in enumerate(_closed_paths(self.columns, self.rows)):
            points = tuple(self.at(row, column) for row, column in corners)
            yield Polyline(points, ("ray", f"ray-{number % _RAY_COLOURS}"))


class _Sketch(_Grid):
    """The shapes that show a position."""

    def __init__(self, position: BeamsPosition, view: str) -> None:
        super().__init__(position.board.columns, position.board.rows, view)
        self.position = position

    def beam(self, beam: Beam) -> Shape:
        """A beam: a line for each stretch of equal power, ending where the beam stops or leaves."""
        lines = tuple(Polyline(points, (), 1.0 + 1.5 * power) for points, power in self._stretches(beam))
        title = f"{beam.side}'s beam from {beam.cell} at {beam.clock:d} {beam_end(beam)}"
        return Group(("beam", f"beam-{beam.side}"), lines, title)

    def moves(self, events: tuple[Event, ...]) -> Iterator[Shape]:
        """A glow around each beam that the last ply changed, and a ring around each counter."""
        for beam in last_beams(self.position, events):
            yield from (Polyline(points, ("glow",), 8.0 + 1.5 * power) for points, power in self._stretches(beam))
        for side, label in sorted(changed_exits(events)):
            yield Circle(self._behind(side, label), 13.5, ("last",))

    def _stretches(self, beam: Beam) -> Iterator[tuple[tuple[Point, ...], int]]:
        """The stretches of equal power: the points of each, and the power."""
        power = self.position.light.power(self.position.board.sites[beam.side][beam.cell])
        crossings = {self.place(side, cell): left for side, cell, left in beam.crossed}
        row, column = self.place(beam.side, beam.cell)
        down, right = STEPS[self.clock(beam.side, beam.clock)]
        points = [self.at(row, column)]
        while power and abs(row) <= self.rows:
            row, column = row + down, column + right
            if column in (0, self.columns + 1) and abs(row) <= self.rows:
                right = -right
                points.append(self.at(row, column))
            elif (row, column) in crossings:
                points.append(self.at(row, column))
                yield tuple(points), power
                points, power = points[-1:], crossings[row, column]
        if power:
            edge = math.copysign(self.rows + 1, row)
            yield (*points, self.at(edge, column)), power

    def boosts(self) -> Iterator[Shape]:
        """A line from each booster to every piece that it gives power to."""
        board, light = self.position.board, self.position.light
        for site, stone in self.position.stones.items():
            rear = light.boosters & board.rear[site] if stone.clock is not None else 0
            for booster in range(rear.bit_length()):
                if rear >> booster & 1:
                    ends = (self.at(*self.place(*board.places[one])) for one in (booster, site))
                    yield Polyline(tuple(ends), ("boost",))

    def pieces(self, events: tuple[Event, ...]) -> Iterator[Shape]:
        """Every piece as a coin with its lines, its power if it is boosted, and a ring if it moved last."""
        moved = moved_pieces(events)
        for site, stone in sorted(self.position.stones.items()):
            side, cell = self.position.board.places[site]
            centre = self.at(*self.place(side, cell))
            power = self.position.light.power(site) if stone.clock is not None else 1
            clocks = [self.clock(side, clock) for clock in stone.components]
            shapes = [*coin(side, stone, centre, clocks)]
            if power > 1:
                badge = (centre[0] + 11, centre[1] + 11)
                shapes += [Circle(badge, 6.5, ("badge",)), Label(badge, str(power), 10, ("badge-number",))]
            if (side, cell) in moved:
                shapes.append(Circle(centre, COIN + 3.5, ("last",)))
            yield Group(("piece", f"piece-{side}"), tuple(shapes), f"{side}'s {piece_text(cell, stone, power)}")

    def labels(self) -> Iterator[Shape]:
        """The letters and columns of both owners, and their names."""
        for row in range(-self.rows, self.rows + 1):
            if row:
                for x in (MARGIN_X - 22, self.width - MARGIN_X + 22):
                    yield Label((x, self.at(row, 0)[1]), chr(64 + abs(row)), 12, ("label",))
        for column in range(1, self.columns + 1):
            x = self.at(0, column)[0]
            yield Label((x, MARGIN_Y - 16), str(self.columns + 1 - column), 12, ("label",))
            yield Label((x, self.height - MARGIN_Y + 16), str(column), 12, ("label",))
        for side, y in ((other(self.view), MARGIN_Y - 16), (self.view, self.height - MARGIN_Y + 16)):
            yield Label((MARGIN_X - 16, y), side, 12, ("label", "owner"))

    def counters(self) -> Iterator[Shape]:
        """The counters behind both rear boundaries."""
        for side, row in self.position.counters.items():
            for label, number in sorted(row.items()):
                centre = self._behind(side, label)
                title = f"{number} over {side}'s boundary at column {label}"
                disc = Circle(centre, 10, ("counter",))
                yield Group((), (disc, Label(centre, str(number), 13, ("counter-number",))), title)

    def _behind(self, side: str, label: int) -> Point:
        """The place of a counter behind a side's rear boundary, at the column as its owner labels it."""
        if side == self.view:
            return self.at(0, label)[0], self.height - MARGIN_Y + 40
        return self.at(0, self.columns + 1 - label)[0], MARGIN_Y - 40


def coin(side: str, stone: PlacedPiece, centre: Point, clocks: list[Clock]) -> Iterator[Shape]:
    """A piece as a coin: generators have lines with a point, barriers lines with a bar, boosters none.

    Args:
        side: its owner; north's coins have a second rim.
        stone: the piece.
        centre: its middle.
        clocks: the directions of its lines as the viewer sees them.
    """
    radius = COIN if clocks else COIN * 21.21 / 24.26
    yield Circle(centre, radius, ("coin", f"coin-{side}"))
    if side == "north":
        yield Circle(centre, radius - 2.5, ("rim",))
    kind = "generator" if stone.piece in GENERATORS else "barrier"
    for clock in clocks:
        down, right = STEPS[clock]
        length = math.hypot(right * COLUMN, down * HALF_ROW)
        x, y = right * COLUMN / length, down * HALF_ROW / length
        tip = (centre[0] + x * (radius - 1.5), centre[1] + y * (radius - 1.5))
        yield Polyline((centre, tip), (f"{kind}-line",))
        if stone.piece in BARRIERS:
            across = tuple((tip[0] - sign * y * 5, tip[1] + sign * x * 5) for sign in (-1, 1))
            yield Polyline(across, ("barrier-line",))
        else:
            back = (centre[0] + x * (radius - 8), centre[1] + y * (radius - 8))
            wings = tuple((back[0] - sign * y * 4, back[1] + sign * x * 4) for sign in (-1, 1))
            yield Polygon((tip, *wings), ("generator-point",))


def _closed_paths(columns: int, rows: int) -> Iterator[list[tuple[int, int]]]:
    """The corners of each diagonal path that is reflected at all four edges, from a corner back to itself."""
    seen: set[tuple[int, int]] = set()
    for start in range(columns + 2):
        row, column, down, right = -rows - 1, start, 1, 1
        # Through a place at the edge leads one path only.
        if (row + column) % 2 == 0 or (row, column) in seen:
            continue
        corners = [(row, column)]
        right = right if start <= columns else -1
        first = (row, column, down, right)
        while True:
            row, column = row + down, column + right
            # At an edge the way that leads off the board turns round.
            down = -down if abs(row + down) > rows + 1 else down
            right = -right if not 0 <= column + right <= columns + 1 else right
            if abs(row) == rows + 1 or column in (0, columns + 1):
                corners.append((row, column))
            if (row, column, down, right) == first:
                break
        seen.update(corners)
        yield corners


def _cut(corners: list[Point], axis: int, sign: int, limit: float) -> list[Point]:
    """The part of a convex outline where sign * coordinate reaches the limit."""
    kept: list[Point] = []
    for here, there in zip(corners, [*corners[1:], *corners[:1]], strict=True):
        inside = sign * here[axis] - limit
        ahead = sign * there[axis] - limit
        if inside >= -1e-6:
            kept.append(here)
        if (inside > 1e-6 and ahead < -1e-6) or (inside < -1e-6 and ahead > 1e-6):
            share = inside / (inside - ahead)
            kept.append((here[0] + share * (there[0] - here[0]), here[1] + share * (there[1] - here[1])))
    return kept


def _in_words(position: BeamsPosition, view: str) -> str:
    return " ".join([*words(position, view=view), f"Score: {score_text(position.score)}."])


_RED = ("#b3261e", "#ff8a80")
_SOUTH, _NORTH = ("#0b57d0", "#8ab4f8"), ("#a14a00", "#ffb870")
_RAYS = (
    ("#4477aa", "#88aadd"),
    ("#aa3377", "#dd88bb"),
    ("#228833", "#77cc88"),
    ("#997700", "#ddcc66"),
    ("#6655aa", "#aa99ee"),
    ("#007788", "#66ccdd"),
)
_DASHES: tuple[tuple[float, ...], ...] = ((), (8, 4), (2, 4), (10, 3, 2, 3), (5, 5), (1, 3))

PAINTS: Paints = Frozen(
    {
        "cell": SQUARE_PAINTS["cell"],
        "cell-south": Paint(fill=("#f7f9fc", "#22262b")),
        "cell-north": Paint(fill=("#fdf8f1", "#2b2722")),
        "cell-neutral": Paint(fill=("#c4c7cc", "#4a4d52")),
        "cell-partial": Paint(fill=("#e8eaed", "#33363a")),
        "ray": Paint(width=1.2, opacity=0.4),
        **{
            f"ray-{number}": Paint(stroke=_RAYS[number % 6], dash=_DASHES[(number + number // 6) % 6])
            for number in range(_RAY_COLOURS)
        },
        "boost": Paint(stroke=("#188038", "#81c995"), width=3, dash=(1, 5)),
        "beam": Paint(opacity=0.85),
        "beam-south": Paint(stroke=_SOUTH),
        "beam-north": Paint(stroke=_NORTH, dash=(10, 9)),
        "coin": Paint(stroke=INK, width=1.5),
        "coin-south": Paint(fill=("#ffffff", "#101418")),
        "coin-north": Paint(fill=("#f3e3cf", "#3a2f22")),
        "rim": Paint(stroke=INK, width=0.8),
        "generator-line": Paint(stroke=_RED, width=3),
        "generator-point": Paint(fill=_RED),
        "barrier-line": Paint(stroke=INK, width=3.6),
        "badge": Paint(fill=("#188038", "#81c995"), stroke=("#ffffff", "#202124"), width=1),
        "badge-number": Paint(fill=("#ffffff", "#202124"), bold=True),
        "last": LAST_MOVE_PAINTS["last"],
        "glow": Paint(stroke=("#f9ab00", "#fdd663"), opacity=0.45),
        "label": SQUARE_PAINTS["label"],
        "owner": SQUARE_PAINTS["owner"],
        "counter": Paint(fill=("#fbbc04", "#fdd663"), stroke=INK, width=1),
        "counter-number": Paint(fill=("#1b1b1b", "#1b1b1b"), bold=True),
    }
)
