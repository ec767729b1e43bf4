"""Starts a program and ends it when its leash is closed, or when it goes beyond its limits.

`Program` runs this file as a separate process, the program's parent: a program that kills its parent kills nothing
else. This file imports nothing of the package.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import NamedTuple

_PROCESSES = 64
"""Maximum processes of a program."""

_GLANCE = 0.1
"""Seconds between two looks at the program."""

_ROOM = 8
"""Address space for data, in multiples of the memory: virtual machines reserve much more than they use."""

_SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of prctl(2): processes whose parent has ended become children of the guard."""


class Process(NamedTuple):
    """A process: its parent, its resident memory in pages, and its processor time in ticks, with ended children."""

    number: int
    parent: int
    pages: int
    ticks: int


def watch_over(leash: socket.socket, most: int, seconds: float, command: list[str]) -> int:
    """Run a program within its limits; return its exit status.

    It may hold `most` bytes of memory with all its processes. Each byte from the leash allows it `seconds` of
    processor time.
    """
    with suppress(OSError, AttributeError):  # only Linux has it
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    program = os.fork()
    if program == 0:
        leash.close()
        os.setsid()
        resource.setrlimit(resource.RLIMIT_DATA, (most * _ROOM, most * _ROOM))
        os.execvp(command[0], command)
    leash.sendall(b"%20d" % program)
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(null, stream)
    Thread(target=_watch, args=(leash, program, most, seconds), daemon=True).start()
    status = os.waitstatus_to_exitcode(os.waitpid(program, 0)[1])
    _end(program)
    return status


def _watch(leash: socket.socket, program: int, most: int, seconds: float) -> None:
    """End the program when the other end of the leash is closed, or when it is beyond a limit."""
    leash.settimeout(_GLANCE)
    allowed = seconds
    while True:
        try:
            moves = len(leash.recv(100))
            allowed += moves * seconds
            if not moves:
                break
        except TimeoutError:
            if beyond := _beyond(most, seconds, allowed):
                leash.sendall(beyond.encode())
                break
    _end(program)


def _beyond(most: int, seconds: float, allowed: float) -> str:
    """The limit that a program is beyond; empty if it is within all, or the system does not show its processes."""
    family = [*_family()]
    if len(family) > _PROCESSES:
        return f"{_PROCESSES} processes"
    if sum(one.pages for one in family) * resource.getpagesize() > most:
        return f"{most >> 20:,} MiB of memory"
    spent = sum(one.ticks for one in family) / os.sysconf("SC_CLK_TCK")
    return f"{seconds:g} seconds of processor time for a move" if spent > allowed else ""


def _end(program: int) -> None:
    """End the program and all its processes; those that are stopped cannot start others meanwhile."""
    with suppress(OSError):
        os.killpg(program, signal.SIGSTOP)
    stopped: set[int] = set()
    while fresh := {one.number for one in _family()} - stopped:
        for number in fresh:
            with suppress(OSError):
                os.kill(number, signal.SIGSTOP)
        stopped |= fresh
    for number in stopped:
        with suppress(OSError):
            os.kill(number, signal.SIGKILL)
    with suppress(OSError):
        os.killpg(program, signal.SIGKILL)


def _family() -> Iterator[Process]:
    """All processes that descend from the guard; none if the system does not show them."""
    known, family = [*_processes()], {os.getpid()}
    while more := [one for one in known if one.parent in family and one.number not in family]:
        family |= {one.number for one in more}
        yield from more


def _processes() -> Iterator[Process]:
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            yield Process(int(stat.parent.name), int(fields[1]), int(fields[21]), sum(map(int, fields[11:15])))


if __name__ == "__main__":
    ended = watch_over(socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2]), float(sys.argv[3]), sys.argv[4:])
    if ended < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.kill(os.getpid(), -ended)
    os._exit(ended)
