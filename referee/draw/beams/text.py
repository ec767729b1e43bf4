"""Beams, Boosters and Barriers in plain text: the board, the hands, and what happened in a ply."""

from __future__ import annotations

from collections.abc import Iterator

from referee.rules import Event
from referee.rules.beams import BeamsPosition, Cell, PlacedPiece
from referee.rules.beams.board import CLOCKS, SIDES, other, seen_by
from referee.rules.beams.events import BeamGained, BeamLost, Placed, PowerChanged, Rotated, ScoreChanged

_BAND = 17
"""Maximum columns side by side; a wider board is drawn in several bands."""

_STEP = 4
_MARGIN = 5
_ARROWS = dict(zip(CLOCKS, "\u2191\u2197\u2198\u2193\u2199\u2196", strict=True))
_SMALL = " \u00b9\u00b2\u00b3\u2074"


def board(position: BeamsPosition, *, view: str, unicode: bool, events: tuple[Event, ...]) -> list[str]:
    """The board as one side sees it, its own territory below; at most 78 columns wide.

    South's pieces are in capitals, north's in small letters, pieces that `events` moved have a star.
    """
    columns = position.board.columns
    corners = range(columns + 2) if position.board.rows % 2 == 0 else range(1, columns + 1)
    touched = {(event.side, event.cell) for event in events if isinstance(event, Placed | Rotated)}
    lines = []
    for start in range(corners.start, corners.stop, _BAND):
        band = range(start, min(start + _BAND, corners.stop))
        lines += [*_band(position, view, band, touched, unicode=unicode), ""]
    return [*lines, *_legend(unicode=unicode)]


def _band(
    position: BeamsPosition, view: str, band: range, touched: set[tuple[str, Cell]], *, unicode: bool
) -> Iterator[str]:
    """The lines of one band of columns, which are counted from the viewer's left."""
    rows, columns = position.board.rows, position.board.columns
    yield from _boundary(position, other(view), view, band)
    for row in range(-rows, rows + 1):
        cells = {}
        for column in band:
            if not 1 <= column <= columns or (row + column) % 2 == 0:
                continue
            side, cell = (view, Cell(row, column)) if row > 0 else (other(view), Cell(-row, columns + 1 - column))
            if row == 0:
                cells[column] = "\u2500\u2500\u2500" if unicode else "---"
            else:
                star = (side, cell) in touched
                cells[column] = _cell(position, side, cell, view, unicode=unicode, star=star)
        letter = chr(64 + abs(row)) if row else " "
        yield _row(letter, cells, band)
    yield from _boundary(position, view, view, band)


def _boundary(position: BeamsPosition, side: str, view: str, band: range) -> list[str]:
    """A rear boundary: its column labels next to the board, the counters behind them."""
    columns = position.board.columns
    label = {column: column if side == view else columns + 1 - column for column in band}
    counters = position.counters[side]
    counts = {column: str(counters.get(label[column], ".")) for column in band}
    names = {column: str(label[column]) for column in band if 1 <= column <= columns}
    lines = [_row("", names, band), _row("#", counts, band), f"    {side}'s rear boundary"]
    return lines if side == view else lines[::-1]


def _row(letter: str, cells: dict[int, str], band: range) -> str:
    """One line: the row's letter on both sides, each cell's text around its column."""
    width = _MARGIN + _STEP * (len(band) - 1) + _MARGIN + 1
    line = [" "] * width
    for column, text in cells.items():
        middle = _MARGIN + _STEP * (column - band.start)
        start = middle - len(text.lstrip("*")) // 2 - text.startswith("*")
        line[start : start + len(text)] = text
    line[0] = line[-1] = letter or " "
    return "".join(line).rstrip()


def _cell(position: BeamsPosition, side: str, cell: Cell, view: str, *, unicode: bool, star: bool) -> str:
    site = position.board.sites[side][cell]
    stone = position.stones.get(site)
    if stone is None:
        return "\u00b7" if unicode else "."
    power = position.light.power(site) if stone.clock is not None else 1
    piece = str(stone.piece) if side == "south" else str(stone.piece).lower()
    if unicode:
        facing = "".join(_ARROWS[seen_by(side, seen_by(view, clock))] for clock in stone.components)
        strength = _SMALL[power] if power > 1 else ""
    else:
        facing = "" if stone.clock is None else f"{'.' if stone.piece[-1].isdigit() else ''}{stone.clock:d}"
        strength = f"^{power}" if power > 1 else ""
    return f"{'*' if star else ''}{piece}{facing}{strength}"


def _legend(*, unicode: bool) -> list[str]:
    facing = "arrows: its lines" if unicode else "then its clock, as its owner sees it"
    power = "\u00b2 power 2" if unicode else "^2 power 2"
    return [f"SOUTH north   a piece, {facing}; {power};", "* moved last; # counters behind the boundaries"]


def standing(position: BeamsPosition) -> list[tuple[str, str]]:
    """The hands, each with its heading."""
    told = []
    for side in SIDES:
        held = [f"{piece} x{n}" if n > 1 else str(piece) for piece, n in position.hands[side].items() if n]
        told.append((f"{side} holds", ", ".join(held) or "nothing"))
    return told


def sentence(event: Event) -> str:
    """An event in words."""
    match event:
        case Placed(side, cell, stone):
            return f"{side} placed {_stone(stone)} on {cell}"
        case Rotated(side, cell, stone):
            return f"{side} turned the piece on {cell}, now {_stone(stone)}"
        case PowerChanged(side, cell, stone, power):
            return f"{side}'s {stone.piece} on {cell} now has power {power}"
        case BeamGained(beam, gone):
            return (
                f"gained: {beam.side}'s beam {beam.cell} at {beam.clock:d}, to {gone.boundary}'s column {gone.column}"
            )
        case BeamLost(side, cell, clock, gone):
            return f"lost: {side}'s beam {cell} at {clock:d}, to {gone.boundary}'s column {gone.column}"
        case ScoreChanged(side, before, after):
            return f"{side}'s score: {before} -> {after}"
        case _:
            raise TypeError(f"no event of beams: {event}")


def _stone(stone: PlacedPiece) -> str:
    return "a booster" if stone.clock is None else f"{stone.piece} at {stone.clock:d}"
