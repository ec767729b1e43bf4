"""A set of Beams, Boosters and Barriers to print: the board in four quadrants, and all pieces and counters.

A cell of the standard board is 26 mm from side to side, so that a US quarter lies in it with room around it, and a
quarter of the board, 180 mm by 182 mm, fits on either paper with its labels and counters. Every quadrant is seen from
its owner's chair: laid out, north's two lie the other way round, as north does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from referee.draw.beams.coins import FRONT, coin
from referee.draw.beams.layout import COIN, HALF_ROW, MARGIN_X, MARGIN_Y
from referee.draw.beams.scene import PAINTS, scene
from referee.draw.scenes.pdf import GREY, Box, PdfDocument, Placement
from referee.draw.scenes.scene import Circle, Group, Label, Paint, Point, Polygon, Polyline, Scene, Shape
from referee.rules import start
from referee.rules.beams import BeamsPosition, PlacedPiece
from referee.rules.beams.pieces import SETS, PieceType

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

_MARK = 4.0
_INK, _PALE = ("#1b1b1b", "#1b1b1b"), ("#9aa0a6", "#9aa0a6")
_PRINTED = {
    **PAINTS,
    "ray": Paint(width=1.6, opacity=0.75),
    # Thin enough to stay within the coin.
    "generator-line": Paint(width=1.4),
    "barrier-line": Paint(stroke=_INK, width=1.2),
    "coin": Paint(stroke=_INK, width=0.3 / _COIN),
    "counter": Paint(fill=("#fff4cc", "#fff4cc"), stroke=_INK, width=0.3 / _COIN),
    "slot": Paint(stroke=_PALE, width=0.3, dash=(2, 2)),
    "edge": Paint(stroke=_INK, width=1.6),
    "cut": Paint(stroke=_INK, width=0.2),
    "name": Paint(fill=(GREY, GREY)),
}


def print_set(paper: str) -> bytes:
    """The set as a PDF document: four quadrants, the pieces, the counters."""
    document = PdfDocument(paper, "Beams, Boosters and Barriers: a set to print")
    position = start("beams")
    assert isinstance(position, BeamsPosition)
    board = _board(position)
    for side in position.sides:
        for hand in ("left", "right"):
            _quadrant(document, board, side, hand)
    _pieces(document)
    _counters(document)
    return document.as_bytes()


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


def _quadrant(document: PdfDocument, board: Scene, side: str, hand: str) -> None:
    """A page with one side's left or right half of its territory, from the midline to its counters."""
    half_width = (board.width / 2 - MARGIN_X) * _BOARD + _SIDE_BORDER
    half_height = (board.height / 2 - MARGIN_Y) * _BOARD + _REAR_BORDER
    left, top = (document.width - half_width) / 2, (document.height - half_height) / 2
    centre = (left + half_width if hand == "left" else left, top)
    turned = side == "north"
    sign = 1 if turned else -1
    origin = (centre[0] + sign * board.width / 2 * _BOARD, centre[1] + sign * board.height / 2 * _BOARD)
    box = Box(left, top, half_width, half_height)
    _heading(document, f"{side}'s {hand} quarter of the board", _ADVICE, (left, top - 16))
    document.draw(board, Placement(origin, _BOARD, turned), within=box)
    document.draw(_sheet(document, _cuts(box)), Placement((0, 0), 1))
    _ruler(document)


_ADVICE = "Cut along the marks; the four quarters meet in the middle of the board. Tape them together from behind."


def _cuts(box: Box) -> Iterator[Polyline]:
    for x, outward in ((box.left, -1), (box.left + box.width, 1)):
        for y, down in ((box.top, -1), (box.top + box.height, 1)):
            yield Polyline(((x, y + down), (x, y + down * (1 + _MARK))), ("cut",))
            yield Polyline(((x + outward, y), (x + outward * (1 + _MARK), y)), ("cut",))


def _pieces(document: PdfDocument) -> None:
    _heading(document, "pieces", "Generators and barriers are as large as a US quarter, boosters as a nickel.")
    rows = (
        ("M1", "M1", "M1", "M2V", "M2Y", "M3"),
        ("R1", "R1", "R1", "R2V", "R2Y", "R3"),
        ("S", "S", "S", "S"),
    )
    assert sorted(sum(rows, ())) == sorted(piece for piece, number in SETS["standard"].items() for _ in range(number))
    coins: list[Shape] = []
    for block, side in enumerate(("south", "north")):
        for line, row in enumerate(rows):
            y = 48.0 + block * 112 + line * 35
            for place, token in enumerate(row):
                x = document.width / 2 + (place - 2.5) * 30
                coins += _piece(side, PieceType(token), (x / _COIN, y / _COIN))
        document.text(side, (14, 29.5 + block * 112), 3.4, bold=True)
    document.draw(Scene(1, 1, "", "", tuple(coins), _PRINTED), Placement((0, 0), _COIN))
    _ruler(document)


def _piece(side: str, piece: PieceType, centre: Point) -> Iterator[Shape]:
    stone = PlacedPiece(piece, FRONT[piece])
    yield Group(("piece",), tuple(coin(side, stone, centre, list(stone.components))))
    yield Label((centre[0], centre[1] + 15.5 / _COIN), piece, 2.8 / _COIN, ("name",))


def _counters(document: PdfDocument) -> None:
    _heading(document, "counters", "They are as large as a dime, and show how many beams leave at a column.")
    numbers = [number for number, many in _COUNTERS.items() for _ in range(many)]
    shapes: list[Shape] = []
    for place, number in enumerate(numbers):
        row, column = divmod(place, 8)
        centre = (document.width / 2 + (column - 3.5) * 23, 46.0 + row * 23)
        shapes.append(Circle(centre, DIME / 2, ("counter",)))
        shapes.append(Label(centre, str(number), 8, ("counter-number",)))
    document.draw(_sheet(document, shapes), Placement((0, 0), 1))
    _ruler(document)


def _heading(document: PdfDocument, title: str, text: str, at: Point = (14, 18)) -> None:
    document.page()
    document.text(f"Beams, Boosters and Barriers: {title}", at, 4.5, bold=True)
    document.text(text, (at[0], at[1] + 6), 2.8, colour=GREY)


def _ruler(document: PdfDocument) -> None:
    y = document.height - 12
    ends = [Polyline(((x, y - 1.5), (x, y + 1.5)), ("cut",)) for x in (14, 64)]
    document.draw(_sheet(document, [Polyline(((14, y), (64, y)), ("cut",)), *ends]), Placement((0, 0), 1))
    document.text("Print at 100 %: this line is 50 mm long.", (68, y), 2.8, colour=GREY)


def _sheet(document: PdfDocument, shapes: Iterable[Shape]) -> Scene:
    millimetres = {**_PRINTED, "counter": replace(_PRINTED["counter"], width=0.3)}
    return Scene(document.width, document.height, "", "", tuple(shapes), millimetres)
