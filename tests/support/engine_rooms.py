"""Engines that think in threads of the test, so that no process has to be started."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from datetime import datetime
from typing import Any

from referee.mail.host.engine_room import EngineRoom, play_on
from referee.mail.office import Office


def threads(number: int) -> Executor:
    """Threads instead of processes."""
    return ThreadPoolExecutor(number)


def engines_move(office: Office, at: datetime, cores: int = 1) -> int:
    """Have engines make all moves due, and handle the letters that waited for them; return the number of moves."""
    with EngineRoom(cores, threads) as room:
        return play_on(room, office, lambda: at)


class Broken(Executor):
    """Workers whose thoughts all fail."""

    def submit(self, fn: object, /, *args: object, **_: object) -> Future[object]:  # type: ignore[override]
        """A thought that has failed already."""
        future: Future[object] = Future()
        future.set_exception(RuntimeError("no thought"))
        return future


def broken(_: int) -> Executor:
    """Workers that fail."""
    return Broken()


class Killed(ThreadPoolExecutor):
    """Workers that are killed after their first thought."""

    _begun = False

    def submit(self, fn: Callable[..., Any], /, *args: object, **more: object) -> Future[Any]:
        """A thought; `BrokenProcessPool` instead of any but the first."""
        if self._begun:
            raise BrokenProcessPool("a process was ended")
        self._begun = True
        return super().submit(fn, *args, **more)
