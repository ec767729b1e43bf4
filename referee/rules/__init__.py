"""The rules of every game, behind one contract."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import import_module
from typing import cast

from referee.errors import RefereeError, expect, shown
from referee.rules.contract import Event, Facts, Move, Moves, Outcome, Position
from referee.rules.description import Game, Option

GAMES: tuple[str, ...] = ("beams", "boundary", "the-beam", "laser-chess")
"""The games by the names they have in game files; a game's modules are named after it.

>>> import referee
>>> "laser-chess" in referee.GAMES
True
"""

__all__ = [
    "GAMES",
    "Event",
    "Facts",
    "Game",
    "Move",
    "Moves",
    "Option",
    "Outcome",
    "Position",
    "game_named",
    "module_name",
    "start",
]


def module_name(name: str) -> str:
    """The name of a game's modules in `rules`, `notation` and `draw`.

    Raises:
        RefereeError: `unknown-game`.
    """
    if name not in GAMES:
        raise RefereeError("unknown-game", f"there is no game {shown(name)}; the games are: {', '.join(GAMES)}")
    return name.replace("-", "_")


@cache
def game_named(name: str) -> Game:
    """The description of a game; RefereeError `unknown-game` if there is none of that name."""
    return cast(Game, import_module(f"referee.rules.{module_name(name)}").GAME)


def start(name: str, /, **options: object) -> Position:
    """The position before the first ply of a game, with options as in a game file's header.

    Raises:
        RefereeError: `unknown-game`.
        OptionError: with every fault of the options.
        TypeError: the name is no text.

    >>> import referee
    >>> position = referee.start("beams", columns=17, rows=7)
    >>> sorted(position.to_move)
    ['north', 'south']
    """
    expect(str, name, "the name of a game")
    try:
        return _started(name, **options)
    except TypeError:  # options of a shape of their own cannot be remembered
        return game_named(name).start(options)


@lru_cache(maxsize=64, typed=True)
def _started(name: str, /, **options: object) -> Position:
    return game_named(name).start(options)
