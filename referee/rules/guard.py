"""A guard around the code of another package's game: an unexpected error is reported as that game's fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from inspect import isgeneratorfunction
from types import FunctionType, ModuleType
from typing import ParamSpec, TypeVar, cast
from weakref import WeakSet

from referee.errors import PackageFault, RefereeError

_Asked = ParamSpec("_Asked")
_Made = TypeVar("_Made")

_GUARDED: WeakSet[Callable[..., object]] = WeakSet()

_METHODS = (
    *("to_move", "outcome", "_check", "_generate", "play_unchecked", "facts", "events", "play_all_unchecked"),
    *("award", "piece_of", "claims", "_draw", "_cursor"),
)
"""Methods of a position that a game defines."""


def broken_game(what: str, error: BaseException) -> PackageFault:
    """The error for a game that raises an unexpected one."""
    said = error.message if isinstance(error, RefereeError) else f"{type(error).__name__}: {error}"
    return PackageFault("broken-game", f"the game {what} cannot be used: {' '.join(said.split()).removesuffix(':')}")


def guard_positions(kind: type) -> None:
    """Guard the methods that a class of positions defines, but not in our own games, which must lose no time."""
    if kind.__module__.partition(".")[0] == "referee":
        return

    def game(position: object, *_: object) -> str:
        return str(getattr(position, "game", kind.__name__))

    for name in _METHODS:
        found = vars(kind).get(name)
        if isinstance(found, FunctionType):
            setattr(kind, name, _guarded(found, game))
        elif isinstance(found, property) and found.fget is not None:
            setattr(kind, name, property(_guarded(found.fget, game), doc=found.__doc__))


def guarded_module(module: ModuleType, game: str) -> ModuleType:
    """The same module with its functions guarded."""
    made = ModuleType(module.__name__, module.__doc__)
    for name, value in vars(module).items():
        setattr(made, name, _guarded(value, lambda *_: game) if isinstance(value, FunctionType) else value)
    return made


def _guarded(work: Callable[_Asked, _Made], game: Callable[..., str]) -> Callable[_Asked, _Made]:
    """The same function, but raising PackageFault for any error other than a RefereeError."""
    if work in _GUARDED:  # a dataclass with slots is made twice
        return work

    @wraps(work)
    def guarded(*args: _Asked.args, **named: _Asked.kwargs) -> _Made:
        with _blamed(game, *args):
            return work(*args, **named)

    @wraps(work)
    def guarded_iterator(*args: _Asked.args, **named: _Asked.kwargs) -> Iterator[object]:
        with _blamed(game, *args):
            yield from cast("Iterator[object]", work(*args, **named))

    made = guarded_iterator if isgeneratorfunction(work) else guarded
    _GUARDED.add(made)
    return cast("Callable[_Asked, _Made]", made)


@contextmanager
def _blamed(game: Callable[..., str], *args: object) -> Iterator[None]:
    try:
        yield
    except (RefereeError, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        raise broken_game(game(*args), error) from error
