"""An external engine: a program that reads positions and writes moves, a line of JSON each (docs/engines.md)."""

from __future__ import annotations

import json
import os
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from referee.errors import RefereeError, cut, shown
from referee.rules import Move, Position, game_named

PROTOCOL = 1
"""The version of the protocol between referee and a program."""

SECONDS = 10.0
"""Maximum time of a program for a move."""

MEGABYTES = 1024
"""Maximum memory of a program with all its processes."""

_LONGEST_ANSWER = 10_000

_PARTING = 1.0
"""Seconds that a program has to end after it has closed its pipes."""

_GUARD = Path(__file__).with_name("guard.py")

_TOO_LARGE = b"too large"
"""The guard's message about a program that took too much memory."""

_ENVIRONMENT = ("PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR")
"""The names in a program's environment; others may be secret."""


class Program:
    """A running program, which is asked for one move after another."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        leash: socket.socket,
        options: Mapping[str, object],
        seconds: float,
        megabytes: int,
    ) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process, self._leash, self._options = process, leash, options
        self._seconds, self._megabytes = seconds, megabytes
        self._input, self._output = process.stdin.fileno(), process.stdout.fileno()
        os.set_blocking(self._input, False)
        self._rest = b""

    @classmethod
    @contextmanager
    def started(
        cls,
        command: Sequence[str],
        options: Mapping[str, object],
        *,
        seconds: float = SECONDS,
        megabytes: int = MEGABYTES,
    ) -> Iterator[Program]:
        """A program that runs until the end of the block; RefereeError `program` if it cannot be started."""
        if not hasattr(os, "fork"):
            raise RefereeError("program", "programs can play on POSIX systems alone, such as Linux or macOS")
        if shutil.which(command[0]) is None:
            raise RefereeError("program", f"there is no program {shown(command[0])}")
        leash, held = socket.socketpair()
        guarded = [sys.executable, "-I", str(_GUARD), str(held.fileno()), str(megabytes << 20), *command]
        with leash:
            with held:
                try:
                    process = subprocess.Popen(
                        guarded,
                        stdin=subprocess.PIPE,
                        stdout=subprocess.PIPE,
                        start_new_session=True,
                        pass_fds=[held.fileno()],
                        env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
                        bufsize=0,
                    )
                except (OSError, ValueError) as error:
                    message = f"{shown(' '.join(command))} cannot be started: {error}"
                    raise RefereeError("program", message) from None
            program = int(leash.recv(20) or 0)
            try:
                yield cls(process, leash, options, seconds, megabytes)
            finally:
                with suppress(OSError):
                    if program:
                        os.killpg(program, signal.SIGKILL)
                process.kill()
                with process:  # closes its pipes without reading, because others may hold them too
                    pass

    def choose(self, position: Position, side: str, _ply: int = 0, /) -> Move:
        """The program's move; RefereeError `program` if it is late, has ended, or writes no legal move."""
        if self._process.poll() is not None:
            raise self._ended()
        answer = self._asked(json.dumps(program_request(position, side, self._options)).encode() + b"\n")
        try:
            said = json.loads(answer)
            text = said["move"]
            if not isinstance(text, str):
                raise TypeError
        except (ValueError, TypeError, KeyError, RecursionError):
            written = cut(answer.decode("utf-8", "replace"), 100)
            raise RefereeError("program", f'the program said {shown(written)}, and not {{"move": "…"}}') from None
        try:
            return position.parse(side, text)
        except RefereeError as error:
            message = f"the program's move {shown(cut(text, 100))} is refused: {error.message}"
            raise RefereeError("program", message) from None

    def _asked(self, line: bytes) -> bytes:
        """The program's answering line, within its time, which includes the time that it takes to read."""
        end, unsaid = time.monotonic() + self._seconds, line
        with selectors.DefaultSelector() as selector:
            selector.register(self._output, selectors.EVENT_READ)
            selector.register(self._input, selectors.EVENT_WRITE)
            selector.register(self._leash, selectors.EVENT_READ)
            while unsaid or b"\n" not in self._rest:
                ready = [key.fd for key, _ in selector.select(end - time.monotonic())]
                if not ready or time.monotonic() > end:
                    raise RefereeError("program", f"the program has not moved within {self._seconds:g} seconds")
                if self._output in ready:
                    self._read()
                elif self._leash.fileno() in ready:
                    raise self._ended()
                if self._input in ready:
                    unsaid = unsaid[self._write(unsaid) :]
                if self._input in ready and not unsaid:
                    selector.unregister(self._input)
        answer, _, self._rest = self._rest.partition(b"\n")
        return answer

    def _read(self) -> None:
        read = os.read(self._output, _LONGEST_ANSWER)
        if not read:
            raise self._ended()
        self._rest += read
        if len(self._rest) > _LONGEST_ANSWER:
            raise RefereeError("program", f"the program said more than {_LONGEST_ANSWER:,} bytes")

    def _write(self, line: bytes) -> int:
        """Write as much of a line as the program can take now; return the number of bytes."""
        try:
            return os.write(self._input, line)
        except OSError:
            raise self._ended() from None

    def _ended(self) -> RefereeError:
        try:
            status = self._process.wait(_PARTING)
        except subprocess.TimeoutExpired:
            return RefereeError("program", "the program listens or says nothing more, although it runs")
        self._leash.setblocking(False)
        with suppress(BlockingIOError):
            if self._leash.recv(len(_TOO_LARGE)) == _TOO_LARGE:
                return RefereeError("program", f"the program has taken more than {self._megabytes:,} MiB of memory")
        return RefereeError("program", f"the program has ended, with the status {status}")


def program_request(position: Position, side: str, options: Mapping[str, object]) -> dict[str, Any]:
    """The request to a program: the game, whose move it is, the public position, and the legal moves.

    Options of a game with secrets are left out.
    """
    return {
        "referee": PROTOCOL,
        "game": position.game,
        "options": {} if game_named(position.game).secret else dict(options),
        "side": side,
        "to_move": sorted(position.to_move),
        "position": position.facts(),
        "legal": [str(move) for move in position.legal_moves(side)],
    }
