"""Geometry: the lines of beams, shots and walks go through the cells that the rules give, in every view."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, pairwise

import pytest

import referee
from referee.draw import drawing
from referee.draw.beams.layout import COIN, COLUMN, HALF_ROW, Layout
from referee.draw.beams.layout import MARGIN_X as BEAMS_X
from referee.draw.beams.layout import MARGIN_Y as BEAMS_Y
from referee.draw.beams.trail import shifts
from referee.draw.scenes.scene import Group, Point, Polyline, Scene
from referee.rules import Event
from referee.rules.beams import BeamsPosition
from referee.rules.beams.light import Beam
from referee.rules.laser_chess import LaserChessPosition
from referee.rules.laser_chess.events import Fired
from referee.rules.the_beam import TheBeamPosition
from referee.rules.the_beam.events import BeamWalked
from tests.support.playthroughs import examples
from tests.support.strategies import plies, positions

CELL = {"laser-chess": (34.0, 32.0, 52.0), "the-beam": (40.0, 32.0, 72.0)}
"""Left and upper border of the grid in a picture, and the side of a square."""


def group(scene: Scene, name: str) -> Group:
    """The group of a class."""
    (found,) = (shape for shape in scene.shapes if isinstance(shape, Group) and name in shape.classes)
    return found


def line(of: Group, name: str) -> tuple[Point, ...]:
    """The points of the line of a class in a group."""
    (found,) = (shape for shape in of.shapes if isinstance(shape, Polyline) and name in shape.classes)
    return found.points


def sampled(points: tuple[Point, ...], apart: float) -> Iterator[Point]:
    """Points along a line, the first left out, so far apart from each other at most."""
    for (x, y), (to_x, to_y) in pairwise(points):
        steps = math.ceil(math.dist((x, y), (to_x, to_y)) / apart)
        for step in range(1, steps + 1):
            yield x + (to_x - x) * step / steps, y + (to_y - y) * step / steps


def beams_positions() -> list[BeamsPosition]:
    """Some positions of random play, on boards of all sizes."""
    found = [position for position in positions("beams") if isinstance(position, BeamsPosition)]
    return found[:: len(found) // 40]


@pytest.mark.parametrize("view", ["north", pytest.param("south", marks=pytest.mark.slow)])
def test_a_beam_is_drawn_through_the_cells_of_its_path(view: str) -> None:
    for position in beams_positions():
        scene = drawing("beams").scene(position, view=view)
        drawn = group(scene, "beams").shapes
        assert len(drawn) == len(position.beams)
        for beam, shape in zip(position.beams, drawn, strict=True):
            assert isinstance(shape, Group)
            stretches = [one for one in shape.shapes if isinstance(one, Polyline)]
            assert f"beam-{beam.side}" in shape.classes
            assert [one.points[-1] for one in stretches[:-1]] == [one.points[0] for one in stretches[1:]]
            points = (stretches[0].points[0], *(point for one in stretches for point in one.points[1:]))
            points = in_the_middle(position, view, beam, points)
            assert cells_on(position, view, points) == cells_of(position, beam)
            assert_end(position, view, beam, points[-1])
            assert [one.width for one in stretches] == [1 + 1.5 * power for power in powers(position, beam)]


def in_the_middle(position: BeamsPosition, view: str, beam: Beam, points: tuple[Point, ...]) -> tuple[Point, ...]:
    """The points of a beam without its lane: the first one is then the middle of its generator's cell."""
    layout = Layout(position.board.columns, position.board.rows, view)
    middle = layout.at(*layout.place(beam.side, beam.cell))
    right, down = points[0][0] - middle[0], points[0][1] - middle[1]
    assert math.hypot(right, down) < COIN, "a beam begins under its coin"
    return tuple((x - right, y - down) for x, y in points)


def test_beams_on_one_line_are_drawn_beside_each_other() -> None:
    found = 0
    for position in beams_positions():
        lanes = shifts(position)
        lines = {beam: ways(position, beam) for beam in position.beams}
        for one, two in combinations(position.beams, 2):
            if lines[one] & lines[two]:
                found += 1
                assert lanes[one] != lanes[two]
    assert found > 20


def ways(position: BeamsPosition, beam: Beam) -> set[tuple[bool, frozenset[tuple[str, str]]]]:
    """Each two cells that a beam goes between, whichever way, and whether straight on or by a wall."""
    straight = beam.clock in (12, 6)
    return {
        (straight, frozenset(pair)) for pair in pairwise([(beam.side, str(beam.cell)), *cells_of(position, beam)])
    }


def powers(position: BeamsPosition, beam: Beam) -> list[int]:
    """The power of each stretch of a beam."""
    start = position.light.power(position.board.sites[beam.side][beam.cell])
    return [power for power in (start, *(left for _, _, left in beam.crossed)) if power]


def cells_of(position: BeamsPosition, beam: Beam) -> list[tuple[str, str]]:
    """The cells that a beam enters by the board's path, up to the one where it stops."""
    board = position.board
    site = board.sites[beam.side][beam.cell]
    components = position.stones[site].components
    path = board.fan(site, position.stones[site]).paths[components.index(beam.clock)]
    entered = [(side, str(cell)) for one, _ in path.steps for side, cell in [board.places[one]]]
    if beam.exit is not None:
        return entered
    side, cell, _ = beam.crossed[-1]
    walls = [(owner, str(wall)) for owner, wall, _ in beam.crossed]
    last = walls.count((side, str(cell)))
    ends = [number for number, one in enumerate(entered) if one == (side, str(cell))]
    return entered[: ends[last - 1] + 1]


def cells_on(position: BeamsPosition, view: str, points: tuple[Point, ...]) -> list[tuple[str, str]]:
    """The cells of both territories whose middles a line goes through, its start left out."""
    board = position.board
    named = {board.south_view(side, cell): (side, str(cell)) for side, cell in board.places}
    found = []
    for (column, row), (to_column, to_row) in pairwise(on_board(position, view, point) for point in points):
        across, down = to_column - column, to_row - row
        assert abs(across) == abs(down) or across == 0, "a beam goes straight ahead or aslant"
        # Straight ahead a step is two half-rows; the last one may end half way, on the rear boundary.
        pace = (math.copysign(1, down), math.copysign(1, across)) if across else (math.copysign(2, down), 0)
        for step in range(1, int(abs(down) / abs(pace[0])) + 1):
            place = (int(row + pace[0] * step), int(column + pace[1] * step))
            found += [named[place]] if place in named else []
    return found


def on_board(position: BeamsPosition, view: str, point: Point) -> tuple[int, int]:
    """The column and half-row of a point, from south's chair."""
    column = (point[0] - BEAMS_X) / COLUMN
    row = (point[1] - BEAMS_Y) / HALF_ROW - position.board.rows - 1
    if view == "north":
        column, row = position.board.columns + 1 - column, -row
    assert abs(column - round(column)) < 0.01
    assert abs(row - round(row)) < 0.01
    return round(column), round(row)


def assert_end(position: BeamsPosition, view: str, beam: Beam, point: Point) -> None:
    """A beam that leaves ends on the rear boundary, at its counter's column; another in its last cell."""
    column, row = on_board(position, view, point)
    board = position.board
    if beam.exit is None:
        assert (row, column) == board.south_view(*beam.crossed[-1][:2])
    else:
        own = beam.exit.boundary == "south"
        assert row == (board.rows + 1 if own else -board.rows - 1)
        assert column == (beam.exit.column if own else board.columns + 1 - beam.exit.column)


def squares_on(game: str, points: tuple[Point, ...]) -> list[tuple[int, int]]:
    """The columns and rows, from the upper left, of the squares that a line enters after its start."""
    left, top, side = CELL[game]
    columns, rows = (10, 8) if game == "laser-chess" else (6, 6)
    found = [square_at(points[0], left, top, side)]
    for point in sampled(points, side / 8):
        square = square_at(point, left, top, side)
        found += [square] if square != found[-1] else []
    return [(column, row) for column, row in found[1:] if 1 <= column <= columns and 1 <= row <= rows]


def square_at(point: Point, left: float, top: float, side: float) -> tuple[int, int]:
    return math.floor((point[0] - left) / side) + 1, math.floor((point[1] - top) / side) + 1


def laser_plies(step: int) -> Iterator[tuple[LaserChessPosition, tuple[Event, ...], Fired]]:
    """Positions of the examples and of random play, with the shot that led to them."""
    found = [(ply.position, ply.events) for file in examples("laser-chess") for ply in referee.read(file).replay()]
    found += [(ply.after, ply.before.events(ply.moves, ply.after)) for ply in plies("laser-chess")[::step]]
    for position, events in found:
        (shot,) = (event for event in events if isinstance(event, Fired))
        assert isinstance(position, LaserChessPosition)
        yield position, events, shot


@pytest.mark.parametrize("step", [240, pytest.param(5, marks=pytest.mark.slow)])
@pytest.mark.parametrize("view", ["blue", pytest.param("red", marks=pytest.mark.slow)])
def test_a_shot_is_drawn_through_the_squares_that_it_enters(view: str, step: int) -> None:
    ends = set()
    for position, events, shot in laser_plies(step):
        shots = group(drawing("laser-chess").scene(position, view=view, events=events), "shots")
        squares = squares_on("laser-chess", line(shots, "shot"))
        seen = [(file, 9 - rank) if view == "blue" else (11 - file, rank) for file, rank in shot.path]
        # Where a mirror sends the beam straight back, the line goes over the same squares again.
        assert squares == without_repeats(seen)
        hit = any("cross" in one.classes for one in shots.shapes)
        stopped = any("shot-stop" in one.classes for one in shots.shapes)
        assert hit == (position.lost is not None)
        ends.add("hit" if hit else "stopped" if stopped else "left")
    assert ends == {"hit", "stopped", "left"}


def without_repeats(squares: list[tuple[int, int]]) -> list[tuple[int, int]]:
    return [square for before, square in pairwise([(0, 0), *squares]) if before != square]


def test_a_walk_is_drawn_through_the_squares_that_it_enters() -> None:
    ends = set()
    for ply in plies("the-beam"):
        walks = [event.walk for event in ply.before.events(ply.moves, ply.after) if isinstance(event, BeamWalked)]
        position = ply.after
        assert isinstance(position, TheBeamPosition)
        for walk in walks:
            points = line(group(drawing("the-beam").scene(position, view="p1"), "walks"), "walk")
            assert squares_on("the-beam", points) == [(column, 7 - row) for row, column in walk.path]
            assert square_at(points[0], *CELL["the-beam"]) == (walk.column, 7)
            x, y = points[-1]
            left, top, side = CELL["the-beam"]
            inside = left < x < left + 6 * side and top < y < top + 6 * side
            assert inside == (walk.end == "barrier")
            ends.add(walk.end)
    assert ends == {"barrier", "edge"}
