"""Where shards are worked on: in this process, in several, or on a cluster (`cluster`); results come in order."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 3
"""So many items a worker are given out before their results are asked for."""


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def one_process(function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[tuple[Item, Result]]:
    """Each item with its result, worked out here."""
    for item in items:
        yield item, function(item)


def processes(function: Callable[[Item], Result], items: Iterable[Item], jobs: int) -> Iterator[tuple[Item, Result]]:
    """Each item with its result, worked out by so many processes; by this one if there is only one item.

    Only a few items are held at a time. A process that dies loses nothing: what it had is worked on again.

    Raises:
        RefereeError: `worker-lost`, if that happens again and again over the same item.
    """
    waiting = iter(items)
    begun = list(islice(waiting, 2))
    if jobs == 1 or len(begun) < 2:
        yield from one_process(function, chain(begun, waiting))
        return
    from referee.archive.pool import in_a_pool

    yield from in_a_pool(function, chain(begun, waiting), jobs)
