"""The scene of a position of The Beam: grid, discs, barriers, mirrors, the last walk; next to it cards and tasks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from referee.draw.scenes.grid import (
    INK,
    LAST_MOVE_PAINTS,
    PAPER,
    SQUARE_PAINTS,
    Grid,
    around,
    bar,
    head,
    square_outline,
)
from referee.draw.scenes.scene import Circle, Group, Label, Paint, Point, Polygon, Polyline, Scene, Shape
from referee.draw.the_beam.text import (
    cards_text,
    collection_text,
    points_text,
    sentence,
    tasks_text,
    walk_text,
    words,
)
from referee.rules import Event
from referee.rules.the_beam import Place, Slash, TheBeamPosition
from referee.rules.the_beam.deal import ROUNDS
from referee.rules.the_beam.events import DiscCollected, MirrorChanged
from referee.rules.the_beam.pieces import COLOURS, GRID, PLAYERS, POINTS, SIZE, TURNS, BeamWalk
from referee.rules.the_beam.position import ALLOCATING, MIRRORING, MIRRORS, player_of
from referee.terminal import counted

_CELL = 72.0
MARGIN_X, TOP, BOTTOM = 40.0, 32.0, 52.0
_PANEL = 172.0
"""The width of the panel next to the grid."""

BOARD = Grid(SIZE, SIZE, _CELL, MARGIN_X, TOP)
"""The squares, the same for every player."""

_SIDE = BOARD.right + 36.0
"""The left edge of the panel."""

_DISC = 19.0


def scene(position: TheBeamPosition, *, view: str, events: tuple[Event, ...] = ()) -> Scene:
    """The picture of a position, the same for every player, with the changes in `events`."""
    sketch = _Sketch(position, events)
    shapes = (
        Group(("cells",), tuple(sketch.cells()), still=True),
        Group(("barriers",), tuple(sketch.barriers()), still=True),
        Group(("discs",), tuple(sketch.discs())),
        Group(("mirrors",), tuple(sketch.mirrors())),
        *sketch.moves(),
        *sketch.walks(),
        Group(("labels",), (*sketch.labels(), *sketch.chosen())),
        Group(("cards",), tuple(sketch.cards()), cards_text(position)),
        Group(("tasks",), tuple(sketch.tasks()), tasks_text(position)),
        Group(("collected",), tuple(sketch.collected()), collection_text(position)),
    )
    rounds = "after the last round" if position.round > ROUNDS else f"round {position.round} of {ROUNDS}"
    title, said = f"The Beam: {rounds}, {points_text(position)}", " ".join(words(position, view=view))
    width, board_width = BOARD.right + _PANEL + 24, BOARD.right + 24
    return Scene(width, BOARD.bottom + BOTTOM, title, said, shapes, _PAINTS, board_width, _LEGEND)


_LEGEND = (
    "Discs are worth 1 point (Y, yellow), 2 (B, blue), 3 (G, green) or 4 (R, red). Slanting bars are mirrors, brown "
    "bars barriers. The last beam is the pink line, from the dot on; the mirror that changed last has a dashed "
    "frame. The number of the mirror's row is framed, and that of the beam's column ringed."
)


def card_outline(place: int) -> tuple[Point, ...]:
    """The outline of the left card or of the right one, 0 or 1."""
    centre = _SIDE + _PANEL / 2 - 18 + (36 if place else -36)
    left, right, top, bottom = centre - 27, centre + 27, TOP + 30, TOP + 108
    return (left, top), (right, top), (right, bottom), (left, bottom)


class _Sketch(NamedTuple):
    """The shapes of a picture."""

    position: TheBeamPosition
    events: tuple[Event, ...]

    def at(self, place: Place) -> Point:
        """The middle of a square."""
        return BOARD.at(place.column, place.row)

    def cells(self) -> Iterator[Shape]:
        """The squares."""
        for place in GRID:
            shade = "even" if sum(place) % 2 else "odd"
            yield Polygon(BOARD.outline(place.column, place.row), ("cell", f"cell-{shade}"))

    def barriers(self) -> Iterator[Shape]:
        """A wall on the bottom edge of each square that started with a disc."""
        for place in sorted(self.position.barriers):
            x, y = self.at(place)
            yield Group(("barrier-group",), barrier((x, y + _CELL / 2)), f"barrier below {place}")

    def discs(self) -> Iterator[Shape]:
        """The discs, and a ring with points for each one that the last beam has collected."""
        for place, colour in sorted(self.position.discs.items()):
            title = f"{colour} disc on {place}, {counted(POINTS[colour], 'point', 'points')}"
            yield Group(("disc-group",), tuple(disc(colour, self.at(place), _DISC)), title)
        for event in self.events:
            if isinstance(event, DiscCollected):
                x, y = self.at(event.square)
                ring = Circle((x, y), _DISC, ("taken",))
                gain = Label((x + 21, y - 23), f"+{event.points}", 14, ("gain",))
                yield Group(("disc-group",), (ring, gain), sentence(event))

    def mirrors(self) -> Iterator[Shape]:
        """The mirrors, shining on both sides."""
        for place, slash in sorted(self.position.mirrors.items()):
            ends = around(((-24, 24), (24, -24)), self.at(place), 0 if slash is Slash.RISING else 1)
            yield Group(("mirror-group",), mirror(ends), f"mirror {slash} on {place}")

    def moves(self) -> Iterator[Shape]:
        """A frame around the square of the last mirror; a cross if it was taken away."""
        for event in self.events:
            if isinstance(event, MirrorChanged):
                x, y = self.at(event.square)
                shapes: list[Shape] = [Polygon(square_outline((x, y), _CELL / 2 - 3), ("last",))]
                if event.slash is None:
                    shapes += [Polyline(((x - 8, y - k * 8), (x + 8, y + k * 8)), ("last-way",)) for k in (-1, 1)]
                yield Group(("moves",), tuple(shapes), sentence(event))

    def walks(self) -> Iterator[Shape]:
        """The last beam: a line from below the grid through its squares, with a bar or an arrow at its end."""
        walk = self.position.walk
        if walk is not None:
            points = self._walk(walk)
            shapes: list[Shape] = [Polyline(points, ("walk-glow",)), Polyline(points, ("walk",))]
            shapes.append(Circle(points[0], 5, ("walk-head",)))
            if walk.end == "barrier":
                shapes.append(bar(points[-2], points[-1], 12, ("walk-stop",)))
            else:
                shapes.append(head(points[-2], points[-1], ("walk-head",), 13))
            yield Group(("walks",), tuple(shapes), walk_text(walk))

    def _walk(self, walk: BeamWalk) -> tuple[Point, ...]:
        """The points of a walk: below the grid, the middle of each square, and its end."""
        x, _ = BOARD.at(walk.column, 1)
        points = [(x, BOARD.bottom + 10), *map(self.at, walk.path)]
        before, last = (Place(-1, walk.column), Place(0, walk.column), *walk.path)[-2:]
        way = last.row - before.row, last.column - before.column
        up, right = TURNS[self.position.mirrors[last]][way] if last in self.position.mirrors else way
        reach = _CELL / 2 + (-7 if walk.end == "barrier" else 8)
        x, y = points[-1] if walk.path else (x, BOARD.bottom + _CELL / 2)
        return (*points, (x + right * reach, y - up * reach))

    def labels(self) -> Iterator[Shape]:
        """The numbers of rows and columns."""
        for number in range(1, SIZE + 1):
            x, y = BOARD.at(number, number)
            yield Label((BOARD.left - 22, y), str(number), 14, ("label",))
            yield Label((x, BOARD.bottom + 27), str(number), 14, ("label",))

    def chosen(self) -> Iterator[Shape]:
        """Rings around the mirror's row and the beam's column, once the cards have their tasks."""
        if self.position.allocated is not None:
            _, y = BOARD.at(1, self.position.allocated.mirror)
            x, _ = BOARD.at(self.position.allocated.beam, 1)
            yield Polygon(square_outline((BOARD.left - 22, y), 11), ("chosen",))
            yield Circle((x, BOARD.bottom + 27), 11, ("chosen",))

    def cards(self) -> Iterator[Shape]:
        """The round and its two cards, with their tasks once they are allocated."""
        position, x, y = self.position, _SIDE, BOARD.top
        middle = x + _PANEL / 2 - 18
        over = position.round > ROUNDS
        yield Label(
            (middle, y + 8), "all rounds played" if over else f"round {position.round} of {ROUNDS}", 15, _BOLD
        )
        if position.cards is None:
            if not over:
                yield Label((middle, y + 70), "cards not turned", 12, ("label",))
                yield Label((middle, y + 86), "over yet", 12, ("label",))
            return
        cards, tasks = position.cards, ("", "")
        if position.allocated is not None:
            cards, tasks = (position.allocated.mirror, position.allocated.beam), ("mirror's row", "beam's column")
        for place, (card, task) in enumerate(zip(cards, tasks, strict=True)):
            centre = middle + (36 if place else -36)
            yield Polygon(card_outline(place), ("card",))
            yield Label((centre, y + 68), str(card), 34, ("card-number",))
            if task:
                mark: Shape = Circle((centre, y + 68), 22, ("chosen",))
                yield mark if task.startswith("beam") else Polygon(square_outline((centre, y + 68), 21), ("chosen",))
                yield Label((centre, y + 120), task, 9.5, ("label",))

    def tasks(self) -> Iterator[Shape]:
        """The players and their tasks in this round; the one to move has a mark."""
        if self.position.round > ROUNDS:
            return
        doing = {player_of(task, self.position.round): text for task, text in _TASKS.items()}
        for line, player in enumerate(PLAYERS):
            y = BOARD.top + 150 + 24 * line
            due = player in self.position.to_move
            if due:
                x = _SIDE - 8
                corners = ((x, y - 11), (x + _PANEL - 20, y - 11), (x + _PANEL - 20, y + 11), (x, y + 11))
                yield Polygon(corners, ("due",))
            yield Label((_SIDE + 10, y), player, 13, _BOLD)
            yield Label((_SIDE + 84, y), doing[player], 12, _BOLD if due else ("label",))

    def collected(self) -> Iterator[Shape]:
        """The collected discs by colour, the score, and the mirrors left."""
        position = self.position
        middle = _SIDE + _PANEL / 2 - 18
        top = BOARD.top + 268
        yield Label((middle, top), f"collected: {points_text(position)}", 14, _BOLD)
        for line, colour in enumerate(reversed(COLOURS)):
            y = top + 30 + 30 * line
            yield Label((_SIDE + 10, y), f"{POINTS[colour]} each", 11, ("label",))
            for place in range(3):
                centre = (_SIDE + 56 + 32 * place, y)
                if place < position.collected.count(colour):
                    yield from disc(colour, centre, 12)
                else:
                    yield Circle(centre, 12, ("missing",))
        left = MIRRORS - len(position.mirrors)
        yield Label((middle, top + 152), f"{counted(left, 'mirror', 'mirrors')} left", 12, ("label",))


def barrier(centre: Point) -> tuple[Shape, ...]:
    """A wall with its joints."""
    corners = around(((-30, -4), (30, -4), (30, 4), (-30, 4)), centre)
    joints = (around(((offset, -4), (offset, 4)), centre) for offset in (-18, -6, 6, 18))
    return Polygon(corners, ("barrier",)), *(Polyline(joint, ("joint",)) for joint in joints)


def mirror(ends: tuple[Point, ...]) -> tuple[Shape, ...]:
    """A mirror from one end to the other, shining on both sides."""
    return Polyline(ends, ("mirror-frame",)), Polyline(ends, ("mirror",))


def disc(colour: str, centre: Point, radius: float) -> Iterator[Shape]:
    """A disc with its letter, and a ring for each point after the first."""
    yield Circle(centre, radius, ("disc", f"disc-{colour}"))
    for ring in range(1, POINTS[colour]):
        yield Circle(centre, radius * (1 - ring * 0.13), (f"ring-{colour}",))
    yield Label(centre, colour[0].upper(), radius * 0.84, (f"letter-{colour}",))


_BOLD = ("label", "owner")
_TASKS = {1: "turns the cards", ALLOCATING: "allocates", MIRRORING: "does the mirror", 4: "walks the beam"}
_WALK, _MIRROR = ("#c2185b", "#ff6ea9"), ("#1b1b1b", "#0b0d0f")
_DISCS = {"yellow": "#fdd649", "blue": "#2a63c4", "green": "#1e8a44", "red": "#c5221f"}
_ON_DISCS = {"yellow": "#1b1b1b", "blue": "#ffffff", "green": "#ffffff", "red": "#ffffff"}

_PAINTS = {
    **SQUARE_PAINTS,
    "barrier": Paint(fill=("#6b4f3a", "#a98467"), stroke=INK, width=1),
    "joint": Paint(stroke=("#f1e4d8", "#2a1d13"), width=1.2),
    "disc": Paint(stroke=("#1b1b1b", "#e8eaed"), width=1.5),
    **{f"disc-{colour}": Paint(fill=(fill, fill)) for colour, fill in _DISCS.items()},
    **{f"ring-{colour}": Paint(stroke=(line, line), width=0.9, opacity=0.75) for colour, line in _ON_DISCS.items()},
    **{f"letter-{colour}": Paint(fill=(fill, fill), bold=True) for colour, fill in _ON_DISCS.items()},
    "taken": Paint(stroke=("#5f6368", "#bdc1c6"), width=1.5, dash=(2, 4)),
    "gain": Paint(fill=("#188038", "#81c995"), bold=True),
    "missing": Paint(stroke=("#9aa0a6", "#5f6368"), width=1, dash=(2, 3)),
    "mirror-frame": Paint(stroke=_MIRROR, width=7.5),
    "mirror": Paint(stroke=("#cfe8ff", "#cfe8ff"), width=4),
    **LAST_MOVE_PAINTS,
    "walk-glow": Paint(stroke=_WALK, width=9, opacity=0.22),
    "walk": Paint(stroke=_WALK, width=3),
    "walk-head": Paint(fill=_WALK),
    "walk-stop": Paint(stroke=_WALK, width=5),
    "chosen": Paint(stroke=("#d93025", "#f28b82"), width=2),
    "card": Paint(fill=PAPER, stroke=INK, width=1.5),
    "card-number": Paint(fill=INK, bold=True),
    "due": Paint(fill=("#feefc3", "#4d3b06"), stroke=("#b06000", "#fdd663"), width=1),
}
