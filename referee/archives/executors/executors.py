"""Executors of work: this process, several processes, or a cluster (`cluster`). Results come in order."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import Protocol

from referee.archives.executors import ItemT, ResultT


class Executor(Protocol):
    """A function that works on items and yields each with its result, in order."""

    def __call__(
        self, function: Callable[[ItemT], ResultT], items: Iterable[ItemT], /
    ) -> Iterator[tuple[ItemT, ResultT]]:
        """Apply a function of a module to the items, holding only a few of them at a time."""
        ...


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def one_process(function: Callable[[ItemT], ResultT], items: Iterable[ItemT]) -> Iterator[tuple[ItemT, ResultT]]:
    """Each item with its result, from this process."""
    for item in items:
        yield item, function(item)


def processes(
    function: Callable[[ItemT], ResultT], items: Iterable[ItemT], jobs: int
) -> Iterator[tuple[ItemT, ResultT]]:
    """Each item with its result, from `jobs` processes, or from this one if there is only one item.

    The items of a process that dies are repeated; RefereeError `worker-lost` if one dies repeatedly on the same item.
    """
    waiting = iter(items)
    begun = list(islice(waiting, 2))
    if jobs == 1 or len(begun) < 2:
        yield from one_process(function, chain(begun, waiting))
        return
    from referee.archives.executors.pool import in_a_pool  # multiprocessing takes longer to load than a game to check

    yield from in_a_pool(function, chain(begun, waiting), jobs)
