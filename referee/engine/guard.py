"""Starts a program and ends it when its leash is closed, or when it takes too much memory.

`Program` runs this file as a separate process, the program's parent: a program that kills its parent kills nothing
else. This file imports nothing of the package.
"""

from __future__ import annotations

import os
import resource
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from threading import Thread

TOO_LARGE = b"too large"
"""The leash's message about a program that took too much memory."""

_GLANCE = 0.1
"""Seconds between two looks at the memory."""

_ROOM = 8
"""Address space for data, in multiples of the memory: virtual machines reserve much more than they use."""


def watch_over(leash: socket.socket, most: int, command: list[str]) -> int:
    """Run a program, which may hold `most` bytes of memory with all its processes; return its exit status."""
    program = os.fork()
    if program == 0:
        leash.close()
        os.setsid()
        resource.setrlimit(resource.RLIMIT_DATA, (most * _ROOM, most * _ROOM))
        os.execvp(command[0], command)
    leash.sendall(b"%d" % program)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    Thread(target=_watch, args=(leash, program, most), daemon=True).start()
    status = os.waitstatus_to_exitcode(os.waitpid(program, 0)[1])
    _end(program)
    return status


def _watch(leash: socket.socket, program: int, most: int) -> None:
    """End the program when the other end of the leash is closed, or when it is too large."""
    leash.settimeout(_GLANCE)
    while True:
        try:
            leash.recv(1)
            break
        except TimeoutError:
            if _resident(program) > most:
                leash.sendall(TOO_LARGE)
                break
    _end(program)


def _end(program: int) -> None:
    with suppress(OSError):
        os.killpg(program, signal.SIGKILL)


def _resident(session: int) -> int:
    """The bytes of memory that the processes of a session hold; 0 if the system does not show them."""
    pages = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if int(fields[3]) == session:
                pages += int(fields[21])
    return pages * resource.getpagesize()


if __name__ == "__main__":
    ended = watch_over(socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2]), sys.argv[3:])
    if ended < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.kill(os.getpid(), -ended)
    os._exit(ended)
