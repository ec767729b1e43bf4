"""A play-by-email and notation referee for abstract board games.

The names of the public contract are loaded when they are first used, so that a command which needs few of
them starts quickly.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from referee.above import connect

if TYPE_CHECKING:
    from referee.archives.archive import archive
    from referee.archives.frames import frame
    from referee.draw.picture import png, svg, text
    from referee.draw.widget import show
    from referee.errors import FileError, Finding, IllegalMove, NotationError, OptionError, PackageFault, RefereeError
    from referee.game import GameFile, Ply, dumps, judge, loads, read
    from referee.game.continuation import new
    from referee.game.file.judge import Verdict
    from referee.notation.moves import parse_move
    from referee.rules import GAMES, Game, LegalMoves, Move, Outcome, Position, Termination, games, start

_HOMES = {
    "referee.errors": (
        "FileError",
        "Finding",
        "IllegalMove",
        "NotationError",
        "OptionError",
        "PackageFault",
        "RefereeError",
    ),
    "referee.rules": ("GAMES", "Game", "LegalMoves", "Move", "Outcome", "Position", "Termination", "games", "start"),
    "referee.notation.moves": ("parse_move",),
    "referee.game": ("GameFile", "Ply", "loads", "read"),
    "referee.game.continuation": ("new",),
    "referee.game.file.loader": ("dumps",),
    "referee.game.file.judge": ("Verdict", "judge"),
    "referee.draw.picture": ("png", "svg", "text"),
    "referee.draw.widget": ("show",),
    "referee.archives.archive": ("archive",),
    "referee.archives.frames": ("frame",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

_WAYS_UP = {
    "referee.notation.positions": ("parse_position", "position_text"),
    "referee.notation.spoken": ("legal_move",),
    "referee.draw.picture": ("svg", "text"),
    "referee.draw.record": ("game_svg",),
    "referee.game.continuation": (
        "commented",
        "ended",
        "first_own_ply",
        "lines",
        "marked",
        "played",
        "undone",
        "varied",
        "whole",
    ),
    "referee.game.file.dumper": ("game_text",),
    "referee.acceptance": ("accept",),
}
"""Functions that positions and games offer as methods, or need, although a room above has them."""

__version__ = "0.3.0"
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
    "PackageFault",
    "Ply",
    "Position",
    "RefereeError",
    "Termination",
    "Verdict",
    "archive",
    "dumps",
    "frame",
    "games",
    "judge",
    "loads",
    "new",
    "parse_move",
    "png",
    "read",
    "show",
    "start",
    "svg",
    "text",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'referee' has no attribute {name!r}")
    return _loaded(_HOME[name], name)


def _loaded(home: str, name: str) -> object:
    return getattr(import_module(home), name)


connect({name: partial(_loaded, home, name) for home, names in _WAYS_UP.items() for name in names})


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
