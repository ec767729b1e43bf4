"""A watch on the machine's clock: after a jump, the desk does nothing until somebody has looked.

A clock that is ahead, even for an hour, would end games by timeout and hold letters back.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Lock

from referee.desk.log import write_time
from referee.desk.store import Store
from referee.errors import RefereeError
from referee.mail.log import LOG

TOLERANCE = timedelta(minutes=5)
"""How far the clock may jump either way while the desk runs, or back between two runs."""

OUTAGE = timedelta(hours=24)
"""The longest rest after which nobody must confirm the time; while the desk rests, players cannot write."""

_STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""A clock that nobody can set; on Linux it runs on while the machine sleeps."""


def confirm(store: Store, at: datetime, *, trusted: bool = False) -> None:
    """Compare the time with the last one in the store, and keep it; if `trusted`, the host vouches for it.

    Raises:
        RefereeError: `clock-jump`, if it is more than `OUTAGE` later or `TOLERANCE` earlier.
    """
    if not trusted:
        expect_steady(store, at)
    store.see(at, anew=trusted)


def expect_steady(store: Store, at: datetime) -> None:
    """Compare the time with the last one in the store; `confirm` says what is raised."""
    last = store.seen()
    if last is None or last - TOLERANCE <= at <= last + OUTAGE:
        return
    raise RefereeError(
        "clock-jump",
        f"this machine's clock says {_utc(at)}, but it was {_utc(last)} when the desk last looked. If the clock is "
        "wrong, set it. If it is right, extend or pause games whose players could not write, and run "
        "'referee desk tick --trust-clock'",
    )


def steady() -> float:
    """Seconds by a clock that nobody sets."""
    return time.clock_gettime(_STEADY)


@dataclass(slots=True)
class Watch:
    """Compares the machine's clock with a steady one since the desk began to run; many threads may ask."""

    wall: datetime
    steady: float
    _doubted: bool = field(default=False, init=False)
    _lock: Lock = field(default_factory=Lock, init=False, repr=False)

    def agrees(self, at: datetime, seconds: float) -> bool:
        """Whether the two clocks agree now; the log gets a line whenever that changes."""
        jump = at - self.wall - timedelta(seconds=seconds - self.steady)
        doubted = abs(jump) > TOLERANCE
        with self._lock:
            changed, self._doubted = doubted is not self._doubted, doubted
        if changed and doubted:
            way = "forward" if jump > timedelta(0) else "back"
            LOG.error(
                "clock: it was set %s by %s to %s; the desk rests until somebody sets it right or restarts the "
                "service",
                way,
                timedelta(seconds=round(abs(jump).total_seconds())),
                _utc(at),
            )
        elif changed:
            LOG.info("clock: it is right again, and the desk goes on")
        return not doubted


def _utc(at: datetime) -> str:
    return write_time(at)[:19].replace("T", " ") + " UTC"
