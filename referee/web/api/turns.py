"""Workers shared fairly among clients, who take turns; one client cannot have all workers."""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Iterable
from threading import Condition
from typing import Generic, TypeVar

from referee.errors import RefereeError

WorkerT = TypeVar("WorkerT")


def busy() -> RefereeError:
    """The error of a request without a free place or worker."""
    return RefereeError("busy", "too many requests wait for an answer: try again soon")


class Turns(Generic[WorkerT]):
    """Workers that are lent to clients, one after another; any thread may ask."""

    def __init__(self, workers: Iterable[WorkerT]) -> None:
        """Share these workers; if there are several, one is always left for other clients."""
        self._free = list(workers)
        self._number = len(self._free)
        self._share = max(1, self._number - 1)
        self._busy: Counter[str] = Counter()
        self._waiting: OrderedDict[str, deque[object]] = OrderedDict()
        """Waiting requests by client: the client that was served last is the last one."""
        self._changed = Condition()
        self._ended = False

    @property
    def waiting(self) -> int:
        """Number of requests that wait."""
        with self._changed:
            return sum(map(len, self._waiting.values()))

    def take(self, client: str, seconds: float) -> WorkerT:
        """A worker for a client, once it is its turn; RefereeError `busy` if that takes too long, or at the end."""
        request = object()
        with self._changed:
            self._waiting.setdefault(client, deque()).append(request)
            self._changed.wait_for(lambda: self._ended or self._next() == (client, request), seconds)
            is_next = not self._ended and self._next() == (client, request)
            self._waiting[client].remove(request)
            if not self._waiting[client]:
                del self._waiting[client]
            if not is_next:
                self._changed.notify_all()
                raise busy()
            if client in self._waiting:
                self._waiting.move_to_end(client)
            self._busy[client] += 1
            worker = self._free.pop()
            self._changed.notify_all()
            return worker

    def give(self, client: str, worker: WorkerT) -> None:
        """Return a worker."""
        with self._changed:
            self._busy -= Counter((client,))  # forgets clients without workers
            self._free.append(worker)
            self._changed.notify_all()

    def end(self) -> None:
        """Stop lending workers."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def wait(self, seconds: float) -> bool:
        """Wait until all workers are back; False if that takes too long."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self._free) == self._number, seconds)

    def _next(self) -> tuple[str, object] | None:
        """The client and the request with the next turn, if a worker is free for it."""
        if not self._free:
            return None
        able = (client for client in self._waiting if self._busy[client] < self._share)
        return next(((client, self._waiting[client][0]) for client in able), None)
