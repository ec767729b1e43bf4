"""What can be chosen on a board, step by step, until a move is complete."""

from __future__ import annotations

from dataclasses import dataclass

from referee.draw.scenes.scene import Point


@dataclass(frozen=True, slots=True)
class Target:
    """Something that can be chosen: a cell, a piece in hand, a direction.

    Attributes:
        id: tells it from the other targets of its game; the same thing has the same id in every position.
        name: what it is in words, with what is on it: "B3, empty".
        text: how the notation writes it: "B3".
        phrase: how a sentence about a move calls it; by default its text.
        outline: its corners in the picture; empty for one that is only in a list.
        beside: whether the outline is around the origin, and belongs around what was chosen before.
    """

    id: str
    name: str
    text: str
    phrase: str = ""
    outline: tuple[Point, ...] = ()
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Wording:
    """How moves of one shape are written and told from their targets.

    Attributes:
        text: the canonical notation, with the number of each target in braces: "P {0} {1}".
        sentence: the move in words, in the same way: "Place {0} on {1}."
        asks: what each step asks for, in words: "a piece", "a cell".
    """

    text: str
    sentence: str
    asks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Composition:
    """The way to a move: its wording, and the ids of its targets in the order in which they are chosen."""

    wording: Wording
    targets: tuple[str, ...]
