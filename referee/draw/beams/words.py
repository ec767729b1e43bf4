"""Beams, Boosters and Barriers in words: every generator with its beams, barriers, boosters, hands and counters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from referee.draw.beams.text import standing
from referee.rules.beams import BeamsPosition, Cell, PlacedPiece
from referee.rules.beams.board import other
from referee.rules.beams.light import Beam
from referee.rules.beams.pieces import BOOSTER, GENERATORS
from referee.terminal import join_words


def words(position: BeamsPosition, *, view: str) -> Iterator[str]:
    """Everything on the board and in the hands, each sentence a line, the pieces of `view` first."""
    board = position.board
    yield f"The board has {board.columns} columns, and {board.rows} rows on each side."
    yield "Directions are clock hours as the owner of a piece sees them, and power is 1 unless stated."
    for side in (view, other(view)):
        yield from _pieces(position, side)
    yield from (f"{heading.capitalize()} {text}." for heading, text in standing(position))
    for side in (view, other(view)):
        row = sorted(position.counters[side].items())
        counted = join_words(f"{number} at column {column}" for column, number in row)
        yield f"Beams that leave over {side}'s rear boundary: {counted or 'none'}."


def _pieces(position: BeamsPosition, side: str) -> Iterator[str]:
    """A side's generators, each with its beams, then its barriers, then its boosters."""
    beams: dict[Cell, list[Beam]] = defaultdict(list)
    for beam in position.beams:
        if beam.side == side:
            beams[beam.cell].append(beam)
    barriers, boosters = [], []
    for site, stone in sorted(position.stones.items()):
        owner, cell = position.board.places[site]
        if owner == side and stone.piece is BOOSTER:
            boosters.append(str(cell))
        elif owner == side:
            text = piece_text(cell, stone, position.light.power(site))
            if stone.piece in GENERATORS:
                ends = (f"the beam at {beam.clock:d} {beam_end(beam)}" for beam in beams[cell])
                yield f"{side.capitalize()}'s {text}: {'; '.join(ends)}."
            else:
                barriers.append(text)
    if not beams:
        yield f"{side.capitalize()}'s generators: none."
    yield f"{side.capitalize()}'s barriers: {'; '.join(barriers) or 'none'}."
    yield f"{side.capitalize()}'s boosters: {', '.join(boosters) or 'none'}."


def piece_text(cell: Cell, stone: PlacedPiece, power: int) -> str:
    """A piece with its place and direction, and its power if it is boosted."""
    if stone.clock is None:
        return f"booster on {cell}"
    return f"{stone.piece} on {cell} at {stone.clock:d}{f', power {power}' if power > 1 else ''}"


def beam_end(beam: Beam) -> str:
    """The end of a beam."""
    if beam.exit is None:
        side, cell, _ = beam.crossed[-1]
        return f"stops in {side}'s {cell}"
    return f"leaves over {beam.exit.boundary}'s boundary at column {beam.exit.column}, power {beam.power}"
