"""Worker processes that answer tasks; one that takes too long is killed, and its work with it."""

from __future__ import annotations

import os
import sys
import traceback
from contextlib import suppress
from multiprocessing import forkserver, get_all_start_methods, get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import Empty, LifoQueue
from types import TracebackType
from typing import Self

from referee.archive.pool import end_with_parent, shielded
from referee.errors import RefereeError
from referee.web.api.tasks import Task

MEMORY = 1 << 30
"""Bytes of memory that a worker may take, where the system can limit that."""

_STARTING = 60
"""Seconds that a process may take to start."""


class Workers:
    """A number of processes, each with one task at a time; they start when they are first needed."""

    def __init__(self, number: int, seconds: float) -> None:
        """Give a task so many seconds, and as many again to wait until a worker is free."""
        self._seconds = seconds
        self._all = tuple(_Worker() for _ in range(number))
        self._free: LifoQueue[_Worker] = LifoQueue()
        for worker in self._all:
            self._free.put(worker)

    def do(self, task: Task) -> bytes:
        """The answer of a task; any thread may ask.

        Raises:
            RefereeError: what the task raises; `too-costly`: it was stopped; `busy`: no worker was free in time;
                `internal`: it failed by a mistake of ours, which the error output tells.
        """
        try:
            worker = self._free.get(timeout=self._seconds)
        except Empty:
            raise RefereeError("busy", "too many requests wait for an answer: try again soon") from None
        try:
            done = worker.ask(task, self._seconds)
        finally:
            self._free.put(worker)
        if done is None:
            message = f"this takes more than {self._seconds:g} seconds or {MEMORY >> 20} MiB of memory: send less"
            raise RefereeError("too-costly", message)
        if isinstance(done, RefereeError):
            raise done
        return done

    def start(self) -> Self:
        """Start all processes now."""
        for worker in self._all:
            worker.start()
        return self

    def close(self) -> None:
        """End all processes, whatever they do."""
        for worker in self._all:
            worker.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()


class _Worker:
    """One process, which is started again after it was stopped."""

    def __init__(self) -> None:
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    def ask(self, task: Task, seconds: float) -> bytes | RefereeError | None:
        """What a task comes to; None if it was stopped, or ended the process."""
        is_fresh = self._pipe is None
        try:
            pipe = self.start()
            pipe.send(task)
            if pipe.poll(seconds):
                done: bytes | RefereeError = pipe.recv()
                return done
        except (EOFError, OSError):
            self.stop()
            # A process may have died while it waited: a task is to blame only for the end of a fresh one.
            return None if is_fresh else self.ask(task, seconds)
        except BaseException:
            self.stop()
            raise
        self.stop()
        return None

    def start(self) -> Connection:
        """The pipe to the process, which runs and is ready then."""
        if self._pipe is not None:
            return self._pipe
        method = "forkserver" if "forkserver" in get_all_start_methods() else "spawn"
        context = get_context(method)
        ours, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs,), daemon=True)  # type: ignore[attr-defined] # both contexts have it
        with shielded():
            if method == "forkserver":
                context.set_forkserver_preload([__name__])
                forkserver.ensure_running()
            process.start()
        theirs.close()
        self._pipe, self._process = ours, process
        if not ours.poll(_STARTING):
            raise EOFError
        ours.recv()
        return ours

    def stop(self) -> None:
        """Kill the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None


def _work(pipe: Connection) -> None:
    """Answer tasks until the other end is closed."""
    end_with_parent()
    _limit_memory()
    with suppress(EOFError):
        pipe.send(None)
        while True:
            pipe.send(_done(pipe.recv()))


def _done(task: Task) -> bytes | RefereeError:
    try:
        return task.answer()
    except RefereeError as error:
        return error.with_traceback(None)
    except MemoryError:
        os._exit(1)  # what memory is left is not enough to go on
    except Exception:
        traceback.print_exc()
        return RefereeError("internal", "the referee failed here: please report it")


def _limit_memory() -> None:
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
