"""`referee desk serve` as a process that can be killed and started again, its clock further on each time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import IO, Self

from referee.desk import LEASE
from tests.e2e import desk_forks
from tests.e2e.carrier import Carrier


class Served:
    """A desk's processes; each begins when the letters that the one before had taken may be taken again."""

    def __init__(self, folder: Path) -> None:
        self._ahead = timedelta(0)
        self._said = (folder / "said").open("w+")
        command = [sys.executable, "-m", desk_forks.__name__, str(folder)]
        self._forking = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said, text=True
        )
        self._pid = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pid:
            self.end(signal.SIGKILL)
        self._forking.communicate()
        self._said.close()

    def start(self) -> None:
        """Start it once more."""
        print(self._ahead.total_seconds(), file=_open(self._forking.stdin), flush=True)
        self._pid = int(_open(self._forking.stdout).readline())
        self._ahead += LEASE + timedelta(minutes=1)

    def end(self, number: signal.Signals) -> int:
        """Send it a signal; return its exit status, or the negative number of the signal that ended it."""
        os.kill(self._pid, number)
        self._pid = 0
        return os.waitstatus_to_exitcode(int(_open(self._forking.stdout).readline()))

    @property
    def said(self) -> str:
        """The output of all processes so far."""
        self._said.seek(0)
        return self._said.read()


class Killer:
    """Kills a desk's process and starts another one, a number of times, in a thread; the last one runs on."""

    def __init__(self, served: Served, carrier: Carrier, chance: Random, most: int) -> None:
        self.kills = 0
        self._most = most
        self._served, self._carrier, self._chance = served, carrier, chance
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._kill)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join()

    def _kill(self) -> None:
        self._served.start()
        while not self._stopped.is_set() and self.kills < self._most:
            if self._chance.random() < 0.5:
                self._carrier.handing.clear()
                self._carrier.handing.wait(1)
                time.sleep(self._chance.uniform(0, 0.05))
            else:
                time.sleep(self._chance.uniform(0, 0.8))
            assert self._served.end(signal.SIGKILL) == -signal.SIGKILL, self._served.said
            self.kills += 1
            self._served.start()


def _open(pipe: IO[str] | None) -> IO[str]:
    assert pipe is not None
    return pipe
