"""The rules of every game, behind one contract; other packages can bring games of their own.

`contract`, `outcome`, `cursor` and `lane` are what a game promises, and `description` is the one value that describes
it. The packages of the games stand on these, with `squares` and `turns`, and know nothing of each other.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import import_module
from types import ModuleType, NoneType
from typing import TYPE_CHECKING, Literal, overload

from referee.above import above
from referee.errors import PackageFault, RefereeError, expect, shown
from referee.rules.contract import Event, LegalMoves, M, Move, Moves, Position, movers, perft
from referee.rules.cursor import Cursor
from referee.rules.description import API, Game, Option, guarded_game
from referee.rules.frozen import Frozen
from referee.rules.guard import Methods, blamed, broken_game, guarded_module, unless_broken
from referee.rules.outcome import Facts, Outcome, Termination, score_text, team_text
from referee.terminal import join_words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.metadata import EntryPoint

    from referee.rules.beams import BeamsPosition
    from referee.rules.boundary import BoundaryPosition
    from referee.rules.laser_chess import LaserChessPosition
    from referee.rules.the_beam import TheBeamPosition

GAMES: tuple[str, ...] = ("beams", "boundary", "the-beam", "laser-chess")
"""The games that come with referee, by the names they have in game files.

>>> import referee
>>> "laser-chess" in referee.GAMES
True
"""

_PLAIN = (str, int, NoneType)
"""Option types that can be cached."""

_GROUP = "referee.games"
"""Entry points of other packages' games: the game's name = the `Game` that describes it."""

_ON_TRIAL: dict[str, Game] = {}
"""Games of other packages during their acceptance, which has to look them up."""

__all__ = [
    "GAMES",
    "Event",
    "Facts",
    "Frozen",
    "Game",
    "LegalMoves",
    "Move",
    "Moves",
    "Option",
    "Outcome",
    "Position",
    "Termination",
    "all_games",
    "cursor_at",
    "first_position",
    "game_fault",
    "game_named",
    "games",
    "movers",
    "part",
    "perft",
    "score_text",
    "start",
    "team_text",
    "unless_broken",
]


def all_games() -> tuple[str, ...]:
    """The names of all games: those that come with referee, then those of other packages."""
    return (*GAMES, *sorted(_offers().keys() - {*GAMES}))


def games() -> tuple[Game, ...]:
    """The games that can be used, those that come with referee first; `game_fault` explains the others.

    >>> import referee
    >>> [game.title for game in referee.games()][:4]
    ['Beams, Boosters and Barriers', 'Boundary', 'The Beam', 'Laser Chess']
    """
    return tuple(game_named(name) for name in all_games() if game_fault(name) is None)


@cache
def game_fault(name: str) -> RefereeError | PackageFault | None:
    """The error that keeps a game from being used, `unknown-game` or `broken-game`; None if it can be used."""
    try:
        game_named(name)
    except (RefereeError, PackageFault) as error:
        return error
    return None


@cache
def game_named(name: str) -> Game:
    """The description of a game; RefereeError `unknown-game`, or PackageFault if its package cannot be used."""
    if name in GAMES:
        game: Game = import_module(f"referee.rules.{name.replace('-', '_')}").GAME
        return game
    if name in _ON_TRIAL:
        return _ON_TRIAL[name]
    offers = _offers().get(name, ())
    if not offers:
        raise RefereeError("unknown-game", f"there is no game {shown(name)}; the games are: {', '.join(all_games())}")
    if len(offers) > 1:
        packages = join_words(map(_package, offers))
        raise PackageFault(f"{packages} both offer a game {shown(name)}: keep one of them")
    return _load_offer(offers[0])


def cursor_at(position: Position[M]) -> Cursor[M]:
    """A cursor at a position: its game's own, if that is known and has one."""
    try:
        found: Cursor[M] = game_named(position.game).cursor(position)  # type: ignore[assignment] # for its own moves
    except RefereeError:
        return Cursor(position)
    return found


def part(game: Game, module: str, results: Methods = Frozen()) -> ModuleType:
    """Load a part of a game, such as its notation, with what its functions give; PackageFault if that fails."""
    return import_module(module) if game.name in GAMES else _part_of_another(game.name, module, results)


@cache
def _part_of_another(game: str, module: str, results: Methods) -> ModuleType:
    with blamed(lambda: game, passes=()):
        return guarded_module(import_module(module), game, results)


Side = Literal["south", "north"]

NO_OPTIONS: Mapping[str, object] = Frozen()


@overload
def start(
    name: Literal["beams"],
    /,
    *,
    position: str | None = ...,
    mode: Literal["asynchronous", "synchronous"] = ...,
    columns: int = ...,
    rows: int = ...,
    pieces: Literal["standard", "beginner"] = ...,
    barriers: Literal["crossing", "facing"] = ...,
    first: Side | None = ...,
) -> BeamsPosition: ...
@overload
def start(name: Literal["boundary"], /, *, position: str | None = ..., first: Side = ...) -> BoundaryPosition: ...
@overload
def start(
    name: Literal["the-beam"], /, *, position: str | None = ..., deal: Mapping[str, object] = ...
) -> TheBeamPosition: ...
@overload
def start(
    name: Literal["laser-chess"],
    /,
    *,
    position: str | None = ...,
    setup: str | Sequence[str] = ...,
    kings: Literal["fixed", "turn"] = ...,
) -> LaserChessPosition: ...
@overload
def start(name: str, /, *, position: str | None = ..., options: Mapping[str, object] = ...) -> Position: ...
def start(
    name: str, /, *, position: str | None = None, options: Mapping[str, object] = NO_OPTIONS, **named: object
) -> Position:
    """The position before the first ply of a game, with options as in a game file's header.

    Type checkers know the options of the four games that come with referee by name. Those of any game can be given
    in one mapping, as `options`. `position` starts the game elsewhere: the text of a position, as `str(position)`
    gives it.

    Raises:
        RefereeError: `unknown-game`.
        PackageFault: another package's game cannot be used.
        NotationError: `position`; the text is not a position of the game.
        OptionError: with every fault of the options.
        TypeError: the name is not a `str`, or the options are no mapping.

    >>> import referee
    >>> position = referee.start("beams", columns=17, rows=7)
    >>> sorted(position.to_move)
    ['north', 'south']
    >>> puzzle = referee.start("boundary", position="board 6 / 6 / 6 / 6 / 6 / GLMS 3 rS 1 | turn north")
    >>> [str(move) for move in puzzle.legal_moves("north")]
    ['P e1-e2', 'P e1-f2', 'P e1-f1', 'P e1-d1', 'P e1-d2']
    """
    expect(str, name, "the name of a game")
    expect(Mapping, options, "a mapping of options to their values")
    if twice := [*options.keys() & named]:
        raise TypeError(f"{twice[0]} is given twice: as an option of its own, and in the mapping")
    chosen = {**options, **named}
    if position is not None:
        begun: Position = above("parse_position")(name, position, chosen)
        return begun
    return first_position(name, chosen)


def first_position(name: str, options: Mapping[str, object]) -> Position:
    """The position before the first ply of a game with these options; raises what `start` raises."""
    if all(isinstance(value, _PLAIN) and isinstance(key, str) for key, value in options.items()):
        return _cached_start(name, **options)
    return game_named(name).start(options)


@lru_cache(maxsize=64, typed=True)
def _cached_start(name: str, /, **options: object) -> Position:
    return game_named(name).start(options)


@cache
def _offers() -> Mapping[str, tuple[EntryPoint, ...]]:
    from importlib.metadata import entry_points

    found: dict[str, tuple[EntryPoint, ...]] = {}
    for offer in entry_points(group=_GROUP):
        if offer.name in GAMES:
            warnings.warn(
                f"{_package(offer)} offers a game {offer.name!r}, which referee already has: it is left out",
                RuntimeWarning,
                stacklevel=2,
            )
        else:
            found[offer.name] = (*found.get(offer.name, ()), offer)
    return found


def _load_offer(offer: EntryPoint) -> Game:
    named = f"{offer.name} of {_package(offer)}"
    with blamed(lambda: named, passes=()):
        game = offer.load()
    if not isinstance(game, Game) or game.name != offer.name:
        message = f"{_package(offer)} offers a game {offer.name!r}, but {offer.value} is not a Game of that name"
        raise PackageFault(message)
    if game.api != API:
        written = f"is for version {game.api} of it" if game.api else "names no version of it, such as api=1"
        raise PackageFault(f"this referee has version {API} of the plug-in API, and the game {named} {written}")
    try:
        _ON_TRIAL[game.name] = game = guarded_game(game)
        above("accept")(game)
    except (Exception, SystemExit) as error:
        game_named.cache_clear()  # the trial itself has asked for the game
        cause = error.__cause__ if isinstance(error, PackageFault) else None
        raise broken_game(named, cause or error) from error
    finally:
        _ON_TRIAL.pop(game.name, None)
    return game


def _package(offer: EntryPoint) -> str:
    return f"{offer.dist.name} {offer.dist.version}" if offer.dist else offer.value
