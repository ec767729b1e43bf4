"""The command `referee`, run in this process or in one of its own."""

from __future__ import annotations

import io
import json
import os
import shlex
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, NamedTuple
from unittest import mock

from referee.cli import main

_MEASURED = """
import json, resource, subprocess, sys
status = subprocess.run(sys.argv[1:], timeout=600).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([used.ru_utime + used.ru_stime, used.ru_maxrss]), file=sys.stderr)
sys.exit(status)
"""
"""Runs one command, and prints what that command alone has used: a process inherits its parent's size."""


class Run(NamedTuple):
    """The output of a command, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def objects(self) -> list[Any]:
        """The JSON object of each line."""
        return [json.loads(line) for line in self.lines]


class Cost(NamedTuple):
    """Seconds of processor time that a process has used, and its largest size in megabytes."""

    seconds: float
    megabytes: float


def referee(*arguments: object, stdin: bytes = b"", together: bool = False, encoding: str = "utf-8") -> Run:
    """Run the command in this process; an exception that is not an exit is the test's failure.

    Args:
        together: error output goes to `out`, too, in its place between the other lines.
        encoding: that of the output.
    """
    out, err = io.TextIOWrapper(io.BytesIO(), encoding), io.StringIO()
    status: object = None
    with (
        redirect_stdout(out),
        redirect_stderr(out if together else err),
        mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8")),
    ):
        try:
            main([str(one) for one in arguments])
        except SystemExit as error:
            status = error.code
    assert isinstance(status, int)
    out.flush()
    return Run(status, out.buffer.getvalue().decode(encoding, "replace"), err.getvalue())


def process(*arguments: object, shell: str = "", **environment: str) -> Run:
    """Run the command in a process of its own; `shell` follows it, such as a redirection."""
    command = shlex.join([sys.executable, "-m", "referee", *map(str, arguments)])
    done = subprocess.run(
        ["sh", "-c", f"{command} {shell}"],
        capture_output=True,
        timeout=120,
        check=False,
        env={**os.environ, **environment},
    )
    return Run(done.returncode, done.stdout.decode(), done.stderr.decode())


def measured(*arguments: object) -> tuple[Run, Cost]:
    """Run the command in a process of its own, and measure its cost."""
    command = [sys.executable, "-c", _MEASURED, sys.executable, "-m", "referee", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    *said, used = done.stderr.splitlines(keepends=True)
    seconds, size = json.loads(used)
    # macOS counts bytes, Linux kilobytes.
    megabytes = size / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    return Run(done.returncode, done.stdout, "".join(said)), Cost(seconds, megabytes)
