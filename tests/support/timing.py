"""Processor time, measured so that nothing but the work counts, and what four times as much of it may cost."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

MORE = 4
"""How many times longer the longer text is: so much that a step in a straight line is not taken for a curve."""
MOST = 8
"""How many times more the longer text may cost: half-way between a straight line, 4, and a square, 16."""
NOTHING = 0.03
"""Seconds that are too short to be compared."""
TRIES = 10


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
    """What two texts cost, if the longer one costs more than it may; nothing if not.

    What is in doubt is measured again, both texts in turn, and the best time of each counts.
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
