"""The events of The Beam."""

from __future__ import annotations

from dataclasses import dataclass

from referee.rules.contract import Event
from referee.rules.the_beam.pieces import BeamWalk, Place, Slash


@dataclass(frozen=True, slots=True)
class Allocated(Event):
    """The cards of the round were given their tasks."""

    mirror: int
    beam: int


@dataclass(frozen=True, slots=True)
class MirrorChanged(Event):
    """A mirror was placed, turned or taken away; `slash` is its new diagonal, None if it is gone."""

    square: Place
    slash: Slash | None
    new: bool


@dataclass(frozen=True, slots=True)
class BeamWalked(Event):
    """The beam went through the grid."""

    walk: BeamWalk


@dataclass(frozen=True, slots=True)
class DiscCollected(Event):
    """The beam collected a disc."""

    colour: str
    square: Place
    points: int


@dataclass(frozen=True, slots=True)
class CardsTurned(Event):
    """The next two cards lie open."""

    first: int
    second: int
