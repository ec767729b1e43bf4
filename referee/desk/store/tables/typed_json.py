"""Values as plain data for JSON and back, by the types of their fields; reading makes values and runs nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from functools import cache
from types import NoneType, UnionType
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints

from referee.desk.log.bodies import event_data, event_of
from referee.desk.log.events import LogEvent
from referee.desk.log.kinds import KINDS, kind_of
from referee.rules.frozen import Frozen, frozen_data

_MICROSECOND = timedelta(microseconds=1)
_EVENTS = frozenset(KINDS.values())


class Codec(NamedTuple):
    """How the values of one type are written as plain data, and read again.

    Mappings keep their order, and come back as what nobody can change.
    """

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


def field_codecs(kind: type, without: str = "") -> dict[str, Codec]:
    """The codecs of the fields of a class of values, but one, by name; TypeError if a type has none."""
    hints = get_type_hints(kind)
    return {one.name: codec_of(hints[one.name]) for one in fields(kind) if one.name != without}


@cache
def codec_of(wanted: Any) -> Codec:  # noqa: ANN401 - a type
    """The codec of a type; TypeError if it has none."""
    origin, inner = get_origin(wanted), get_args(wanted)
    if wanted in _SIMPLE:
        return _SIMPLE[wanted]
    if origin in (Union, UnionType):
        return _union(frozenset(inner))
    if wanted in _EVENTS:
        return _EVENT
    if isinstance(wanted, type) and hasattr(wanted, "__dataclass_fields__"):
        return _record(wanted)
    if origin is tuple:
        return _series(codec_of(inner[0])) if inner[1:] == (...,) else _row([codec_of(one) for one in inner])
    if origin is frozenset:
        return Codec(sorted, frozenset)
    if origin is not None and issubclass(Frozen, origin):
        return _mapping(codec_of(inner[1]))
    raise TypeError(f"values of the type {wanted} cannot be written")


def _same(value: Any) -> Any:  # noqa: ANN401 - whatever it is
    return value


_AS_IT_IS = Codec(_same, _same)
_EVENT = Codec(
    lambda event: [kind_of(event), event_data(event)],
    lambda said: event_of(*said),
)
_SIMPLE: dict[Any, Codec] = {
    **dict.fromkeys((str, int, bool, NoneType), _AS_IT_IS),
    Any: Codec(_same, frozen_data),
    datetime: Codec(lambda at: at.astimezone(UTC).isoformat(), datetime.fromisoformat),
    timedelta: Codec(lambda length: length // _MICROSECOND, lambda number: timedelta(microseconds=number)),
    LogEvent: _EVENT,
}


def _union(members: frozenset[Any]) -> Codec:
    """One type or None."""
    (kind,) = (_EVENT,) if members - {NoneType} <= _EVENTS else map(codec_of, members - {NoneType})
    if kind is _AS_IT_IS:
        return kind
    return Codec(
        lambda value: None if value is None else kind.write(value),
        lambda said: None if said is None else kind.read(said),
    )


def _record(kind: type) -> Codec:
    """Values of a class."""
    codecs = field_codecs(kind)
    changed = {name: codec.read for name, codec in codecs.items() if codec is not _AS_IT_IS}
    return Codec(
        lambda value: {name: codec.write(getattr(value, name)) for name, codec in codecs.items()},
        lambda said: kind(**said | {name: read(said[name]) for name, read in changed.items()}),
    )


def _series(each: Codec) -> Codec:
    """Tuples of any length."""
    if each is _AS_IT_IS:
        return Codec(list, tuple)
    return Codec(lambda values: [*map(each.write, values)], lambda said: tuple(map(each.read, said)))


def _row(codecs: list[Codec]) -> Codec:
    """Tuples with one value of each type."""
    return Codec(
        lambda values: [codec.write(one) for codec, one in zip(codecs, values, strict=True)],
        lambda said: tuple(codec.read(one) for codec, one in zip(codecs, said, strict=True)),
    )


def _mapping(each: Codec) -> Codec:
    """Mappings of texts."""
    if each is _AS_IT_IS:
        return Codec(dict, Frozen)
    return Codec(
        lambda values: {name: each.write(one) for name, one in values.items()},
        lambda said: Frozen({name: each.read(one) for name, one in said.items()}),
    )
