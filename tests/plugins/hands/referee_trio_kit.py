"""The kit of Trio: twelve cards to cut out, and the table on which they are played."""

from __future__ import annotations

from referee.plugin import Box, CutOut, Frozen, Group, Kit, Label, Paint, Polygon, Position, Scene, Shape, Sheet

_INK, _PAPER = ("#1b1b1b", "#f1f1f1"), ("#fffdf5", "#22262b")
_PAINTS = Frozen({"card": Paint(fill=_PAPER, stroke=_INK, width=0.4), "text": Paint(fill=_INK, bold=True)})
_WIDTH, _HEIGHT, _APART = 42.0, 60.0, 4.0
"""A card and the room around it, in millimetres."""


def kit(position: Position) -> Kit:
    """A place for the card of each side, and the cards."""
    places = (Group(("place",), tuple(_card(side, number, 6))) for number, side in enumerate(position.sides))
    width, height = _APART + len(position.sides) * (_WIDTH + _APART), _HEIGHT + 2 * _APART
    table = Scene(width, height, "The table", "", tuple(places), _PAINTS)
    cards = tuple(CutOut("", _card(str(number), 0, 24)) for number in range(1, 13))
    sheet = Sheet("cards", "Shuffle, and deal four to each player. The highest card wins a round.", cards, 1.0)
    return Kit(table, Box(0, 0, width, height), 1.0, (sheet,))


def _card(text: str, place: int, size: float) -> tuple[Shape, ...]:
    left, top = _APART + place * (_WIDTH + _APART), _APART
    right, bottom = left + _WIDTH, top + _HEIGHT
    outline = ((left, top), (right, top), (right, bottom), (left, bottom))
    return Polygon(outline, ("card",)), Label(((left + right) / 2, (top + bottom) / 2), text, size, ("text",))
