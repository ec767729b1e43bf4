"""The events of Laser Chess."""

from __future__ import annotations

from dataclasses import dataclass

from referee.rules.contract import Event
from referee.rules.laser_chess.pieces import Piece
from referee.rules.squares import Square


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """A piece went to another square."""

    piece: Piece
    origin: Square
    target: Square


@dataclass(frozen=True, slots=True)
class Swapped(Event):
    """A switch on `origin` changed places with the piece on `target`."""

    piece: Piece
    partner: Piece
    origin: Square
    target: Square


@dataclass(frozen=True, slots=True)
class Rotated(Event):
    """A piece was turned and is now `piece`."""

    piece: Piece
    square: Square


@dataclass(frozen=True, slots=True)
class Fired(Event):
    """The mover's laser fired; `path` are the squares that its beam entered, in order."""

    side: str
    path: tuple[Square, ...]


@dataclass(frozen=True, slots=True)
class Removed(Event):
    """The beam removed a piece."""

    piece: Piece
    square: Square
