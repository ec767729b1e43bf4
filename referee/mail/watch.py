"""The machine's clock, watched: a desk whose time has jumped does nothing until somebody has looked at it.

A clock that was ahead for an hour would let games be lost by time, and letters wait until then.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Lock

from referee.desk.log import written
from referee.desk.store import Store
from referee.errors import RefereeError
from referee.mail.log import LOG

TOLERANCE = timedelta(minutes=5)
"""The most that a clock may be set forward or back while the desk runs, or back between two runs."""

OUTAGE = timedelta(hours=24)
"""The longest that a desk may rest without anybody confirming the time: players could not write meanwhile."""

_STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""A clock that nobody sets; on Linux it goes on while the machine sleeps."""


def confirm(store: Store, at: datetime, *, trusted: bool = False) -> None:
    """Compare the time with the last one that the store saw, and keep it; `trusted`: the host says it is right.

    Raises:
        RefereeError: `clock-jump`, if it is more than `OUTAGE` later or `TOLERANCE` earlier.
    """
    last = store.seen()
    if last is None or trusted or last - TOLERANCE <= at <= last + OUTAGE:
        store.see(at, anew=trusted)
        return
    raise RefereeError(
        "clock-jump",
        f"it is {_shown(at)} by this machine's clock, and it was {_shown(last)} when the desk last looked: "
        "set the clock if it is wrong; if it is right, extend or pause games whose players could not write, and say "
        "'referee desk tick --trust-clock'",
    )


def steady() -> float:
    """Seconds by a clock that nobody sets."""
    return time.clock_gettime(_STEADY)


@dataclass(slots=True)
class Watch:
    """Whether the machine's clock still goes with the steady one since a desk began to run, for many threads."""

    wall: datetime
    steady: float
    _doubted: bool = field(default=False, init=False)
    _lock: Lock = field(default_factory=Lock, init=False, repr=False)

    def agrees(self, at: datetime, seconds: float) -> bool:
        """Whether they agree now; where that changes, it says so in one line."""
        jump = at - self.wall - timedelta(seconds=seconds - self.steady)
        doubted = abs(jump) > TOLERANCE
        with self._lock:
            changed, self._doubted = doubted is not self._doubted, doubted
        if changed and doubted:
            way = "forward" if jump > timedelta(0) else "back"
            LOG.error(
                "clock: it was set %s by %s to %s; nothing is taken in or done until that is undone or the service "
                "is restarted",
                way,
                timedelta(seconds=round(abs(jump).total_seconds())),
                _shown(at),
            )
        elif changed:
            LOG.info("clock: it is right again, and the desk goes on")
        return not doubted


def _shown(at: datetime) -> str:
    return written(at)[:19].replace("T", " ") + " UTC"
