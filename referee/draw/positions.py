"""A bare position, shown without the game that led to it."""

from __future__ import annotations

from referee.draw import drawing
from referee.draw.svg import svg as scene_svg
from referee.rules import Position


def svg(position: Position, *, view: str | None = None) -> str:
    """The board as an SVG document, seen from the chair of `view`, or of the first side.

    Raises:
        ValueError: there is no side of that name.

    >>> import referee
    >>> picture = referee.svg(referee.start("laser-chess"), view="red")
    >>> picture[:4], picture[-6:]
    ('<svg', '</svg>')
    """
    return scene_svg(drawing(position.game).scene(position, view=_chair(position, view)))


def text(position: Position, *, view: str | None = None, unicode: bool = False) -> str:
    """The board in plain text, at most 78 columns wide, ASCII unless `unicode` allows arrows and lines."""
    board = drawing(position.game).board(position, view=_chair(position, view), unicode=unicode, events=())
    return "\n".join(line.rstrip() for line in board)


def _chair(position: Position, view: str | None) -> str:
    """The side from whose chair a position is seen; ValueError if there is none of that name."""
    if view is not None and view not in position.sides:
        raise ValueError(f"expected a side: {', '.join(position.sides)}, not {view!r}")
    return view or position.sides[0]
