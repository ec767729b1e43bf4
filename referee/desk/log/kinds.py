"""The kinds of entries, by the names that logs have for them, which are a promise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from referee.desk.log import events
from referee.desk.log.events import LogEvent
from referee.rules.frozen import Frozen

_NAMED: Mapping[type, str] = {
    events.MessageSent: "message",
    events.VacationTaken: "vacation",
    events.Rekeyed: "signed",
    events.SealedAhead: "ahead",
}
"""The kinds that are not called like their classes."""

_KIND: Mapping[type[LogEvent], str] = {
    event: _NAMED.get(event, event.__name__.lower()) for event in get_args(LogEvent)
}

KINDS: Mapping[str, type[LogEvent]] = Frozen({kind: event for event, kind in _KIND.items()})


def kind_of(event: LogEvent) -> str:
    """The name of an event's kind, as logs have it."""
    return _KIND[type(event)]


def acting_side(event: LogEvent) -> str:
    """The side that does what an event records; empty for the desk."""
    match event:
        case events.Invited(by=str(side)):
            return side
        case events.Played(moves=moves):
            return next(iter(moves), "")
        case _:
            return str(getattr(event, "side", ""))
