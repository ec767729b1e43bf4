"""Times and spans of time in words."""

from __future__ import annotations

from datetime import datetime, timedelta

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400


def moment(at: datetime) -> str:
    """A time with its zone, such as `Monday 8 March 2027, 13:00 CET (UTC+01:00)`."""
    offset = at.strftime("%z")
    zone = at.tzname() or "UTC"
    known = "" if zone == "UTC" else f" (UTC{offset[:3]}:{offset[3:5]})"
    return f"{at:%A} {at.day} {at:%B} {at.year}, {at:%H:%M} {zone}{known}"


def span(length: timedelta) -> str:
    """A span of time, its two largest units: `6 days 23 hours`, rounded down."""
    seconds = max(0, int(length.total_seconds()))
    counts = ((seconds // _DAY, "day"), (seconds % _DAY // _HOUR, "hour"), (seconds % _HOUR // _MINUTE, "minute"))
    said = [f"{number} {unit}{'' if number == 1 else 's'}" for number, unit in counts if number]
    return " ".join(said[:2]) or "less than a minute"
