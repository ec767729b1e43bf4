"""The referee with a clock of its own: `python -m bench.hours BEGIN ANCHOR SPEED WORDS...` runs the command of WORDS.

Its time is BEGIN when this machine's clock is at ANCHOR, in seconds since the epoch, and goes SPEED times as fast.
All processes with the same three have the same time.
"""

from __future__ import annotations

import sys
import time
from datetime import datetime, timedelta
from typing import NamedTuple

from referee.mail import office, watch


class Hours(NamedTuple):
    """A clock: its time at an anchor, in seconds since the epoch, and its speed."""

    begin: datetime
    anchor: float
    speed: float

    def now(self) -> datetime:
        """The time by this clock."""
        return self.begin + timedelta(seconds=(time.time() - self.anchor) * self.speed)

    def command(self, *words: str) -> list[str]:
        """The command of a process that runs these words of `referee` by this clock."""
        hours = self.begin.isoformat(), str(self.anchor), str(self.speed)
        return [sys.executable, "-m", "bench.hours", *hours, *words]


def main(hours: Hours, words: list[str]) -> None:
    """Run a command by a clock."""
    steady = watch.steady
    office.now = hours.now
    watch.steady = lambda: steady() * hours.speed
    from referee.mail.host import daemon  # after the clock is set, as it takes it from there

    vars(daemon)["CLOCK"] = daemon.CLOCK / hours.speed
    from referee.cli import main as referee

    referee(words)


if __name__ == "__main__":
    main(Hours(datetime.fromisoformat(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])), sys.argv[4:])
