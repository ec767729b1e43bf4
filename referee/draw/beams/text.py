"""Beams, Boosters and Barriers in plain text and in words: the board, the hands, and the events of a ply."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from referee.draw.beams.layout import Layout
from referee.draw.beams.trail import changed_exits, last_beams, moved_pieces, way
from referee.draw.scenes.ink import Line, Run, placed
from referee.draw.text import REPORT_WIDTH, legend
from referee.rules import Event
from referee.rules.beams import BeamsPosition, Cell, Clock, PlacedPiece
from referee.rules.beams.board import CLOCKS, SIDES, Exit, other, seen_by
from referee.rules.beams.events import BeamGained, BeamLost, Placed, PowerChanged, Rotated, ScoreChanged
from referee.rules.beams.light import Beam
from referee.rules.beams.pieces import BOOSTER, GENERATORS
from referee.terminal import join_words

_BAND = 17
"""Maximum columns side by side; a wider board is drawn in several bands."""

_STEP = 4
_MARGIN = 5

_LOW_MARGIN = 3

_NARROW_BAND = 15
_NARROW_MARGIN = 4
_ARROWS = dict(zip(CLOCKS, "\u2191\u2197\u2198\u2193\u2199\u2196", strict=True))
_SMALL = " \u00b9\u00b2\u00b3\u2074"
_WAYS = {Clock.TWELVE: 0, Clock.TWO: 1, Clock.FOUR: 2, Clock.SIX: 0, Clock.EIGHT: 1, Clock.TEN: 2}
_CROSSED = 3
_PLAIN_SIGNS, _DRAWN_SIGNS = ":/\\x", "\u2502\u2571\u2572\u2573"
"""A beam's way on an empty cell: straight, rising, falling; several beams that cross."""


def board_lines(
    position: BeamsPosition, *, view: str, unicode: bool, events: tuple[Event, ...], width: int
) -> list[Line]:
    """The board as one side sees it, its own territory below; at most 78 columns wide.

    South's pieces are in capitals, north's in small letters. Pieces and counters that `events` changed have a star,
    and the beams that they changed are drawn on the empty cells of their way. Below 78 columns the board is 45 wide,
    with the clocks below the pieces.
    """
    narrow = width < REPORT_WIDTH
    changes = _changes(position, events)
    contents = _contents(position, view, changes, unicode=unicode)
    lines: list[Line] = []
    for band in _bands(position, narrow=narrow):
        board = _Band(position, view, band, changes, contents, unicode=unicode, narrow=narrow)
        lines += [*board.lines(), ()]
    return [*lines, *_legend(width, "# counters behind the boundaries", unicode=unicode)]


def low_board_lines(
    position: BeamsPosition, *, view: str, unicode: bool, events: tuple[Event, ...], width: int
) -> list[Line]:
    """The board for a screen of few lines: two half-rows in a line, unless their pieces lack the room.

    A counter is next to the number of its column. An empty cell of the upper half-row is a ', of the lower one a dot.
    """
    (band, *more), rows = _bands(position, narrow=False), position.board.rows
    step = (width - _LOW_MARGIN) // len(band)
    if more or step < _STEP:
        return board_lines(position, view=view, unicode=unicode, events=events, width=width)
    changes = _changes(position, events)
    contents = _contents(position, view, changes, unicode=unicode)
    board = _Band(position, view, band, changes, contents, unicode=unicode, narrow=False)
    pairs = [(row, row + 1)[: rows - row + 1] for row in range(1, rows + 1, 2)]
    lines = board.low_boundary(other(view), step)
    for pair in reversed(pairs):
        lines += board.low_rows([-row for row in reversed(pair)], step)
    lines.append((Run(" " * _LOW_MARGIN), Run(("\u2500" if unicode else "-") * step * len(band))))
    for pair in pairs:
        lines += board.low_rows(pair, step)
    low = "' upper half-row"
    return [*lines, *board.low_boundary(view, step), (), *_legend(width, low, unicode=unicode)]


class _Changes(NamedTuple):
    """The changes of a ply: pieces by owner and cell, exits of beams, and a sign's number on each cell of a way."""

    pieces: set[tuple[str, Cell]]
    exits: set[Exit]
    ways: Mapping[tuple[str, Cell], int]


def _changes(position: BeamsPosition, events: tuple[Event, ...]) -> _Changes:
    ways: dict[tuple[str, Cell], int] = {}
    for beam in last_beams(position, events):
        for place, clock in way(position, beam):
            sign = _WAYS[clock]
            ways[place] = sign if ways.get(place, sign) == sign else _CROSSED
    return _Changes(moved_pieces(events), changed_exits(events), ways)


def _bands(position: BeamsPosition, *, narrow: bool) -> Iterator[range]:
    """The columns side by side, counted from the viewer's left; the corners of a board may have counters too."""
    columns, corners = position.board.columns, position.board.rows % 2 == 0
    if narrow:
        size = -(-columns // -(-columns // _NARROW_BAND))
        for start in range(1, columns + 1, size):
            stop = min(start + size, columns + 1)
            yield range(start - (corners and start == 1), stop + (corners and stop == columns + 1))
        return
    first, stop = (0, columns + 2) if corners else (1, columns + 1)
    for start in range(first, stop, _BAND):
        yield range(start, min(start + _BAND, stop))


class _Content(NamedTuple):
    """The text of what is on a cell, its orientation with its power, and whether it has changed."""

    piece: Run
    facing: str = ""
    is_changed: bool = False


_EMPTY, _HIGH = (_Content(Run(".")), _Content(Run("\u00b7"))), _Content(Run("'"))
"""An empty cell, plain and drawn; one of the upper half-row on a low board."""


def _contents(
    position: BeamsPosition, view: str, changes: _Changes, *, unicode: bool
) -> Mapping[tuple[int, int], _Content]:
    """The pieces and the beams on empty cells, by half-row and column; `_Band` says how these are counted."""
    found, seen = dict[tuple[int, int], _Content](), Layout(position.board.columns, position.board.rows, view).place
    for place, sign in changes.ways.items():
        found[seen(*place)] = _Content(Run((_DRAWN_SIGNS if unicode else _PLAIN_SIGNS)[sign], "glow"))
    for site, stone in position.stones.items():
        side, cell = place = position.board.places[site]
        power = position.light.power(site) if stone.clock is not None else 1
        if unicode:
            facing = "".join(_ARROWS[seen_by(side, seen_by(view, clock))] for clock in stone.components)
            strength = _SMALL[power] if power > 1 else ""
        else:
            facing = "" if stone.clock is None else f"{'.' if stone.piece[-1].isdigit() else ''}{stone.clock:d}"
            strength = f"^{power}" if power > 1 else ""
        piece = str(stone.piece) if side == "south" else str(stone.piece).lower()
        found[seen(side, cell)] = _Content(Run(piece, f"beam-{side}"), facing + strength, place in changes.pieces)
    return found


@dataclass(frozen=True, slots=True)
class _Band:
    """Columns of a board side by side: `band`, counted from the left of `view`; `changes` are marked.

    Half-rows count from the midline, those beyond it are negative.
    """

    position: BeamsPosition
    view: str
    band: range
    changes: _Changes
    contents: Mapping[tuple[int, int], _Content]
    unicode: bool
    narrow: bool

    def lines(self) -> Iterator[Line]:
        """All lines from one rear boundary to the other."""
        rows = self.position.board.rows
        yield from self._boundary(other(self.view))
        for row in range(-rows, rows + 1):
            if row:
                yield from self._row(row)
            else:
                edge = "\u2500\u2500\u2500" if self.unicode else "---"
                yield self._framed("", self._centred(dict.fromkeys(self._cells(0), edge)))
        yield from self._boundary(self.view)

    def _at(self, column: int) -> int:
        """The place of a column's middle in a line: four to a column, or five to two columns."""
        if self.narrow:
            return _NARROW_MARGIN + 5 * (column - max(1, self.band.start)) // 2
        return _MARGIN + _STEP * (column - self.band.start)

    def _framed(self, sign: str, runs: Mapping[int, Run]) -> Line:
        """One line: a sign on both sides, and between them runs at their places."""
        last = self._at(min(self.band.stop - 1, self.position.board.columns)) if self.narrow else 0
        end = last + _NARROW_MARGIN if self.narrow else self._at(self.band.stop - 1) + _MARGIN
        edge = Run(sign, "label" if sign.isalpha() else "")
        frame = {0: edge, end: edge} if sign.strip() else {}
        return placed({**frame, **runs}.items())

    def _centred(self, texts: Mapping[int, str], paint: str = "") -> dict[int, Run]:
        return {self._at(column) - len(text) // 2: Run(text, paint) for column, text in texts.items()}

    def _boundary(self, side: str) -> list[Line]:
        """A rear boundary: its column labels next to the board, the counters behind them."""
        columns = self.position.board.columns
        label = {column: column if side == self.view else columns + 1 - column for column in self.band}
        names = {column: str(label[column]) for column in self.band if 1 <= column <= columns}
        counters = self.position.counters[side]
        empty = {column: "." for column in self.band if label[column] not in counters}
        full = {column: str(counters[label[column]]) for column in self.band if label[column] in counters}
        counts = {**self._centred(empty), **self._centred(full, "counter-number")}
        for column in (column for column in self.band if Exit(side, label[column]) in self.changes.exits):
            counts[self._at(column) - 1] = Run("*", "last")
        lines = [
            *self._names(names),
            self._framed("#", counts),
            (Run("    "), Run(side, f"beam-{side}"), Run("'s rear boundary")),
        ]
        return lines if side == self.view else [lines[-1], lines[-2], *lines[:-2]]

    def _names(self, names: Mapping[int, str]) -> list[Line]:
        """The labels of the columns, in the narrow form their tens above their ones."""
        if not self.narrow:
            return [self._framed("", self._centred(names, "label"))]
        tens = {column: name[0] for column, name in names.items() if len(name) > 1}
        ones = {column: name[-1] for column, name in names.items()}
        return [self._framed("", self._centred(digits, "label")) for digits in (tens, ones) if digits]

    def low_boundary(self, side: str, step: int) -> list[Line]:
        """The numbers of a rear boundary's columns with their counters, which are below if there is little room."""
        counters, columns = self.position.counters[side], self.position.board.columns
        names, counts = {0: Run("#")}, {}
        for place, column in enumerate(self.band):
            label = column if side == self.view else columns + 1 - column
            name = str(label) if 1 <= column <= columns else ""
            star = "*" * (Exit(side, label) in self.changes.exits)
            middle = _LOW_MARGIN + step * place + step // 2
            start = middle - len(name) // 2
            names[start - len(star)] = Run(star + name)
            if counters.get(label):
                counts[start + len(name)] = Run(f":{counters[label]}", "counter-number")
        if step > _STEP:
            return [placed({**names, **counts}.items())]
        return [placed(names.items()), placed(counts.items())]

    def low_rows(self, rows: Sequence[int], step: int) -> list[Line]:
        """Half-rows in one line, or each in its own if there is no blank between two pieces."""
        texts: list[tuple[int, Run]] = []
        end = _LOW_MARGIN + step * len(self.band)
        for row in rows:
            empty = _EMPTY[self.unicode] if row == rows[-1] else _HIGH
            for column in self._cells(row):
                piece, facing, is_changed = self.contents.get((row, column), empty)
                text = "*" * is_changed + piece.text + facing
                start = _LOW_MARGIN + step * (column - self.band.start) + step // 2 - len(text) // 2
                texts.append((min(start, end - len(text)), Run(text, piece.paint)))
        texts.sort()
        if len(rows) > 1 and any(start + len(run.text) >= after for (start, run), (after, _) in pairwise(texts)):
            return [line for row in rows for line in self.low_rows([row], step)]
        return [placed([(0, Run("".join(chr(64 + abs(row)) for row in rows))), *texts])]

    def _cells(self, row: int) -> range:
        """The columns of this band in which a half-row has a cell; 0 is the midline."""
        first = max(1, self.band.start)
        return range(first + (row + first + 1) % 2, min(self.band.stop, self.position.board.columns + 1), 2)

    def _row(self, row: int) -> Iterator[Line]:
        """A row of cells; in the narrow form with a second line if a piece in it has an orientation."""
        names: dict[int, Run] = {}
        clocks: dict[int, Run] = {}
        empty = _EMPTY[self.unicode]
        for column in self._cells(row):
            piece, facing, is_changed = self.contents.get((row, column), empty)
            text = piece.text + ("" if self.narrow else facing)
            start = self._at(column) - (int(len(text) > 1) if self.narrow else len(text) // 2)
            names[start] = Run(text, piece.paint, f"{chr(64 + row)}{column}" if row > 0 else "")
            if self.narrow and facing:
                clocks[start] = Run(facing.removeprefix("."), piece.paint)
            if is_changed:
                names[start - 1] = Run("*", "last")
        yield self._framed(chr(64 + abs(row)), names)
        if clocks:
            yield self._framed(" ", clocks)


def _legend(width: int, last: str, *, unicode: bool) -> tuple[Line, ...]:
    facing = "arrows: its lines" if unicode else "then its clock, as its owner sees it"
    power = "\u00b2 power 2" if unicode else "^2 power 2"
    signs = _DRAWN_SIGNS if unicode else _PLAIN_SIGNS
    said = (
        f"SOUTH north   a piece, {facing}; {power};",
        f"* changed last; {signs} beams that changed; {last}",
    )
    return legend(said, width)


def standing(position: BeamsPosition) -> list[tuple[str, str]]:
    """The hands, each with its heading."""
    lines = []
    for side in SIDES:
        held = [f"{piece} x{n}" if n > 1 else str(piece) for piece, n in position.hands[side].items() if n]
        lines.append((f"{side} holds", ", ".join(held) or "nothing"))
    return lines


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
            return f"{_beam(beam.side, beam.cell, beam.clock)} now scores in {gone.boundary}'s column {gone.column}"
        case BeamLost(side, cell, clock, gone):
            return f"{_beam(side, cell, clock)} no longer scores in {gone.boundary}'s column {gone.column}"
        case ScoreChanged(side, before, after):
            return f"{side}'s score: {before} -> {after}"
        case _:
            raise TypeError(f"no event of beams: {event}")


def _beam(side: str, cell: Cell, clock: Clock) -> str:
    return f"{side}'s beam from {cell} ({clock:d} o'clock)"


def _stone(stone: PlacedPiece) -> str:
    return "a booster" if stone.clock is None else f"{stone.piece} at {stone.clock:d}"


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
