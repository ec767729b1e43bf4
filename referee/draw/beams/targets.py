"""Targets of Beams, Boosters and Barriers: pieces in the hand and on the board, cells, clocks, turns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from referee.draw.beams.layout import COIN, COLUMN, HALF_ROW, Layout, ring
from referee.draw.beams.text import piece_text
from referee.draw.scenes.target import TURN_NAMES, TURN_SIGNS, Composition, Target, Wording
from referee.rules.beams import BeamsPosition, Move, PieceType, Place, Rotate, Turn
from referee.rules.beams.board import CLOCKS, STEPS
from referee.rules.beams.pieces import FAN

_PUT = Wording("P {0} {1}", "Place {0} on {1}.", ("a piece", "a cell"))
_POINTING = ("a piece", "a cell", "a direction of the clock")
_POINT = Wording("P {0} {1} {2}", "Place {0} on {1}, pointing to {2}.", _POINTING)
_SPREAD = Wording("P {0} {1} {2}", "Place {0} on {1}, its leftmost line to {2}.", _POINTING)
_ROTATE = Wording("R {0} {1}", "Turn {0} {1}.", ("a piece", "a turn"))

_SPREADS = ("single", "narrow double", "wide double", "triple")
_NAMES = (*(f"{one} generator" for one in _SPREADS), *(f"{one} barrier" for one in _SPREADS), "booster")
_KINDS = dict(zip(PieceType, _NAMES, strict=True))


def targets(position: BeamsPosition, *, side: str, view: str) -> Iterator[Target]:
    """The side's hand, all cells from the top left, and around a cell clocks and turns as the side sees them."""
    layout = Layout(position.board.columns, position.board.rows, view)
    for piece, number in position.hands[side].items():
        if number:
            kind = _KINDS[piece]
            name = f"{piece}, {kind}, {number} in your hand"
            outline = ring(layout.held(side, piece), COIN + 3, 12)
            yield Target(f"hand {piece}", name, piece, f"the {kind} {piece}", outline)
    places = position.board.places
    for site in sorted(range(len(places)), key=lambda site: layout.place(*places[site])):
        yield _cell(position, side, site, layout)
    for clock in CLOCKS:
        name = f"{clock:d} o'clock"
        down, right = STEPS[layout.clock(side, clock)]
        outline = ring((right * COLUMN, down * HALF_ROW), 19.0, 6)
        yield Target(f"clock {clock:d}", name, f"{clock:d}", name, outline, beside=True)
    for turn, away in ((Turn.LEFT, -COLUMN), (Turn.RIGHT, COLUMN)):
        outline = ring((away, 0.0), 15.0, 12)
        yield Target(f"turn {turn}", TURN_NAMES[turn], turn, TURN_NAMES[turn], outline, TURN_SIGNS[turn], beside=True)


def _cell(position: BeamsPosition, side: str, site: int, layout: Layout) -> Target:
    """A cell with its piece; cells of the other side are named by their owner."""
    owner, cell = position.board.places[site]
    outline = layout.hexagon(*layout.place(owner, cell))
    stone = position.stones.get(site)
    whose = "your" if owner == side else f"{owner}'s"
    mark = str(cell) if owner == side else f"{owner} {cell}"
    if stone is None:
        name = f"{cell}, empty" if owner == side else f"{whose} {cell}, empty"
        return Target(mark, name, str(cell), "", outline)
    power = position.light.power(site) if stone.clock is not None else 1
    return Target(
        mark, f"{whose} {piece_text(cell, stone, power)}", str(cell), f"{whose} {stone.piece} on {cell}", outline
    )


def composition(position: BeamsPosition, side: str, move: Move) -> Composition:
    """The way to a move: piece, cell and clock, or piece and turn."""
    match move:
        case Place(piece, cell, None):
            return Composition(_PUT, (f"hand {piece}", str(cell)))
        case Place(piece, cell, clock):
            wording = _SPREAD if len(FAN[piece]) > 1 else _POINT
            return Composition(wording, (f"hand {piece}", str(cell), f"clock {clock:d}"))
        case Rotate(cell, turn):
            return Composition(_ROTATE, (str(cell), f"turn {turn}"))
        case _:
            assert_never(move)


def trial(position: BeamsPosition, side: str, move: Move) -> BeamsPosition:
    """The position with this move alone, as the other side's is unknown if both are made at once."""
    return position.play_unchecked({side: move})
