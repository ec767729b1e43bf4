"""The kinds of entries, by the names that logs have for them, which are a promise."""

from __future__ import annotations

from collections.abc import Mapping

from referee.desk.log import events
from referee.desk.log.events import LogEvent
from referee.rules.frozen import Frozen

KINDS: Mapping[str, type[LogEvent]] = Frozen(
    {
        "submitted": events.Submitted,
        "sealed": events.Sealed,
        "revealed": events.Revealed,
        "offered": events.Offered,
        "accepted": events.Accepted,
        "declined": events.Declined,
        "resigned": events.Resigned,
        "claimed": events.Claimed,
        "message": events.MessageSent,
        "vacation": events.VacationTaken,
        "extended": events.Extended,
        "paused": events.Paused,
        "resumed": events.Resumed,
        "adjudicated": events.Adjudicated,
        "replaced": events.Replaced,
        "reopened": events.Reopened,
        "opened": events.Opened,
        "failed": events.Failed,
        "played": events.Played,
        "reminded": events.Reminded,
        "closed": events.Closed,
        "invited": events.Invited,
        "joined": events.Joined,
        "refused": events.Refused,
        "left": events.Left,
        "lapsed": events.Lapsed,
        "gave": events.Gave,
        "aborted": events.Aborted,
        "keyed": events.Keyed,
        "noted": events.Noted,
        "signed": events.Rekeyed,
        "engaged": events.Engaged,
        "disclosed": events.Disclosed,
    }
)

_KIND = {event: kind for kind, event in KINDS.items()}


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
