"""The rules of every game, behind one contract."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Literal, cast, overload

from referee.errors import RefereeError, expect, shown
from referee.rules.contract import Event, Facts, LegalMoves, Move, Moves, Outcome, Position, Termination
from referee.rules.description import Game, Option

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.rules.beams import BeamsPosition
    from referee.rules.boundary import BoundaryPosition
    from referee.rules.laser_chess import LaserChessPosition
    from referee.rules.the_beam import TheBeamPosition

GAMES: tuple[str, ...] = ("beams", "boundary", "the-beam", "laser-chess")
"""The games by the names they have in game files; a game's modules are named after it."""

__all__ = [
    "GAMES",
    "Event",
    "Facts",
    "Game",
    "LegalMoves",
    "Move",
    "Moves",
    "Option",
    "Outcome",
    "Position",
    "Termination",
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


Side = Literal["south", "north"]


@overload
def start(
    name: Literal["beams"],
    /,
    *,
    mode: Literal["asynchronous", "synchronous"] = ...,
    columns: int = ...,
    rows: int = ...,
    pieces: Literal["standard", "beginner"] = ...,
    barriers: Literal["crossing", "facing"] = ...,
    first: Side | None = ...,
) -> BeamsPosition: ...
@overload
def start(name: Literal["boundary"], /, *, first: Side = ...) -> BoundaryPosition: ...
@overload
def start(name: Literal["the-beam"], /, *, deal: Mapping[str, object] = ...) -> TheBeamPosition: ...
@overload
def start(name: Literal["laser-chess"], /, *, setup: str | Sequence[str] = ...) -> LaserChessPosition: ...
@overload
def start(name: str, /, **options: object) -> Position: ...
def start(name: str, /, **options: object) -> Position:
    """The position before the first ply of a game, with options as in a game file's header.

    Raises:
        RefereeError: `unknown-game`.
        OptionError: with every fault of the options.
        TypeError: the name is no text.
    """
    expect(str, name, "the name of a game")
    if any(not isinstance(value, str | int | None) for value in options.values()):
        return game_named(name).start(options)
    return _remembered(name, **options)


@lru_cache(maxsize=64, typed=True)
def _remembered(name: str, /, **options: object) -> Position:
    return game_named(name).start(options)
