"""The events of Boundary."""

from __future__ import annotations

from dataclasses import dataclass

from referee.rules.boundary.pieces import Pyramid
from referee.rules.contract import Event
from referee.rules.squares import Square


@dataclass(frozen=True, slots=True)
class StoneMoved(Event):
    """A stone-bop was moved."""

    side: str
    origin: Square
    target: Square


@dataclass(frozen=True, slots=True)
class PyramidMoved(Event):
    """A pyramid was moved; `crossed` if it went to the other world."""

    pyramid: Pyramid
    origin: Square
    target: Square
    crossed: bool


@dataclass(frozen=True, slots=True)
class TreeRebuilt(Event):
    """A tree is complete on the base where its owner's other tree started."""

    colour: str
    square: Square
