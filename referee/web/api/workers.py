"""Worker processes that answer tasks; one that takes too long is killed with its work."""

from __future__ import annotations

import os
import sys
import traceback
from contextlib import suppress
from multiprocessing import forkserver, get_all_start_methods, get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Lock
from typing import Self

from referee.children import end_with_parent, shielded
from referee.errors import PackageFault, RefereeError
from referee.web.api.tasks import Task
from referee.web.api.turns import Turns, busy

MEMORY = 1 << 30
"""Maximum bytes of memory of a worker, if the system can limit it."""

_STARTING = 60
"""Seconds that a process may take to start."""

_ENDING = 2
"""Seconds to notify waiting clients of the end."""


class Workers:
    """A number of processes, each with one task at a time, which start when needed."""

    def __init__(self, number: int, seconds: float) -> None:
        """Give a task `seconds`, and twice as many to wait for its turn, because another may need all of them."""
        self._seconds = seconds
        self._all = tuple(_Worker() for _ in range(number))
        self._turns = Turns(self._all)

    def do(self, task: Task, client: str) -> bytes:
        """The answer to a task of a client; any thread may ask.

        RefereeError from the task, or `too-costly` if it was stopped, or `busy` if no worker was free in time.
        """
        worker = self._turns.take(client, 2 * self._seconds)
        try:
            done = worker.ask(task, self._seconds)
        finally:
            self._turns.give(client, worker)
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
        """End all processes at once; waiting clients get `busy`."""
        self._turns.end()
        for worker in self._all:
            worker.end()
        self._turns.wait(_ENDING)


class _Worker:
    """One process, which is restarted after a stop, until the end.

    One thread at a time may `ask`, and closes the pipe; any other may `end` it.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        """For the fields below, while a process starts or ends."""
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._ended = False

    def ask(self, task: Task, seconds: float) -> bytes | RefereeError | None:
        """The result of a task; None if it was stopped, or ended the process."""
        while not self._ended:
            is_fresh = self._pipe is None
            try:
                pipe = self.start()
                pipe.send(task)
                if pipe.poll(seconds):
                    done: bytes | RefereeError = pipe.recv()
                    return done
            except (EOFError, OSError):
                self._stop()
                # A waiting process may have died before: only the end of a fresh one is the task's fault.
                if is_fresh and not self._ended:
                    return None
            except BaseException:
                self._stop()
                raise
            else:
                self._stop()
                return None
        return busy()

    def start(self) -> Connection:
        """Start the process if needed; return its pipe once it is ready. EOFError if it has ended."""
        if self._pipe is not None:
            return self._pipe
        method = "forkserver" if "forkserver" in get_all_start_methods() else "spawn"
        context = get_context(method)
        with self._lock:
            if self._ended:
                raise EOFError
            self._pipe, theirs = context.Pipe()
            process = context.Process(target=_work, args=(theirs,), daemon=True)  # type: ignore[attr-defined] # both contexts have it
            with shielded():
                if method == "forkserver":
                    context.set_forkserver_preload([__name__])
                    forkserver.ensure_running()
                process.start()
            self._process = process
        theirs.close()
        if not self._pipe.poll(_STARTING):
            raise EOFError
        self._pipe.recv()
        return self._pipe

    def end(self) -> None:
        """Kill the process, and start no other one."""
        with self._lock:
            self._ended = True
            if self._process is not None:
                self._process.kill()
                self._process.join()

    def _stop(self) -> None:
        with self._lock:
            if self._process is not None:
                self._process.kill()
                self._process.join()
                self._process.close()
            if self._pipe is not None:
                self._pipe.close()
            self._process = self._pipe = None


def _work(pipe: Connection) -> None:
    end_with_parent()
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with suppress(EOFError):
        pipe.send(None)
        while True:
            pipe.send(_done(pipe.recv()))


def _done(task: Task) -> bytes | RefereeError:
    try:
        return task()
    except RefereeError as error:
        return error.with_traceback(None)
    except PackageFault as fault:
        return RefereeError(fault.code, fault.message)
    except MemoryError:
        os._exit(1)  # too little memory is left to go on
    except Exception:
        traceback.print_exc()
        return RefereeError("internal", "the referee failed here: please report it")
