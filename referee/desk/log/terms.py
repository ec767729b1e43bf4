"""The terms of a game's clock, as a host writes them and as a log keeps them (spec/log.md, "The clock")."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import timedelta
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from referee.errors import RefereeError, shown

CLAIM, LOSS = "claim", "loss"
TIMEOUT = "timeout"
LONGEST_TERM = timedelta(days=3660)
"""Maximum extra time for one move, and maximum of a bank."""

_LOCAL = re.compile("localtime|posixrules|Factory|(posix|right)/")
"""Names in zone databases for the machine's own settings, or for variants that only some machines have."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a clock: days for each move, a bank and its increment in hours, and the rest.

    `most` is the maximum of a bank, `vacation` the number of days that a side may take off, `reminders` the hours
    before a deadline at which the sides are reminded. After a timeout the others may claim the end, or the game ends
    at once.
    """

    days: int = 7
    bank: int = 0
    increment: int = 0
    most: int | None = None
    vacation: int = 0
    reminders: tuple[int, ...] = (48, 12)
    timeout: str = CLAIM
    zone: str = "UTC"

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Terms:
        """The terms in plain data; RefereeError `clock` if no game can be played by them."""
        terms = cls.kept(data)
        if _LOCAL.match(terms.zone):
            raise _wrong(f"the zone {shown(terms.zone)} depends on the machine; name one such as Europe/Vienna")
        return terms

    @classmethod
    def kept(cls, data: Mapping[str, Any]) -> Terms:
        """The terms of a game that already runs by them, even if their zone is no longer accepted."""
        names = [field.name for field in fields(cls)]
        if unknown := set(data) - set(names):
            raise _wrong(f"there is no term {shown(min(unknown, key=str))}; the terms are: {', '.join(names)}")
        reminders = data.get("reminders", (48, 12))
        if not isinstance(reminders, list | tuple) or not all(_number(one, 1, 2400) for one in reminders):
            raise _wrong("reminders are hours before the deadline, such as [48, 12]")
        bounds = {"days": 366, "bank": 9600, "increment": 960, "most": 9600, "vacation": 366}
        for name, most in bounds.items():
            if name in data and not _number(data[name], 0, most) and (name, data[name]) != ("most", None):
                raise _wrong(f"{name} is a whole number from 0 to {most}, not {shown(data[name])}")
        if data.get("timeout", CLAIM) not in (CLAIM, LOSS):
            raise _wrong(f"timeout is {CLAIM} or {LOSS}, not {shown(data['timeout'])}")
        if not isinstance(data.get("zone", ""), str):
            raise _wrong(f"there is no time zone {shown(data['zone'])}; name one such as Europe/Vienna")
        terms = cls(**{**data, "reminders": tuple(sorted(set(reminders), reverse=True))})
        if not terms.days and (not terms.bank or terms.most == 0):
            raise _wrong("without days and without a bank no side could ever move in time")
        zone_named(terms.zone)
        return terms

    def as_json(self) -> dict[str, Any]:
        """The terms as plain data."""
        return {**asdict(self), "reminders": list(self.reminders)}

    def filled(self, bank: timedelta) -> timedelta:
        """A bank, cut to the maximum."""
        return min(bank, LONGEST_TERM if self.most is None else timedelta(hours=self.most))


def _number(value: object, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _wrong(message: str) -> RefereeError:
    return RefereeError("clock", f"the clock: {message}")


@cache
def zone_named(name: str) -> ZoneInfo:
    """A time zone by its name; RefereeError `clock` if there is none."""
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError, TypeError):
        raise _wrong(f"there is no time zone {shown(name)}; name one such as Europe/Vienna") from None
