"""Choices on a board, step by step, until a move is complete."""

from __future__ import annotations

from dataclasses import dataclass

from referee.draw.scenes.scene import Point
from referee.rules.frozen import Frozen

TURN_SIGNS = Frozen({"L": "\u21ba", "R": "\u21bb"})
TURN_NAMES = Frozen({"L": "counter-clockwise", "R": "clockwise"})
"""Signs and names of turns to the left and to the right."""


@dataclass(frozen=True, slots=True)
class Target:
    """A thing to choose: a cell, a piece in hand, a direction.

    Attributes:
        id: its id, unique in its game and the same in every position.
        name: its name with its content: "B3, empty".
        text: its notation: "B3".
        phrase: its name in a sentence about a move; by default its text.
        outline: its corners in the picture; empty for one that is only in a list.
        sign: the sign on its knob, if it is beside; by default its text.
        beside: true if the outline is around the origin, and is to be drawn around the choice before.
    """

    id: str
    name: str
    text: str
    phrase: str = ""
    outline: tuple[Point, ...] = ()
    sign: str = ""
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Wording:
    """The notation and the sentence for moves of one shape.

    Attributes:
        text: the canonical notation, with the number of each target in braces: "P {0} {1}".
        sentence: the move in words, in the same way: "Place {0} on {1}."
        asks: the question of each step: "a piece", "a cell".
    """

    text: str
    sentence: str
    asks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Composition:
    """The way to a move: its wording, and the ids of its targets in the order of choice."""

    wording: Wording
    targets: tuple[str, ...]
