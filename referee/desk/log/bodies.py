"""The bodies of events: the JSON that each kind is written as (spec/log.md)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import fields
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from referee.desk.log.events import LogEvent
from referee.desk.log.kinds import KINDS, kind_of
from referee.errors import RefereeError, shown

MOST_LEVELS = 16
"""Maximum levels of lists and objects in a value of a body; no game needs more than four."""

_Test = Callable[[object], bool]


def canonical(data: object) -> str:
    """Plain data as the one JSON text it has here: names in order, no blanks, no fractions (RFC 8785)."""
    return _encode(data)


_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode


def same(one: object, other: object) -> bool:
    """True if two plain data are the same JSON, in which true is not 1."""
    return canonical(one) == canonical(other)


def event_data(event: LogEvent) -> dict[str, Any]:
    """The body of an event as plain data: all names, with `null` where nothing is said."""
    return {name: getattr(event, name) for name in _shape(kind_of(event))}


def event_of(kind: str, data: object) -> LogEvent:
    """The event that a body says; RefereeError `event` if there is none like this."""
    shape = _shape(kind) if kind in KINDS else None
    if shape is None or not isinstance(data, dict) or data.keys() != shape.keys():
        raise RefereeError("event", f"this is not an event of the kind {shown(kind)}")
    for name, fits in shape.items():
        if not fits(data[name]):
            raise RefereeError("event", f"{name} of an event {kind} cannot be {shown(data[name])}")
    body: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in data.items()}
    return KINDS[kind](**body)


def expect_fit(event: LogEvent) -> None:
    """Raise TypeError for an event whose data are not of their types: an audit would refuse it."""
    kind = kind_of(event)
    for name, fits in _shape(kind).items():
        if not fits(getattr(event, name)):
            raise TypeError(f"{name} of an event {kind} cannot be {shown(getattr(event, name))}")


@cache
def _shape(kind: str) -> dict[str, _Test]:
    """The names of a kind's body, and what tells whether a value fits there."""
    hints = get_type_hints(KINDS[kind], include_extras=True)
    return {one.name: _test_of(hints[one.name]) for one in fields(KINDS[kind])}


def _test_of(wanted: Any) -> _Test:  # noqa: ANN401 - a type
    """What tells whether a value is of a type as it stands above; lists of JSON count as tuples."""
    origin, inner = get_origin(wanted), get_args(wanted)
    if wanted is Any:
        return _is_whole
    if origin in (Union, UnionType):
        first, other = map(_test_of, inner)
        return lambda value: first(value) or other(value)
    if origin is Annotated:
        pattern: re.Pattern[str] = inner[1]
        return lambda value: isinstance(value, str) and pattern.fullmatch(value) is not None
    if origin is tuple:
        return lambda value: isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)
    if origin is not None:
        of_each = _test_of(inner[1])
        return lambda value: isinstance(value, dict) and all(map(of_each, value.values()))
    if wanted is str:
        return lambda value: isinstance(value, str)
    if wanted is NoneType:
        return lambda value: value is None
    return lambda value: type(value) is wanted


def _is_whole(value: object, levels: int = MOST_LEVELS - 1) -> bool:
    """True if JSON data in a mapping, which is a level itself, has no fractions and no more levels than these."""
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        return levels > 0 and all(_is_whole(one, levels - 1) for one in inner)
    return not isinstance(value, float)
