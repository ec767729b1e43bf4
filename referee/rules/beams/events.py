"""The events of Beams, Boosters and Barriers."""

from __future__ import annotations

from dataclasses import dataclass

from referee.rules.beams.board import Cell, Clock, Exit
from referee.rules.beams.light import Beam
from referee.rules.beams.pieces import PlacedPiece
from referee.rules.contract import Event


@dataclass(frozen=True, slots=True)
class Placed(Event):
    """A piece came from the hand to the board."""

    side: str
    cell: Cell
    stone: PlacedPiece


@dataclass(frozen=True, slots=True)
class Rotated(Event):
    """A piece was turned by one step and is now `stone`."""

    side: str
    cell: Cell
    stone: PlacedPiece


@dataclass(frozen=True, slots=True)
class PowerChanged(Event):
    """A booster was placed behind a piece that was there before."""

    side: str
    cell: Cell
    stone: PlacedPiece
    power: int


@dataclass(frozen=True, slots=True)
class BeamGained(Event):
    """A beam leaves the board where none of that generator and direction left before."""

    beam: Beam
    exit: Exit


@dataclass(frozen=True, slots=True)
class BeamLost(Event):
    """A beam of that generator and direction left there before, and no longer does."""

    side: str
    cell: Cell
    clock: Clock
    exit: Exit


@dataclass(frozen=True, slots=True)
class ScoreChanged(Event):
    """A side has more or fewer points than before."""

    side: str
    before: int
    after: int
