"""Shards on a Dask cluster: the same work as in one process, through the same function."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from itertools import count, islice
from typing import Any

from referee.archives.executors import AHEAD, ItemT, ResultT
from referee.children import shielded
from referee.errors import RefereeError
from referee.extras import extra

CONNECTION_TIME = "30s"
"""Maximum time to connect to a scheduler."""

_RETRIES = 3
_HOME = "127.0.0.1"
_PAGES = ("distributed.scheduler.http.routes", "distributed.worker.http.routes")
"""Settings of Dask: the public pages of its processes."""

_PROFILE = "distributed.worker.profile.enabled"
"""A setting of Dask: profiling of workers, which takes a tenth of their time."""

_RECOUNT = 50
"""Results after which the workers are counted again."""


def on_dask(
    function: Callable[[ItemT], ResultT], items: Iterable[ItemT], scheduler: str | None, jobs: int
) -> Iterator[tuple[ItemT, ResultT]]:
    """Each item with its result, in order, from the workers of a Dask scheduler.

    If a worker dies, Dask gives its work to another. Workers that join later get work too. The workers must be able
    to import the function: they need this package, in this version. Without the address of a scheduler, such as
    "tls://10.0.0.1:8786", with its certificates in Dask's own settings, a private cluster of `jobs` workers starts.

    Raises:
        RefereeError: `missing-extra`, `no-scheduler`, or `worker-lost` if workers die again and again.
    """
    distributed = extra("distributed", "cluster")
    with ExitStack() as stack:
        try:
            security = None
            if scheduler is None:
                extra("cryptography", "cluster")
                security = distributed.Security.temporary()  # keys in memory only keep the cluster private
                where = stack.enter_context(_local_cluster(distributed, jobs, security))
            else:
                where = scheduler
            client = stack.enter_context(distributed.Client(where, timeout=CONNECTION_TIME, security=security))
        except (OSError, ValueError, TypeError) as error:
            raise RefereeError("no-scheduler", f"the scheduler cannot be reached: {error}") from None
        try:
            yield from _in_order(client, function, iter(items))
        except distributed.KilledWorker:
            message = "the workers died again and again; do they have enough memory?"
            raise RefereeError("worker-lost", message) from None
        except (distributed.comm.CommClosedError, CancelledError):
            raise RefereeError("no-scheduler", "the scheduler has gone away") from None


@contextmanager
def _local_cluster(distributed: Any, jobs: int, security: Any) -> Iterator[Any]:  # noqa: ANN401 - Dask is an extra
    """A cluster of this machine alone, without pages and so without a profile."""
    dask = extra("dask", "cluster")
    with dask.config.set({_PROFILE: False, **{page: [] for page in _PAGES}}):
        with shielded():
            cluster = distributed.LocalCluster(
                n_workers=jobs,
                threads_per_worker=1,
                host=_HOME,
                security=security,
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
            )
        with cluster:
            yield cluster


def _in_order(
    client: Any,  # noqa: ANN401 - Dask is an extra
    function: Callable[[ItemT], ResultT],
    items: Iterator[ItemT],
) -> Iterator[tuple[ItemT, ResultT]]:
    given: deque[tuple[ItemT, Any]] = deque()
    for number in count():
        if number % _RECOUNT == 0:
            ahead = AHEAD * max(1, sum(client.nthreads().values()))
        for item in islice(items, max(0, ahead - len(given))):
            given.append((item, client.submit(function, item, pure=False, retries=_RETRIES)))
        if not given:
            return
        item, future = given.popleft()
        yield item, future.result()
