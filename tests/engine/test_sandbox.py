"""Programs that hang, die, flood, fork, take memory, write files or open connections: none disturbs anything."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

import referee
from referee.engine import sandbox as room
from referee.engine.program import Program
from referee.engine.sandbox import sandbox
from referee.errors import RefereeError
from tests.support.servers import eventually

FORKS = "import os, time\nfor _ in range(100):\n    if not os.fork(): os.setsid(); time.sleep(60)\n"

# What a program does before it reads anything, and what is said of it.
DISTURBING = {
    "hangs": ("time.sleep(60)", "the program has not moved within 2 seconds"),
    "hangs in a signal": ("signal.pause()", "the program has not moved within 2 seconds"),
    "dies": ("os.kill(os.getpid(), 11)", "the program has ended, with the status "),
    "fails": ("1 / 0", "the program has ended, with the status 1: ZeroDivisionError: division by zero"),
    "floods its output": ("while True: os.write(1, b'x' * 1_000)", "the program said more than 10,000 bytes"),
    "floods its errors": ("while True: os.write(2, b'x' * 1_000)", "the program has not moved within 2 seconds"),
    "forks": (FORKS + "time.sleep(60)", "the program has taken more than 64 processes"),
    "takes memory": (
        "x = bytearray(400_000_000); time.sleep(60)",
        "the program has taken more than 300 MiB of memory",
    ),
    "takes memory in parts": (
        "[os.fork() for _ in range(2)]; x = bytearray(100_000_000); time.sleep(60)",
        "the program has taken more than 300 MiB of memory",
    ),
}
SHUT_IN = {
    "writes a file": ("open(MARK, 'w')", "Read-only file system"),
    "writes a temporary file": ("open('/tmp/referee-program', 'w')", "Read-only file system"),
    "removes a file": ("os.unlink(KEPT)", "Read-only file system"),
    "opens a connection": ("socket.create_connection(('127.0.0.1', PORT), 5)", "Error"),
    "asks a name": ("socket.getaddrinfo('example.org', 80)", "gaierror"),
}


def said_of(text: str) -> str:
    """The sentence about a program that runs this text and then listens."""
    program = f"import os, signal, socket, sys, time\n{text}\nsys.stdin.read()"
    command = [sys.executable, "-c", program]
    with pytest.raises(RefereeError) as caught, Program.started(command, {}, seconds=2, megabytes=300) as one:
        one.choose(referee.start("boundary"), "south")
    assert caught.value.code == "program"
    assert "\n" not in caught.value.message
    return caught.value.message


def left(mark: str) -> list[str]:
    """The processes with a mark in their command."""
    commands = Path("/proc").glob("[0-9]*/cmdline")
    return [str(one) for one in commands if mark.encode() in _read(one)]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


@pytest.mark.slow
@pytest.mark.parametrize("shut_in", [True, False], ids=["shut in", "free"])
@pytest.mark.parametrize("what", DISTURBING)
def test_a_disturbing_program_is_ended_and_reported(
    what: str, shut_in: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not shut_in:
        monkeypatch.setattr("referee.engine.program.sandbox", tuple)
    text, said = DISTURBING[what]
    mark = f"mark-{what}-{shut_in}"
    assert said in said_of(f"'{mark}'\n{text}")
    eventually(lambda: not left(mark))


@pytest.mark.slow
def test_processor_time_counts_for_all_processes_together() -> None:
    """A program may take as long as its moves by the clock, and no longer: not even in the time of its opponent."""
    busy = """
"mark of a busy program"
import json, os, sys
for line in sys.stdin:
    print(json.dumps({"move": json.loads(line)["legal"][0]}), flush=True)
    while True: pass
"""
    position = referee.start("boundary")
    with Program.started([sys.executable, "-c", busy], {}, seconds=0.5) as one:
        one.choose(position, "south")
        eventually(lambda: not left("mark of a busy program"))
        with pytest.raises(RefereeError, match=r"more than 0\.5 seconds of processor time for a move"):
            one.choose(position, "south")


@pytest.mark.slow
@pytest.mark.skipif(not sandbox(), reason="there is no bubblewrap here")
@pytest.mark.parametrize("what", SHUT_IN)
def test_a_program_in_the_sandbox_reaches_nothing(what: str, tmp_path: Path) -> None:
    text, said = SHUT_IN[what]
    kept, mark = tmp_path / "kept", tmp_path / "mark"
    kept.touch()
    with socket.create_server(("127.0.0.1", 0)) as server:
        known = f"MARK, KEPT, PORT = {str(mark)!r}, {str(kept)!r}, {server.getsockname()[1]}\n"
        assert said in said_of(known + text)
    assert (kept.exists(), mark.exists(), Path("/tmp/referee-program").exists()) == (True, False, False)


def test_without_bubblewrap_there_is_no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    assert room.sandbox.__wrapped__() == ()


def test_a_sandbox_that_the_system_does_not_allow_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bwrap").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert room.sandbox.__wrapped__() == ()
