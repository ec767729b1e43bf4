"""The bodies of events: the JSON that each kind is written as (spec/log.md)."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from referee.desk.log.events import KINDS, LogEvent, kind_of
from referee.errors import RefereeError, shown
from referee.rules.codec import Codec, Codecs

CODECS = Codecs(KINDS)
"""The codecs of what desks keep; an event is written with the name of its kind."""

canonical = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode
"""Plain data as the one JSON text it has here: names in order, no blanks, no fractions (RFC 8785)."""


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
    for name, codec in shape.items():
        if not codec.fits(data[name]):
            raise RefereeError("event", f"{name} of an event {kind} cannot be {shown(data[name])}")
    return KINDS[kind](**{name: codec.read(data[name]) for name, codec in shape.items()})


def expect_fit(event: LogEvent) -> None:
    """Raise TypeError for an event whose data are not of their types: an audit would refuse it."""
    kind = kind_of(event)
    for name, codec in _shape(kind).items():
        if not codec.fits(getattr(event, name)):
            raise TypeError(f"{name} of an event {kind} cannot be {shown(getattr(event, name))}")


@cache
def _shape(kind: str) -> dict[str, Codec]:
    """The names of a kind's body, and how each is read."""
    return CODECS.fields(KINDS[kind])
