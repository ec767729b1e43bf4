"""Tasks for workers that no request can cause."""

from __future__ import annotations

import os
import re
import time
from dataclasses import dataclass

from referee.errors import IllegalMove


@dataclass(frozen=True)
class Endless:
    """Work in C that never ends, and lets no other thread run."""

    def __call__(self) -> bytes:
        return repr(re.fullmatch("(a+)+b", "a" * 60)).encode()


@dataclass(frozen=True)
class Asleep:
    """Work for a number of seconds."""

    seconds: float

    def __call__(self) -> bytes:
        time.sleep(self.seconds)
        return b"awake"


@dataclass(frozen=True)
class Greedy:
    """More memory than there is."""

    def __call__(self) -> bytes:
        return bytes(1 << 34)


@dataclass(frozen=True)
class Crash:
    """The end of the process."""

    def __call__(self) -> bytes:
        os._exit(3)


@dataclass(frozen=True)
class Mistake:
    """A mistake of ours."""

    def __call__(self) -> bytes:
        raise ZeroDivisionError("secret")


@dataclass(frozen=True)
class Refused:
    """A refusal with suggestions."""

    def __call__(self) -> bytes:
        raise IllegalMove("occupied", "a piece stands there", suggestions=("P a1-b2",))


@dataclass(frozen=True)
class Who:
    """The id of the process."""

    def __call__(self) -> bytes:
        return str(os.getpid()).encode()
