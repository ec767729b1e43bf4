"""A pool of processes on this machine; any of them may die."""

from __future__ import annotations

import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, suppress
from itertools import islice
from multiprocessing import forkserver, get_all_start_methods, get_context

from referee.archives.executors import AHEAD, ItemT, ResultT
from referee.children import end_with_parent, shielded
from referee.errors import RefereeError

_ATTEMPTS = 3
"""Maximum attempts at an item on which workers die."""


def in_a_pool(
    function: Callable[[ItemT], ResultT], items: Iterator[ItemT], jobs: int
) -> Iterator[tuple[ItemT, ResultT]]:
    """Each item with its result, in order, as `processes`."""
    held: deque[ItemT] = deque()
    attempts = 0
    while attempts < _ATTEMPTS:
        attempts += 1
        with suppress(BrokenProcessPool), closing(_of_one_pool(function, held, items, jobs)) as results:
            for result in results:
                attempts = 0
                yield held.popleft(), result
            return
    message = f"the processes that worked on this died {_ATTEMPTS} times; is there enough memory?"
    raise RefereeError("worker-lost", message)


def _of_one_pool(
    function: Callable[[ItemT], ResultT], held: deque[ItemT], items: Iterator[ItemT], jobs: int
) -> Generator[ResultT, None, None]:
    """The results of the items held, then of further ones, each held until its result is taken."""
    pool = _pool(jobs)
    try:
        futures = deque(_submit(pool, function, item) for item in held)
        while True:
            for item in islice(items, jobs * AHEAD - len(held)):
                held.append(item)  # first, because a broken pool accepts nothing
                futures.append(_submit(pool, function, item))
            if not futures:
                return
            yield futures.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def _submit(pool: ProcessPoolExecutor, function: Callable[[ItemT], ResultT], item: ItemT) -> Future[ResultT]:
    """Hand an item to a pool; BrokenProcessPool if it is broken, or breaks now while it starts a process."""
    try:
        return pool.submit(function, item)
    except OSError as error:
        raise BrokenProcessPool(str(error)) from error


def _pool(jobs: int) -> ProcessPoolExecutor:
    """A pool whose workers are forked from a process that has already loaded our modules."""
    if "forkserver" not in get_all_start_methods():
        return ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_begin_spawned)
    context = get_context("forkserver")
    context.set_forkserver_preload(
        [name for name in sys.modules if name.partition(".")[0] == __name__.partition(".")[0]]
    )
    with shielded():
        forkserver.ensure_running()
    return ProcessPoolExecutor(jobs, context, initializer=end_with_parent)


def _begin_spawned() -> None:
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
