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
from typing import Any, NamedTuple

from referee.engine.sandbox import hiding, sandbox
from referee.engine.search.evaluation import SURE
from referee.engine.search.prospect import Prospect
from referee.errors import RefereeError, cut, shown
from referee.rules import Move, Moves, Position, game_named

PROTOCOL = 1
"""The version of the protocol between referee and a program."""

SECONDS = 10.0
"""Maximum time of a program for a move, by the clock and of all its processes together."""

MEGABYTES = 1024
"""Maximum memory of a program with all its processes."""

_LONGEST_ANSWER = 10_000

_PARTING = 1.0
"""Seconds that a program has to end after it has closed its pipes."""

_GUARD = Path(__file__).with_name("guard.py")

_LAST_WORDS = 300
"""Bytes kept of a program's error output, for the message about its end."""

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
        self._process, self._leash, self._options = process, leash, options
        self._seconds, self._megabytes = seconds, megabytes
        pipes = (process.stdin, process.stdout, process.stderr)
        self._input, self._output, self._errors = (pipe.fileno() for pipe in pipes if pipe is not None)
        os.set_blocking(self._input, False)
        os.set_blocking(self._errors, False)
        self._rest = self._last_words = b""

    @classmethod
    @contextmanager
    def started(
        cls,
        command: Sequence[str],
        options: Mapping[str, object],
        *,
        seconds: float = SECONDS,
        megabytes: int = MEGABYTES,
        hidden: Path | None = None,
    ) -> Iterator[Program]:
        """A program that runs until the end of the block; RefereeError `program` if it cannot be started.

        Where there is a sandbox, the `hidden` folder is empty in it.
        """
        if not hasattr(os, "fork"):
            raise RefereeError("program", "programs can play on POSIX systems alone, such as Linux or macOS")
        if shutil.which(command[0]) is None:
            raise RefereeError("program", f"there is no program {shown(command[0])}")
        leash, held = socket.socketpair()
        limits = (str(held.fileno()), str(megabytes << 20), str(seconds))
        shut_in = sandbox()
        if shut_in and hidden is not None:
            shut_in += hiding(hidden)
        guarded = [sys.executable, "-I", str(_GUARD), *limits, *shut_in, *command]
        with leash:
            with held:
                try:
                    process = subprocess.Popen(
                        guarded,
                        stdin=subprocess.PIPE,
                        stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE,
                        start_new_session=True,
                        pass_fds=[held.fileno()],
                        env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
                        bufsize=0,
                    )
                except (OSError, ValueError) as error:
                    raise RefereeError("program", f"{shown(' '.join(command))} cannot be started: {error}") from None
            program = int(leash.recv(20) or 0)
            try:
                yield cls(process, leash, options, seconds, megabytes)
            finally:
                leash.close()  # then the guard ends it with all its processes
                with suppress(subprocess.TimeoutExpired):
                    process.wait(_PARTING)
                with suppress(OSError):
                    if program:
                        os.killpg(program, signal.SIGKILL)
                process.kill()
                with process:  # closes its pipes without reading, because others may hold them too
                    pass

    def choose(self, position: Position, side: str, history: Sequence[Moves] = ()) -> Move:
        """The program's move; RefereeError `program` if it is late, has ended, or writes no legal move."""
        return self.ponder(position, side, history).move

    def ponder(self, position: Position, side: str, history: Sequence[Moves] = ()) -> Opinion:
        """The program's move after the plies so far, with its opinion of it; it raises as `choose`."""
        if self._process.poll() is not None:
            raise self._ended()
        request = program_request(position, side, self._options, history, self._seconds)
        with suppress(OSError):  # it has ended: reading says how
            self._leash.sendall(b".")
        answer = self._asked(json.dumps(request).encode() + b"\n")
        try:
            said = json.loads(answer)
            text, value, line = said["move"], said.get("value"), said.get("line", [])
            if not isinstance(text, str) or not isinstance(line, list):
                raise TypeError
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            written = cut(answer.decode("utf-8", "replace"), 100)
            raise RefereeError("program", f'the program said {shown(written)}, and not {{"move": "…"}}') from None
        try:
            move = position.parse(side, text)
        except RefereeError as error:
            message = f"the program's move {shown(cut(text, 100))} is refused: {error.message}"
            raise RefereeError("program", message) from None
        return Opinion(move, _value(value), _line(position, side, move, line))

    def _asked(self, line: bytes) -> bytes:
        """The program's answering line, within its time, which includes the time that it takes to read."""
        end, unsaid = time.monotonic() + self._seconds, line
        with selectors.DefaultSelector() as selector:
            selector.register(self._output, selectors.EVENT_READ)
            selector.register(self._input, selectors.EVENT_WRITE)
            selector.register(self._leash, selectors.EVENT_READ)
            selector.register(self._errors, selectors.EVENT_READ)
            while unsaid or b"\n" not in self._rest:
                ready = [key.fd for key, _ in selector.select(end - time.monotonic())]
                if not ready or time.monotonic() > end:
                    raise RefereeError("program", f"the program has not moved within {self._seconds:g} seconds")
                if self._errors in ready and not self._hear():
                    selector.unregister(self._errors)
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

    def _hear(self) -> bool:
        """Read the error output, of which only the end is kept; False once it is closed."""
        said = b""
        with suppress(BlockingIOError):
            said = os.read(self._errors, 1 << 16)
            self._last_words = (self._last_words + said)[-_LAST_WORDS:]
        return bool(said)

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
        with suppress(OSError):
            if limit := self._leash.recv(100).decode():
                return RefereeError("program", f"the program has taken more than {limit}")
        self._hear()
        words = self._last_words.decode("utf-8", "replace").split("\n")
        last = next((f": {cut(line.strip(), 100)}" for line in reversed(words) if line.strip()), "")
        return RefereeError("program", f"the program has ended, with the status {status}{last}")


class Opinion(NamedTuple):
    """A program's move, its value for the side in hundredths of a point (None if unknown), and the expected line."""

    move: Move
    value: int | None
    line: tuple[Move, ...]

    def prospect(self) -> Prospect:
        """The move with its value; RefereeError `program` if the program gave none."""
        if self.value is None:
            raise RefereeError("program", f"the program gave no value with its move {self.move}")
        return Prospect(self.move, self.value, self.line, 0)


def _value(said: Any) -> int | None:  # noqa: ANN401 - data of any kind
    """A value in hundredths of a point; RefereeError `program` if it is none."""
    if said is None:
        return None
    if said in ("won", "lost"):
        return SURE if said == "won" else -SURE
    if not isinstance(said, int | float) or isinstance(said, bool) or not abs(said) < SURE / 100:
        message = f"the program's value is {shown(cut(str(said), 100))}, and not a number of points, won or lost"
        raise RefereeError("program", message)
    return round(100 * said)


def _line(position: Position, side: str, move: Move, texts: Sequence[object]) -> tuple[Move, ...]:
    """The move and the legal ones that a program expects to follow it, as long as one side moves at a time."""
    moves = [move]
    texts = () if game_named(position.game).secret else texts  # what is legal may depend on the secret
    with suppress(RefereeError, ValueError):
        for text in texts[1:]:
            position = position.play({side: moves[-1]})
            (side,) = position.to_move
            moves.append(position.parse(side, str(text)))
    return tuple(moves)


def program_request(
    position: Position,
    side: str,
    options: Mapping[str, object],
    history: Sequence[Moves] = (),
    seconds: float = SECONDS,
) -> dict[str, Any]:
    """The request to a program: the game so far, whose move it is, the public position, and the legal moves.

    In a game with secrets, the options and the position as text are left out, because they have them.
    """
    game = game_named(position.game)
    return {
        "referee": PROTOCOL,
        "game": position.game,
        "options": {} if game.secret else game.completed(options),
        "side": side,
        "to_move": sorted(position.to_move),
        "position": position.facts(),
        "text": None if game.secret else str(position),
        "history": [{one: str(move) for one, move in moves.items()} for moves in history],
        "seconds": seconds,
        "legal": [str(move) for move in position.legal_moves(side)],
    }
