"""The pieces of Laser Chess, drawn: blue's are light on a filled tile, red's dark on a pale tile with a rim.

Shapes are given around the origin for a piece that faces up the page.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.draw.scenes.grid import INK, around, mirror
from referee.draw.scenes.scene import Circle, Paint, Paints, Point, Polygon, Polyline, Shape
from referee.rules.frozen import Frozen
from referee.rules.laser_chess import Piece
from referee.rules.laser_chess.pieces import Kind

TILE = 21.0
"""Half a tile's width."""

_CROWN = ((-13, 9), (-15, -8), (-7, -1), (0, -13), (7, -1), (15, -8), (13, 9))
_EMITTER = ((-9, 13), (-9, -2), (-4, -6), (-4, -15), (4, -15), (4, -6), (9, -2), (9, 13))
_MUZZLE = ((-6, -20), (6, -20), (4, -15), (-4, -15))
_BAR = ((-18, -19), (18, -19), (18, -13), (-18, -13))
_WEDGE = ((-15, -11), (11, 15), (-15, 15))
_FALLING = ((-17, -17), (17, 17))
_RISING = ((-17, 17), (17, -17))


def tile(piece: Piece, centre: Point, quarters: int) -> Iterator[Shape]:
    """A piece: its owner's tile and the shape of its kind; `quarters` are the quarter turns of the view."""
    side = piece.side
    yield Polygon(around(_octagon(TILE), centre), ("tile", f"tile-{side}"))
    if side == "red":
        yield Polygon(around(_octagon(TILE - 2.5), centre), ("rim",))
    facing = 0 if piece.kind is Kind.KING else piece.facing + quarters
    solid, open_line = (f"solid-{side}",), (f"open-{side}",)
    match piece.kind:
        case Kind.KING:
            yield Polygon(around(_CROWN, centre), solid)
            yield Polyline(around(((-12, 14), (12, 14)), centre), open_line)
        case Kind.LASER:
            yield Polygon(around(_EMITTER, centre, facing), solid)
            yield Polygon(around(_MUZZLE, centre, facing), ("muzzle",))
            yield Circle(around(((0, 5),), centre, facing)[0], 4, ("muzzle",))
        case Kind.DEFENDER:
            yield Circle(around(((0, 3),), centre, facing)[0], 8, solid)
            yield Polygon(around(_BAR, centre, facing), ("shield",))
        case Kind.DEFLECTOR:
            yield Polygon(around(_WEDGE, centre, facing), solid)
            yield from mirror(around(_FALLING, centre, facing))
        case Kind.SWITCH:
            for away in (-6, 6):
                beside = ((-12 + away, 12 + away), (12 + away, -12 + away))
                yield Polyline(around(beside, centre, facing), open_line)
            yield from mirror(around(_RISING, centre, facing))


def _octagon(half: float) -> tuple[Point, ...]:
    cut = half - 5
    return (
        *((-cut, -half), (cut, -half), (half, -cut), (half, cut)),
        *((cut, half), (-cut, half), (-half, cut), (-half, -cut)),
    )


_BLUE, _RED = ("#174ea6", "#2f5fb8"), ("#a50e0e", "#ffb4ab")
_ON_BLUE = ("#ffffff", "#ffffff")

PIECE_PAINTS: Paints = Frozen(
    {
        "tile": Paint(stroke=INK, width=1.5),
        "tile-blue": Paint(fill=_BLUE),
        "tile-red": Paint(fill=("#fdeceb", "#3b1f1e")),
        "rim": Paint(stroke=_RED, width=1),
        "solid-blue": Paint(fill=_ON_BLUE),
        "solid-red": Paint(fill=_RED),
        "open-blue": Paint(stroke=_ON_BLUE, width=2),
        "open-red": Paint(stroke=_RED, width=2),
        "mirror-frame": Paint(stroke=("#1b1b1b", "#0b0d0f"), width=6),
        "mirror": Paint(stroke=("#cfe8ff", "#cfe8ff"), width=2.6),
        "shield": Paint(fill=("#cfd4da", "#cfd4da"), stroke=("#1b1b1b", "#0b0d0f"), width=1.5),
        "muzzle": Paint(fill=("#e6007e", "#ff5cad"), stroke=("#ffffff", "#0b0d0f"), width=0.8),
    }
)
