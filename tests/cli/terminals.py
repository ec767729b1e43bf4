"""A terminal for a command or a shell: its screen while keys are typed."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

_CONTROL = re.compile(rb"\x1b\[[0-9;?]*[a-zA-Z]|\x08")
"""Control sequences of a program between the visible characters."""

_PATIENCE = 60.0
"""Seconds after which a program that shows nothing has failed."""


class Shown(NamedTuple):
    """The output of a program on its terminal, and its exit status."""

    status: int
    text: str


def on_terminal(
    command: Sequence[str],
    keys: Sequence[tuple[str, str]] = (),
    columns: int = 80,
    environment: Mapping[str, str] | None = None,
) -> Shown:
    """Run a command on a terminal of its own.

    Args:
        command: the program and its arguments.
        keys: the keys to type, each after its text has been shown since the keys before it.
        columns: of the terminal, which has 24 lines.
        environment: variables in addition to those of the tests.
    """
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe(command[0], list(command), {**_environment(), "TERM": "xterm", **(environment or {})})
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    said, seen, waiting = b"", 0, list(keys)
    while True:
        while waiting and waiting[0][0].encode() in _CONTROL.sub(b"", said[seen:]):
            _until_waiting(child)
            seen = len(said)
            os.write(terminal, waiting.pop(0)[1].encode())
        if not select.select([terminal], [], [], _PATIENCE)[0]:
            os.kill(child, 9)
            break
        try:
            said += os.read(terminal, 1 << 16)
        except OSError:
            break
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.close(terminal)
    return Shown(status, said.decode(errors="replace").replace("\r\n", "\n"))


def _environment() -> Mapping[str, str]:
    """The environment of the tests without settings for a terminal."""
    ours = {"NO_COLOR", "PAGER", "LESS", "COLUMNS", "LINES"}
    return {name: value for name, value in os.environ.items() if name not in ours}


def _until_waiting(child: int) -> None:
    """Return once a program sleeps, as it does when it waits for keys.

    Python's prompt takes Ctrl-C at once only while it waits: one that comes while it still shows the last key is seen
    with the next.
    """
    state, until = Path(f"/proc/{child}/stat"), time.monotonic() + _PATIENCE
    while state.exists() and time.monotonic() < until:
        if state.read_text(encoding="utf-8").rpartition(")")[2].split()[0] in "SZ":
            return
        time.sleep(0.001)
