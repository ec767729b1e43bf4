"""The kit of Beams, Boosters and Barriers: the board, all pieces, and counters.

A cell is 26 mm from side to side, so that a US quarter lies in it with room around it, and a quarter of the standard
board, 180 mm by 182 mm, fits on A4 and on letter paper with its labels and counters. Each half of the board is seen
from its owner's chair.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.draw.beams.layout import COIN, HALF_ROW, MARGIN_X, MARGIN_Y
from referee.draw.beams.scene import FRONT, PAINTS, coin, scene
from referee.draw.kit import CUT_PAINTS, CutOut, Kit, Sheet
from referee.draw.scenes.pdf import Box
from referee.draw.scenes.scene import Circle, Group, Label, Paint, Polygon, Scene, Shape
from referee.rules.beams import BeamsPosition, PlacedPiece
from referee.rules.beams.pieces import PieceType

QUARTER, NICKEL, DIME = 24.26, 21.21, 17.91
"""The diameters in millimetres: of generators and barriers, of boosters, and of counters."""

_CELL = 26.0
"""The distance of a cell's opposite sides, in millimetres."""

_COUNTERS = {1: 20, 2: 10, 3: 6, 4: 5, 5: 4, 6: 3}
"""The number of counters of each value: two full sets of generators fire twenty beams."""

_BOARD, _COIN = _CELL / (2 * HALF_ROW), QUARTER / (2 * COIN)
"""Millimetres for a unit of the board's scene, and of a coin's."""

_SIDE_BORDER, _REAR_BORDER = 9.0, 29.0
"""The room next to the walls, for the rows, and behind the rear boundaries, for columns and counters."""

_INK, _PALE = ("#1b1b1b", "#1b1b1b"), ("#9aa0a6", "#9aa0a6")
_PRINTED = {
    **PAINTS,
    **CUT_PAINTS,
    "ray": Paint(width=1.6, opacity=0.75),
    # Thin enough to stay within the coin.
    "generator-line": Paint(width=1.4),
    "barrier-line": Paint(stroke=_INK, width=1.2),
    "coin": Paint(stroke=_INK, width=0.3 / _COIN),
    "counter": Paint(fill=("#fff4cc", "#fff4cc"), stroke=_INK, width=0.3 / _COIN),
    "slot": Paint(stroke=_PALE, width=0.3, dash=(2, 2)),
    "edge": Paint(stroke=_INK, width=1.6),
}


def kit(position: BeamsPosition) -> Kit:
    """The board, the pieces of both hands, and the counters."""
    board = _board(position)
    side, rear = MARGIN_X - _SIDE_BORDER / _BOARD, MARGIN_Y - _REAR_BORDER / _BOARD
    area = Box(side, rear, board.width - 2 * side, board.height - 2 * rear)
    pieces = [
        CutOut(f"{side} {piece}", (_coin(side, piece),), number)
        for side, hand in position.hands.items()
        for piece, number in hand.items()
        if number
    ]
    counters = [CutOut("", tuple(_counter(value)), number) for value, number in _COUNTERS.items()]
    sheets = (
        Sheet(
            "pieces",
            "Generators and barriers are as large as a US quarter, boosters as a nickel.",
            tuple(pieces),
            _COIN,
        ),
        Sheet("counters", "As large as a dime: they show how many beams leave at a column.", tuple(counters), _COIN),
    )
    return Kit(board, area, _BOARD, sheets, facing=True)


def _coin(side: str, piece: PieceType) -> Shape:
    """A piece, scaled to the coin that it stands for."""
    stone = PlacedPiece(piece, FRONT[piece])
    return Group(("piece",), tuple(coin(side, stone, (0, 0), list(stone.components))))


def _counter(value: int) -> Iterator[Shape]:
    yield Circle((0, 0), DIME / 2 / _COIN, ("counter",))
    yield Label((0, 0), str(value), 8 / _COIN, ("counter-number",))


def _board(position: BeamsPosition) -> Scene:
    plain = scene(position, view="south")
    cells = [shape for shape in plain.shapes if {"cell", "rays"} & set(shape.classes)]
    border = tuple(_border(position, plain.width, plain.height))
    return replace(plain, shapes=(*cells, *border), paints=_PRINTED)


def _border(position: BeamsPosition, width: float, height: float) -> Iterator[Shape]:
    rows, columns = position.board.rows, position.board.columns
    left, top, right, bottom = MARGIN_X, MARGIN_Y, width - MARGIN_X, height - MARGIN_Y
    pitch, half = (right - left) / (columns + 1), (bottom - top) / (2 * rows + 2)
    near, far = 4.5 / _BOARD, 18.5 / _BOARD
    yield Polygon(((left, top), (right, top), (right, bottom), (left, bottom)), ("edge",))
    for row in range(1, rows + 1):
        for y in (height / 2 + row * half, height / 2 - row * half):
            for x in (left - near, right + near):
                yield Label((x, y), chr(64 + row), 6, ("label", "owner"))
    for column in range(1, columns + 1):
        x = left + column * pitch
        for name, y, out in ((column, bottom, 1), (columns + 1 - column, top, -1)):
            yield Label((x, y + out * near), str(name), 6, ("label", "owner"))
            yield Circle((x, y + out * far), DIME / 2 / _BOARD, ("slot",))
