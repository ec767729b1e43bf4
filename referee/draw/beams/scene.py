"""The scene of a position of Beams, Boosters and Barriers: board, rays, beams, pieces, counters and hands.

Pieces are coins in the colours of their owners' beams.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache

from referee.draw.beams.layout import COIN, COLUMN, HALF_ROW, MARGIN_X, MARGIN_Y, RAY_COLOURS, Layout
from referee.draw.beams.text import beam_end, piece_text, words
from referee.draw.beams.trail import changed_exits, last_beams, moved_pieces, shifts
from referee.draw.scenes.grid import INK, LAST_MOVE_PAINTS, SQUARE_PAINTS, head
from referee.draw.scenes.scene import Circle, Group, Label, Paint, Paints, Point, Polygon, Polyline, Scene, Shape
from referee.rules import Event, score_text
from referee.rules.beams import BeamsPosition, Cell, Clock, PieceType, PlacedPiece
from referee.rules.beams.board import STEPS, other
from referee.rules.beams.light import Beam
from referee.rules.beams.pieces import FAN, GENERATORS
from referee.rules.frozen import Frozen

_LEGEND = (
    "Pieces are discs; north's have a double rim. Arrows show a generator's beams, black bars the lines a barrier "
    "blocks; a disc without lines is a booster. A small number on a piece is its power, if that is more than 1. "
    "South's beams are solid, north's are dashed; thick ones are strong, and one that leaves the board ends in an "
    "arrow. Numbers behind a boundary count the beams that leave there, and the pieces behind them are still in the "
    "hand. What changed last has a dashed red ring or a glow."
)

_LABEL = 15.0
"""The size of labels at the edge: a telephone shows the usual board at three fifths of its size."""

FRONT: Mapping[PieceType, Clock | None] = Frozen(
    {piece: None if not fan else Clock.TWELVE if len(fan) == 1 else Clock.TEN for piece, fan in FAN.items()}
)
"""The direction of each piece in a hand: its lines point to the front."""


def scene(position: BeamsPosition, *, view: str, events: tuple[Event, ...] = ()) -> Scene:
    """The picture of a position as one side sees it, with marks on the pieces, beams and counters of `events`."""
    sketch = _Sketch(position, view)
    marks = tuple(sketch.moves(events))
    *empty, labels = _empty(sketch.columns, sketch.rows, view)
    shapes = (
        *empty,
        Group(("boosts",), tuple(sketch.boosts())),
        *((Group(("moves",), marks, "what the last ply changed"),) if marks else ()),
        Group(("beams",), tuple(map(sketch.beam, position.beams))),
        Group(("pieces",), tuple(sketch.pieces(events))),
        labels,
        Group(("counters",), tuple(sketch.counters())),
        Group(("hands",), tuple(sketch.hands())),
    )
    title = f"Beams, Boosters and Barriers: {score_text(position.score)}"
    said = " ".join([*words(position, view=view), f"Score: {score_text(position.score)}."])
    return Scene(sketch.width, sketch.height, title, said, shapes, PAINTS, legend=_LEGEND)


@lru_cache(maxsize=8)
def _empty(columns: int, rows: int, view: str) -> tuple[Group, ...]:
    """The cells, rays and labels of a board, which are the same in each of its positions."""
    layout = Layout(columns, rows, view)
    rays = Group(
        ("rays",), tuple(layout.rays()), "diagonal paths with their reflections", "Coloured rays of the board"
    )
    return (*layout.cells(), rays, Group(("labels",), tuple(_labels(layout))))


def _labels(layout: Layout) -> Iterator[Shape]:
    """The letters and columns of both owners, and their names."""
    left, right, low = MARGIN_X - 22, layout.width - MARGIN_X + 22, layout.height - MARGIN_Y + 16
    for row in range(-layout.rows, layout.rows + 1):
        if row:
            y = layout.at(row, 0)[1]
            yield from (Label((x, y), chr(64 + abs(row)), _LABEL, ("label",)) for x in (left, right))
    for column in range(1, layout.columns + 1):
        x = layout.at(0, column)[0]
        yield Label((x, MARGIN_Y - 16), str(layout.columns + 1 - column), _LABEL, ("label",))
        yield Label((x, low), str(column), _LABEL, ("label",))
    for side, y in ((other(layout.view), MARGIN_Y - 16), (layout.view, low)):
        yield Label((MARGIN_X - 16, y), side, _LABEL, ("label", "owner"))


def coin(side: str, stone: PlacedPiece, centre: Point, clocks: list[Clock]) -> Iterator[Shape]:
    """A piece as a coin: generators have lines with a point, barriers lines with a bar, boosters none.

    North's coins have a second rim. `clocks` are the directions of the lines as the viewer sees them.
    """
    radius = COIN if clocks else COIN * 21.21 / 24.26
    yield Circle(centre, radius, ("coin", f"coin-{side}"))
    if side == "north":
        yield Circle(centre, radius - 2.5, ("rim",))
    for clock in clocks:
        down, right = STEPS[clock]
        length = math.hypot(right * COLUMN, down * HALF_ROW)
        x, y = right * COLUMN / length, down * HALF_ROW / length
        tip = (centre[0] + x * (radius - 1.5), centre[1] + y * (radius - 1.5))
        if stone.piece in GENERATORS:
            yield Polyline((centre, tip), ("generator-line", f"line-{side}"))
            back = (centre[0] + x * (radius - 8), centre[1] + y * (radius - 8))
            wings = tuple((back[0] - sign * y * 4, back[1] + sign * x * 4) for sign in (-1, 1))
            yield Polygon((tip, *wings), (f"point-{side}",))
        else:
            yield Polyline((centre, tip), ("barrier-line",))
            across = tuple((tip[0] - sign * y * 5, tip[1] + sign * x * 5) for sign in (-1, 1))
            yield Polyline(across, ("barrier-line",))


@lru_cache(maxsize=256)
def _in_hand(columns: int, rows: int, view: str, side: str, piece: PieceType, number: int) -> Group:
    """A kind of piece in a hand: its coin, its name and its number."""
    layout, stone = Layout(columns, rows, view), PlacedPiece(piece, FRONT[piece])
    clocks = [layout.clock(side, clock) for clock in stone.components]
    said = f"{piece} \u00d7{number}" if number > 1 else str(piece)
    name = Label(layout.name(side, piece), said, layout.name_size, ("label",))
    shapes = (*coin(side, stone, layout.held(side, piece), clocks), name)
    return Group(("piece", f"piece-{side}"), shapes, f"{number} {piece} in {side}'s hand")


@lru_cache(maxsize=4096)
def _piece(
    columns: int, rows: int, view: str, side: str, cell: Cell, stone: PlacedPiece, power: int, *, moved: bool
) -> Group:
    """A piece on the board, which is the same in many positions."""
    layout = Layout(columns, rows, view)
    centre = layout.at(*layout.place(side, cell))
    shapes = [*coin(side, stone, centre, [layout.clock(side, clock) for clock in stone.components])]
    if power > 1:
        badge = (centre[0] + 11, centre[1] + 11)
        shapes += [Circle(badge, 6.5, ("badge",)), Label(badge, str(power), 10, ("badge-number",))]
    if moved:
        shapes.append(Circle(centre, COIN + 3.5, ("last",)))
    return Group(("piece", f"piece-{side}"), tuple(shapes), f"{side}'s {piece_text(cell, stone, power)}")


class _Sketch(Layout):
    """The shapes that show a position."""

    def __init__(self, position: BeamsPosition, view: str) -> None:
        super().__init__(position.board.columns, position.board.rows, view)
        self.position = position
        self.shifts = shifts(position)

    def beam(self, beam: Beam) -> Shape:
        """A beam: a line for each stretch of equal power, and a head where the beam leaves the board."""
        shapes: list[Shape] = []
        for points, power in self._stretches(beam):
            shapes.append(Polyline(points, (), 1.0 + 1.5 * power))
        if beam.exit is not None:
            shapes.append(head(points[-2], points[-1], (f"head-{beam.side}",), 9.0 + 2 * power))
        title = f"{beam.side}'s beam from {beam.cell} at {beam.clock:d} {beam_end(beam)}"
        return Group(("beam", f"beam-{beam.side}"), tuple(shapes), title)

    def moves(self, events: tuple[Event, ...]) -> Iterator[Shape]:
        """A glow around each beam that the last ply changed, and a ring around each counter."""
        for beam in last_beams(self.position, events):
            yield from (Polyline(points, ("glow",), 8.0 + 1.5 * power) for points, power in self._stretches(beam))
        for side, label in sorted(changed_exits(events)):
            yield Circle(self.behind(side, label), 13.5, ("last",))

    def _stretches(self, beam: Beam) -> Iterator[tuple[tuple[Point, ...], int]]:
        """The stretches of equal power in the beam's lane: the points of each, and the power."""
        shift = self.shifts[beam]

        def at(row: float, column: float) -> Point:
            x, y = self.at(row, column)
            return x + shift[0], y + shift[1]

        power = self.position.light.power(self.position.board.sites[beam.side][beam.cell])
        crossings = {self.place(side, cell): left for side, cell, left in beam.crossed}
        row, column = self.place(beam.side, beam.cell)
        down, right = STEPS[self.clock(beam.side, beam.clock)]
        points = [at(row, column)]
        while power and abs(row) <= self.rows:
            row, column = row + down, column + right
            if column in (0, self.columns + 1) and abs(row) <= self.rows:
                right = -right
                points.append(at(row, column))
            elif (row, column) in crossings:
                points.append(at(row, column))
                yield tuple(points), power
                points, power = points[-1:], crossings[row, column]
        if power:
            edge = math.copysign(self.rows + 1, row)
            yield (*points, at(edge, column)), power

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
            place = self.position.board.places[site]
            power = self.position.light.power(site) if stone.clock is not None else 1
            yield _piece(self.columns, self.rows, self.view, *place, stone, power, moved=place in moved)

    def counters(self) -> Iterator[Shape]:
        """The counters behind both rear boundaries."""
        for side, row in self.position.counters.items():
            for label, number in sorted(row.items()):
                centre = self.behind(side, label)
                title = f"{number} over {side}'s boundary at column {label}"
                disc = Circle(centre, 10, ("counter",))
                yield Group((), (disc, Label(centre, str(number), 13, ("counter-number",))), title)

    def hands(self) -> Iterator[Shape]:
        """The pieces that are still in the hands, a coin for each kind."""
        for side, hand in self.position.hands.items():
            for piece, number in hand.items():
                if number:
                    yield _in_hand(self.columns, self.rows, self.view, side, piece, number)


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
            for number in range(RAY_COLOURS)
        },
        "boost": Paint(stroke=("#188038", "#81c995"), width=3, dash=(1, 5)),
        "beam": Paint(opacity=0.85),
        "beam-south": Paint(stroke=_SOUTH),
        "beam-north": Paint(stroke=_NORTH, dash=(10, 9)),
        "head-south": Paint(fill=_SOUTH),
        "head-north": Paint(fill=_NORTH, dash=()),
        "coin": Paint(width=1.8),
        "coin-south": Paint(fill=("#eaf1fd", "#101a2b"), stroke=_SOUTH),
        "coin-north": Paint(fill=("#f9e7d3", "#33240f"), stroke=_NORTH),
        "rim": Paint(stroke=_NORTH, width=0.9),
        "generator-line": Paint(width=3),
        "line-south": Paint(stroke=_SOUTH),
        "line-north": Paint(stroke=_NORTH),
        "point-south": Paint(fill=_SOUTH),
        "point-north": Paint(fill=_NORTH),
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
