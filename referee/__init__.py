"""A play-by-email and notation referee for abstract board games.

The names of the public contract are loaded when they are first used, so that a command which needs few of
them starts quickly.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.archive.frames import frame
    from referee.draw.record import svg
    from referee.draw.widget import show
    from referee.errors import FileError, Finding, IllegalMove, NotationError, OptionError, RefereeError
    from referee.game import GameFile, Ply, loads, read
    from referee.game.file.dumper import dumps
    from referee.game.file.judge import Verdict, judge
    from referee.notation import parse_move
    from referee.rules import GAMES, Game, LegalMoves, Move, Outcome, Position, Termination, start

_HOMES = {
    "referee.errors": ("FileError", "Finding", "IllegalMove", "NotationError", "OptionError", "RefereeError"),
    "referee.rules": ("GAMES", "Game", "LegalMoves", "Move", "Outcome", "Position", "Termination", "start"),
    "referee.notation": ("parse_move",),
    "referee.game": ("GameFile", "Ply", "loads", "read"),
    "referee.game.file.dumper": ("dumps",),
    "referee.game.file.judge": ("Verdict", "judge"),
    "referee.draw.record": ("svg",),
    "referee.draw.widget": ("show",),
    "referee.archive.frames": ("frame",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__version__ = "0.2.0"
__all__ = [
    "GAMES",
    "FileError",
    "Finding",
    "Game",
    "GameFile",
    "IllegalMove",
    "LegalMoves",
    "Move",
    "NotationError",
    "OptionError",
    "Outcome",
    "Ply",
    "Position",
    "RefereeError",
    "Termination",
    "Verdict",
    "dumps",
    "frame",
    "judge",
    "loads",
    "parse_move",
    "read",
    "show",
    "start",
    "svg",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'referee' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
