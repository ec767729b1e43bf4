"""Processes of the referee as users start them, and their child processes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.servers import eventually


def children(process: int) -> set[int]:
    """The processes that a process has started, and those that these have started."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == process:
            found |= {int(stat.parent.name), *children(int(stat.parent.name))}
    return found


def is_running(process: int) -> bool:
    """True unless a process has ended, even if no one has waited for it."""
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2][:3]
    except OSError:
        return False


def all_end(processes: set[int], seconds: float = 20) -> None:
    """Fail unless all of these processes end in time."""
    eventually(lambda: not any(map(is_running, processes)), seconds)


@contextmanager
def running(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A command of the referee, whose error output is read; it is killed at the end."""
    command = [sys.executable, "-m", "referee", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def says(process: subprocess.Popen[str], words: str) -> str:
    """The next line of the error output that has these words."""
    assert process.stderr is not None
    said = []
    for line in process.stderr:
        if words in line:
            return line
        said.append(line)
    raise AssertionError(f"{words!r} is not in {''.join(said)!r}")
