"""Hex drawn."""

from __future__ import annotations

from collections.abc import Iterator

from referee.plugin import BoardDrawing, Content, Event, Grid, Made, Polyline, Shape, Square
from referee_hex.position import HexPosition, Swap


class HexDrawing(BoardDrawing[HexPosition]):
    """Stones on hexagons, with a line in its owner's colour along each edge of the board."""

    legend = "R red connects top and bottom; b blue connects left and right; * moved last"

    def content(self, position: HexPosition, square: Square) -> Content | None:
        """The stone on a cell."""
        side = position.stones.get(square)
        return Content(side, "stone") if side else None

    def sentence(self, event: Event) -> str:
        """A move in words."""
        assert isinstance(event, Made)
        if isinstance(event.move, Swap):
            return f"{event.side} swapped the first stone"
        return f"{event.side} put a stone on {event.move.cell}"  # type: ignore[attr-defined]

    def below(self, position: HexPosition, grid: Grid) -> Iterator[Shape]:
        """The edges, from corner to corner of the hexagons there."""
        size = range(1, position.size + 1)
        for side, corners, cells in (
            ("red", (5, 0, 1), [(n, 1) for n in size]),
            ("red", (4, 3, 2), [(n, position.size) for n in size]),
            ("blue", (5, 4, 3), [(1, n) for n in size]),
            ("blue", (0, 1, 2), [(position.size, n) for n in size]),
        ):
            points = [grid.outline(*cell, -1)[corner] for cell in cells for corner in corners]
            yield Polyline(tuple(points), (f"side-{side}", "outline"), 4.0)


DRAWING = HexDrawing()
