"""Precedence: letters on their way in come before those that wait to be judged, but not without limit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from referee.mail.host import daemon
from referee.mail.host.daemon import CLOSE, LONGEST_PRECEDENCE, Precedence


class Clock:
    """A clock that runs only during sleep; letters come at the remaining times."""

    def __init__(self, port: Precedence, letters: Iterator[float]) -> None:
        self.now, self._port, self._letters = 0.0, port, letters
        self._next = next(letters, None)

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.pass_until(self.now + seconds)

    def pass_until(self, end: float) -> None:
        while self._next is not None and self._next <= end:
            self.now = self._next
            self._port.arrived()
            self._next = next(self._letters, None)
        self.now = end


@pytest.mark.parametrize(
    ("letters", "waits"),
    [
        ([], 0),
        ([1.0], 0),
        ([1.0 - 2 * CLOSE, 1.0], 0),
        ([0.99, 1.0], CLOSE),
        ([0.99, 1.0, 1.01, 1.02], 0.02 + CLOSE),
        ([number / 100 for number in range(1_000)], LONGEST_PRECEDENCE),
    ],
)
def test_judging_waits_while_letters_come_in_quick_succession(
    letters: list[float], waits: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = Precedence()
    clock = Clock(port, iter(letters))
    monkeypatch.setattr(daemon, "time", clock)
    clock.pass_until(1.0)
    port.give_way()
    assert clock.now - 1 == pytest.approx(waits, abs=0.0051)
