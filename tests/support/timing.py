"""Processor time of the work alone: within a number of seconds, or in proportion to the length of a text."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

MORE = 4
"""Ratio of the lengths of the two texts: large enough that a step in a straight line is not taken for a curve."""
MOST = 8
"""Maximum ratio of the costs of the two texts: half-way between a straight line, 4, and a square, 16."""
NOTHING = 0.03
"""Seconds that are too short to be compared."""
TRIES = 10
USUAL = 0.04
"""Seconds in which a usual machine counts to a million."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """A block that costs less than so many seconds of processor time on a usual machine, and more on a slower one.

    Objects of earlier tests are kept out of it: Python would look for garbage among them.
    """
    gc.freeze()
    begun = time.process_time()
    try:
        yield
        taken = time.process_time() - begun
    finally:
        gc.unfreeze()
    assert taken < seconds or taken * USUAL / counting() < seconds, f"{taken:.2f} s"


def counting() -> float:
    """Seconds in which this machine counts to a million just now."""
    begun = time.process_time()
    number = 0
    while number < 1_000_000:
        number += 1
    return time.process_time() - begun


def cost(work: Callable[[str], object], text: str) -> float:
    """Seconds of processor time that it takes, without what Python spends now and then on collecting garbage."""
    gc.disable()
    try:
        start = time.process_time()
        work(text)
        return time.process_time() - start
    finally:
        gc.enable()


def excess(work: Callable[[str], object], shorter: str, longer: str) -> str:
    """The costs of two texts, if the longer one costs too much; nothing if not.

    Doubtful results are measured again, both texts in turn, and the best time of each counts.
    """
    one = two = float("inf")
    for _ in range(TRIES):
        two = min(two, cost(work, longer))
        if two <= NOTHING:
            return ""
        one = min(one, cost(work, shorter))
        if two <= MOST * one:
            return ""
    return f"{len(shorter):,} characters: {one:.3f} s; {len(longer):,}: {two:.3f} s"
