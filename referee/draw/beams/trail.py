"""The effect of a ply on the beams: those to mark on a board, their way, and the counters that they changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.rules import Event
from referee.rules.beams import BeamsPosition, Cell, Clock
from referee.rules.beams.board import Exit, bit, seen_by
from referee.rules.beams.events import BeamGained, BeamLost, Placed, Rotated
from referee.rules.beams.light import Beam


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
