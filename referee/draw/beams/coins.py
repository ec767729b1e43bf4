"""The pieces of Beams, Boosters and Barriers as coins in the colours of their owners' beams."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from referee.draw.beams.layout import COIN, COLUMN, HALF_ROW
from referee.draw.scenes.scene import Circle, Point, Polygon, Polyline, Shape
from referee.rules.beams import Clock, PieceType, PlacedPiece
from referee.rules.beams.board import STEPS
from referee.rules.beams.pieces import FAN, GENERATORS
from referee.rules.frozen import Frozen

FRONT: Mapping[PieceType, Clock | None] = Frozen(
    {piece: None if not fan else Clock.TWELVE if len(fan) == 1 else Clock.TEN for piece, fan in FAN.items()}
)
"""The direction of each piece in a hand: its lines point to the front."""


def coin(side: str, stone: PlacedPiece, centre: Point, clocks: list[Clock]) -> Iterator[Shape]:
    """A piece as a coin: generators have lines with a point, barriers lines with a bar, boosters none.

    North's coins have a second rim. `clocks` are the directions of the lines as the viewer sees them.
    """
    radius = COIN if clocks else COIN * 21.21 / 24.26
    yield Circle(centre, radius, ("coin", f"coin-{side}"))
    if side == "north":
        yield Circle(centre, radius - 2.5, ("rim",))
    for clock in clocks:
        down, right = STEPS[clock]
        length = math.hypot(right * COLUMN, down * HALF_ROW)
        x, y = right * COLUMN / length, down * HALF_ROW / length
        tip = (centre[0] + x * (radius - 1.5), centre[1] + y * (radius - 1.5))
        if stone.piece in GENERATORS:
            yield Polyline((centre, tip), ("generator-line", f"line-{side}"))
            back = (centre[0] + x * (radius - 8), centre[1] + y * (radius - 8))
            wings = tuple((back[0] - sign * y * 4, back[1] + sign * x * 4) for sign in (-1, 1))
            yield Polygon((tip, *wings), (f"point-{side}",))
        else:
            yield Polyline((centre, tip), ("barrier-line",))
            across = tuple((tip[0] - sign * y * 5, tip[1] + sign * x * 5) for sign in (-1, 1))
            yield Polyline(across, ("barrier-line",))
