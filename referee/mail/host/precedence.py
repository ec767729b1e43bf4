"""Precedence of letters on their way in: while they come in quick succession, those already stored wait.

A mail server with many letters finishes sooner that way, and all are judged in the same time: one process does one
thing after another.
"""

from __future__ import annotations

import time

CLOSE = 0.02
"""Maximum seconds between letters in quick succession."""

LONGEST_PRECEDENCE = 0.25
"""Maximum seconds that judging waits, so that some letters are judged even if they never stop coming."""

_LOOK = 0.005


class Precedence:
    """The times of the last two letters, for which threads that judge wait."""

    def __init__(self) -> None:
        self._before = self._last = float("-inf")

    def arrived(self) -> None:
        """Note that a letter has come now."""
        self._before, self._last = self._last, time.monotonic()

    def give_way(self) -> None:
        """Wait while letters come in quick succession."""
        longest = time.monotonic() + LONGEST_PRECEDENCE
        while self._last - self._before < CLOSE and self._last + CLOSE > time.monotonic() < longest:
            time.sleep(_LOOK)
