"""A watch on the machine's clock, while the desk runs and between two runs.

If the clock is set while the desk runs, the desk rests. Between two runs, the desk was away and could not be reached,
so all games get that time back.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Lock

from referee.desk import write_time
from referee.errors import RefereeError
from referee.mail.log import LOG
from referee.mail.office import Office

TOLERANCE = timedelta(minutes=5)
"""Maximum jump of the clock either way while the desk runs, and back between two runs."""

LONGEST_OUTAGE = timedelta(days=100)
"""Maximum time between two looks at the clock without confirmation; beyond it, the clock is probably wrong."""

_RECENT = timedelta(minutes=1)
"""Time after a look for an outage in which the desk need not look again; no outage is so short."""

_STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""A clock that cannot be set; on Linux it runs on while the machine sleeps."""


def tolerated(office: Office) -> timedelta:
    """The longest time between two looks at the clock that counts as time for the players."""
    return timedelta(hours=office.settings.outage)


def expect_steady(office: Office, at: datetime) -> None:
    """Raise RefereeError `clock-jump` unless the desk has looked at its clock recently, and that was not later."""
    last = office.desk.upkeep.seen()
    if last is None:
        return
    expect_likely(last, at)
    if not last - TOLERANCE <= at <= last + tolerated(office):
        message = f"this machine's clock says {utc(at)}, and the desk last looked at {utc(last)}"
        raise RefereeError("clock-jump", f"{message}; 'referee desk serve' or 'tick' has to look first")


def expect_likely(last: datetime, at: datetime) -> None:
    """Raise RefereeError `clock-jump` if two looks at the clock are more than `LONGEST_OUTAGE` apart."""
    if abs(at - last) > LONGEST_OUTAGE:
        message = f"this machine's clock says {utc(at)}, but it was {utc(last)} when the desk last looked"
        advice = "If it is right, run 'referee desk tick --trust-clock': all games get the time back"
        raise RefereeError("clock-jump", f"{message}. If the clock is wrong, set it. {advice}")


def steady() -> float:
    """Seconds by a clock that cannot be set."""
    return time.clock_gettime(_STEADY)


@dataclass(slots=True)
class Watch:
    """Compares the machine's clock with a steady one since the desk began to run; many threads may ask."""

    wall: datetime
    steady: float
    looked: datetime | None = field(default=None, init=False)
    """When the desk last looked for an outage."""

    _doubted: bool = field(default=False, init=False)
    _lock: Lock = field(default_factory=Lock, init=False, repr=False)

    def agrees(self, at: datetime, seconds: float) -> bool:
        """True if the two clocks agree now; the log gets a line whenever that changes."""
        jump = at - self.wall - timedelta(seconds=seconds - self.steady)
        doubted = abs(jump) > TOLERANCE
        with self._lock:
            changed, self._doubted = doubted is not self._doubted, doubted
        if changed and doubted:
            way = "forward" if jump > timedelta(0) else "back"
            LOG.error(
                "clock: it was set %s by %s to %s; the desk rests until it is set right or the service is restarted",
                way,
                timedelta(seconds=round(abs(jump).total_seconds())),
                utc(at),
            )
        elif changed:
            LOG.info("clock: it is right again, and the desk goes on")
        return not doubted

    def has_looked(self, at: datetime) -> bool:
        """True if the desk has looked for an outage shortly before a time."""
        return self.looked is not None and timedelta(0) <= at - self.looked < _RECENT


def utc(at: datetime) -> str:
    """A time in UTC, to the second."""
    return write_time(at)[:19].replace("T", " ") + " UTC"
