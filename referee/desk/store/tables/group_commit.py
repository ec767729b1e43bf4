"""Group commit: what several threads want to store at the same time is stored in one transaction.

While a transaction is under way, others come and wait; the first of them then stores what all of them have brought.
So a busy store makes few large transactions, and an idle one stores each thing at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

from referee.desk.errors import StoreError

Item = TypeVar("Item")
Result = TypeVar("Result")


class GroupCommit(Generic[Item, Result]):
    """A way to store items one by one, which stores those that come at the same time together."""

    def __init__(self, store: Callable[[Sequence[Item]], Sequence[Result]]) -> None:
        """`store` stores items in one transaction, and gives a result for each of them."""
        self._store = store
        self._waiting: list[tuple[Item, Future[Result]]] = []
        self._bringing, self._storing = Lock(), Lock()

    def __call__(self, item: Item) -> Result:
        """Store an item, and return its result once it is stored; whatever `store` raises for it is raised."""
        stored: Future[Result] = Future()
        with self._bringing:
            self._waiting.append((item, stored))
        with self._storing:
            if not stored.done():
                with self._bringing:
                    together, self._waiting = self._waiting, []
                self._settle(together)
        return stored.result()

    def _settle(self, together: Sequence[tuple[Item, Future[Result]]]) -> None:
        try:
            results = self._store([item for item, _ in together])
        except Exception as error:
            if isinstance(error, StoreError) or len(together) == 1:
                _refuse(together, error)
            else:  # one of them is to blame, and must not cost the others their place
                for one in together:
                    self._settle([one])
        except BaseException as error:
            _refuse(together, error)
            raise
        else:
            for (_, stored), result in zip(together, results, strict=True):
                stored.set_result(result)


def _refuse(together: Sequence[tuple[Item, Future[Result]]], error: BaseException) -> None:
    for _, stored in together:
        stored.set_exception(error)
