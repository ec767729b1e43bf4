"""The ways of beams, the lanes of those on the same line of cells, and the beams and counters that a ply changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from referee.draw.scenes.scene import Point
from referee.rules import Event
from referee.rules.beams import BeamsPosition, Cell, Clock
from referee.rules.beams.board import Exit, bit, seen_by
from referee.rules.beams.events import BeamGained, BeamLost, Placed, Rotated
from referee.rules.beams.light import Beam

LANE = 5.0
"""The distance of two beams on one line."""

_SLOPE = 0.866
"""The height of a lane measured across a diagonal, for one measured upright."""

_LANES = (0, 1, -1, 2, -2)
"""The lanes of a line in the order of their use; beams overlap where all are taken."""

_Line = tuple[tuple[str, Cell], Clock]
"""A cell and one of the three lines through it, named by the smaller of its two clocks as south sees them."""


def moved_pieces(events: Iterable[Event]) -> set[tuple[str, Cell]]:
    """The owners and cells of the pieces that were placed or turned."""
    return {(event.side, event.cell) for event in events if isinstance(event, Placed | Rotated)}


def last_beams(position: BeamsPosition, events: Iterable[Event]) -> list[Beam]:
    """The beams of the pieces that moved, and those that leave the board only since then."""
    moved, gained = moved_pieces(events), {event.beam for event in events if isinstance(event, BeamGained)}
    return [beam for beam in position.beams if (beam.side, beam.cell) in moved or beam in gained]


def changed_exits(events: Iterable[Event]) -> set[Exit]:
    """The new exits of beams, and those that have gone."""
    return {event.exit for event in events if isinstance(event, BeamGained | BeamLost)}


def way(position: BeamsPosition, beam: Beam) -> Iterator[tuple[tuple[str, Cell], Clock]]:
    """The cells that a beam enters, with its direction as south sees it, up to the one where it stops."""
    board, light = position.board, position.light
    crossings = len(beam.crossed)
    for site, clock in board.path(board.sites[beam.side][beam.cell], seen_by(beam.side, beam.clock)).steps:
        yield board.places[site], clock
        crossings -= bool(light.walls & bit(site, clock))
        if not crossings and beam.exit is None:
            return


@lru_cache(maxsize=1)  # a position is drawn as one side sees it, then as the other does
def shifts(position: BeamsPosition) -> Mapping[Beam, Point]:
    """The distance, right and down, of each beam from the middles of its cells; it is shifted as a whole."""
    taken: dict[_Line, set[int]] = defaultdict(set)
    found: dict[Beam, Point] = {}
    for beam in position.beams:
        lines = set(_lines(position, beam))
        used = set[int]().union(*(taken[line] for line in lines))
        lane = next((lane for lane in _LANES if lane not in used), 0)
        for line in lines:
            taken[line].add(lane)
        straight = beam.clock in (Clock.TWELVE, Clock.SIX)
        found[beam] = (lane * LANE, 0.0) if straight else (0.0, lane * LANE / _SLOPE)
    return found


def _lines(position: BeamsPosition, beam: Beam) -> Iterator[_Line]:
    """The lines of cells along a beam, from its generator's cell on."""
    start = ((beam.side, beam.cell), seen_by(beam.side, beam.clock))
    for place, clock in (start, *way(position, beam)):
        yield place, min(clock, clock.opposite)
