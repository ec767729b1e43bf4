"""A guard around the code of another package's game: an unexpected error is reported as that game's fault."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from functools import cached_property, wraps
from inspect import isgeneratorfunction
from pathlib import Path
from traceback import walk_tb
from types import FunctionType, MethodType, ModuleType, NoneType
from typing import Any, ParamSpec, TypeVar, cast
from weakref import WeakSet

from referee.errors import PackageFault, RefereeError, expect
from referee.rules.outcome import Outcome

_Asked = ParamSpec("_Asked")
_Made = TypeVar("_Made")
_Tried = TypeVar("_Tried")

_GUARDED: WeakSet[Callable[..., object]] = WeakSet()

Result = type | tuple[type, ...] | Callable[[Any, Any], None]
"""The type of a method's result, or a function that raises for a wrong one; the method's object comes first."""

Methods = Mapping[str, Result]
"""Methods that referee calls, and what they give."""


def _sides_to_move(position: Any, sides: object) -> None:  # noqa: ANN401 - a position, whose class is above
    expect(Set, sides, "a set of sides as `to_move`")
    if not sides <= {*position.sides}:  # type: ignore[operator] # it is a set
        raise ValueError(f"{sides} are to move, but the sides are {position.sides}")


def _points(position: Any, points: object) -> None:  # noqa: ANN401 - as above
    expect(Mapping, points, "a mapping of points")
    if (scored := points.keys() & {*position.sides}) and len(scored) < len(position.sides):  # type: ignore[attr-defined]
        raise ValueError(f"the points are for {', '.join(scored)}, but the sides are {position.sides}")


def _facts(_: object, facts: object) -> None:
    expect(Mapping, facts, "a mapping of facts")
    json.dumps(facts)


def _verdict(_: object, verdict: Any) -> None:  # noqa: ANN401 - whatever a game gives
    if verdict is not None:
        winner, how = verdict
        expect((str, NoneType), winner, "a side or None as the winner of a verdict")
        expect(str, how, "the kind of the end of a verdict")


def _legal_move(position: Any, move: object) -> None:  # noqa: ANN401 - as above
    expect(position.kinds, move, "a move of the `kinds` of its position")


_VALUES: Methods = {"__str__": str, "__repr__": str, "__eq__": object, "__hash__": int}
"""Attributes of moves that a game defines."""

_POSITIONS: Methods = {
    **_VALUES,
    "to_move": _sides_to_move,
    "outcome": (Outcome, NoneType),
    "facts": _facts,
    "award": _points,
    "score": _points,
    "claims": Set,
    "verdict": _verdict,
    "flaw": (str, NoneType),
    "events": tuple,
    "_generate": _legal_move,
    "_draw": _legal_move,
    **dict.fromkeys(("_check", "pieces"), object),
}
"""Attributes of positions that a game defines."""

_ITERATED = ("_generate", "pieces")
"""Methods with several results, each of which is as the table says."""

_NOT_ITS_OWN = frozenset(("referee", *sys.stdlib_module_names))
"""Packages whose code is never a game's own."""

_JUDGING = frozenset(("_check", "play"))
"""The methods of positions and of cursors that refuse moves: a RefereeError of any other is a fault."""


def broken_game(what: str, error: BaseException) -> PackageFault:
    """The error for a game that raises what it must not."""
    said = " ".join(_said(error).split()).removesuffix(":")
    return PackageFault(f"the game {what} cannot be used: {said}{_line(error)}")


def _line(error: BaseException) -> str:
    """The last line of the game's own code on the way to an error, in brackets; empty if there is none."""
    found = ""
    for frame, number in walk_tb(error.__traceback__):
        if str(frame.f_globals.get("__name__")).partition(".")[0] not in _NOT_ITS_OWN:
            found = f" ({Path(frame.f_code.co_filename).name}, line {number})"
    return found


def _said(error: BaseException) -> str:
    """The message of an error; its name alone if the error cannot make one."""
    name = type(error).__name__
    try:
        return str(error.message) if isinstance(error, RefereeError | PackageFault) else f"{name}: {error}"
    except Exception:
        return name


def guard_positions(kind: type, positions: type) -> None:
    """Guard a class of `positions` and those of its moves."""
    methods = {**_POSITIONS, "play_unchecked": positions, "seen_by": positions}
    guard_class(kind, methods, lambda position, *_: str(getattr(position, "game", kind.__name__)))
    for move in vars(kind).get("kinds", ()):
        guard_class(move, _VALUES, lambda *_: str(getattr(kind, "game", kind.__name__)))


def guard_class(kind: type, methods: Methods, game: Callable[..., str]) -> None:
    """Guard what a class defines or inherits, unless it comes with referee, whose games must lose no time."""
    if _package(kind) == "referee":
        return
    for name, result in methods.items():
        owner = next((one for one in kind.__mro__ if name in vars(one)), object)
        if _package(owner) in _NOT_ITS_OWN:
            continue
        passes = (RefereeError,) if name in _JUDGING else ()
        found = vars(owner)[name]
        if isinstance(found, FunctionType):
            setattr(kind, name, guarded(found, game, result, passes))
        elif isinstance(found, property) and found.fget is not None:
            setattr(kind, name, property(guarded(found.fget, game, result, passes), doc=found.__doc__))
        elif isinstance(found, cached_property):
            made = cached_property(guarded(found.func, game, result, passes))
            made.__set_name__(kind, name)
            setattr(kind, name, made)


def _package(kind: type) -> str:
    return kind.__module__.partition(".")[0]


def guarded_module(module: ModuleType, game: str, results: Methods) -> ModuleType:
    """The same module with its functions guarded, and the methods of its `DRAWING`, if it has one."""
    made = ModuleType(module.__name__, module.__doc__)
    drawing = getattr(module, "DRAWING", module)
    methods = {name: getattr(drawing, name) for name in dir(drawing) if not name.startswith("_")}
    for name, value in (vars(module) | methods).items():
        is_code = isinstance(value, FunctionType | MethodType)
        setattr(made, name, guarded(value, lambda *_: game, results.get(name, object)) if is_code else value)
    return made


def guarded(
    work: Callable[_Asked, _Made],
    game: Callable[..., str],
    kind: Result = object,
    passes: tuple[type[Exception], ...] = (RefereeError,),
) -> Callable[_Asked, _Made]:
    """The same function, which raises PackageFault for a wrong result, and for any error but those that pass."""
    if work in _GUARDED:  # a dataclass with slots is made twice
        return work

    @wraps(work)
    def guarded_function(*args: _Asked.args, **named: _Asked.kwargs) -> _Made:
        with blamed(game, *args, passes=passes):
            made = work(*args, **named)
            check(args, made)
            return made

    @wraps(work)
    def guarded_iterator(*args: _Asked.args, **named: _Asked.kwargs) -> Iterator[object]:
        with blamed(game, *args, passes=passes):
            for made in cast("Iterator[object]", work(*args, **named)):
                check(args, made)
                yield made

    def check(args: tuple[object, ...], made: object) -> None:
        if not isinstance(kind, type | tuple):
            kind(args[0], made)
        elif not isinstance(made, kind):
            expect(kind, made, f"{getattr(kind, '__name__', kind)} as the result of {name}")

    name = getattr(work, "__name__", "a call")
    made = guarded_iterator if isgeneratorfunction(work) or name in _ITERATED else guarded_function
    _GUARDED.add(made)
    return cast("Callable[_Asked, _Made]", made)


@contextmanager
def blamed(game: Callable[..., str], *args: object, passes: tuple[type[Exception], ...]) -> Iterator[None]:
    """Raise PackageFault for any error of a game's code but those that pass."""
    try:
        yield
    except (PackageFault, MemoryError, KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        if isinstance(error, passes):
            raise
        raise broken_game(game(*args), error) from error


def unless_broken(work: Callable[[_Tried], _Made], games: Iterable[_Tried]) -> list[_Made]:
    """The results of work on several games, without those whose packages fail in it; PackageFault if all do."""
    found, fault = list[_Made](), None
    for one in games:
        try:
            found.append(work(one))
        except PackageFault as error:
            fault = error
    if fault is not None and not found:
        raise fault
    return found
