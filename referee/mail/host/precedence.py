"""Precedence of letters on their way in: while they come in quick succession, those already stored wait.

A mail server with a lot to hand over is rid of it sooner that way, and everything is judged in the same time: one
process does one thing after another.
"""

from __future__ import annotations

import time

CLOSE = 0.02
"""Letters with fewer seconds than this between them come in quick succession."""

LONGEST_PRECEDENCE = 0.25
"""Maximum seconds that judging waits: even if letters never cease to come, some are judged."""

_LOOK = 0.005


class Precedence:
    """When the last two letters came; threads that judge wait by it."""

    def __init__(self) -> None:
        """No letter has come so far."""
        self._before = self._last = float("-inf")

    def arrived(self) -> None:
        """Note that a letter has come now."""
        self._before, self._last = self._last, time.monotonic()

    def give_way(self) -> None:
        """Wait while letters come in quick succession."""
        longest = time.monotonic() + LONGEST_PRECEDENCE
        while self._last - self._before < CLOSE and self._last + CLOSE > time.monotonic() < longest:
            time.sleep(_LOOK)
