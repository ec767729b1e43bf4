"""Repairs: the share of planted slips that one of the first three undoes, by game and by kind, and their times."""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Iterator

from bench.figures import Figure
from referee.notes.repair.repair import repairs
from tests.support.planted import VARIANTS, draft, planted, undoes

GAMES = 4
"""Games of each variant, each with a slip of every kind in turn."""

Tries = list[tuple[bool, float]]
"""For each slip, True if it was undone, and the seconds of the search."""


def figures() -> Iterator[Figure]:
    """The share of slips that are undone, beside the median time of a search."""
    tries = tries_by_name(GAMES)
    for name, found in tries.items():
        share = sum(undone for undone, _ in found) / len(found)
        median = statistics.median(seconds for _, seconds in found)
        yield Figure(f"repair, {name}", f"{len(found)} slips", f"{median * 1000:.0f} ms each", share, ">= 0.9")


def tries_by_name(games: int) -> dict[str, Tries]:
    """The tries for the slips in some games of each variant: by game, by kind, and of all."""
    tries: dict[str, Tries] = defaultdict(list)
    for variant, (game, *_) in enumerate(VARIANTS):
        for number in range(1, games + 1):
            for one in planted(variant, number):
                begin, lines = time.process_time(), draft(one.text)
                undone = any(undoes(repair, one) for repair in repairs(lines))
                for name in (game, f"slip: {one.kind}", "all"):
                    tries[name].append((undone, time.process_time() - begin))
    return dict(sorted(tries.items()))
