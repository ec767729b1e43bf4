"""Group commit: items that come together are stored together, and one's fault does not harm the others."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

from referee.desk.errors import StoreError
from referee.desk.store.store import Store
from referee.desk.store.tables.group_commit import GroupCommit

AT = datetime(2027, 3, 1, tzinfo=UTC)


class Shelf:
    """Stores numbers: the first time it waits until it is let go."""

    def __init__(self, refused: type[Exception] | None = None) -> None:
        self.batches: list[list[int]] = []
        self.entered, self.let_go = Event(), Event()
        self._refused = refused

    def store(self, items: Sequence[int]) -> list[int]:
        self.entered.set()
        self.let_go.wait(10)
        self.batches.append(list(items))
        if self._refused is not None and 3 in items:
            raise self._refused("store", "three") if self._refused is StoreError else self._refused("three")
        return [item * item for item in items]


def brought_together(shelf: Shelf, pool: ThreadPoolExecutor) -> list[object]:
    """The results for 1 to 5, where 2 to 5 come while 1 is being stored; a fault takes the place of a result."""
    together = GroupCommit(shelf.store)
    wishes = [pool.submit(together, 1)]
    assert shelf.entered.wait(10)
    wishes += [pool.submit(together, number) for number in (2, 3, 4, 5)]
    while len(together._waiting) < 4:
        assert not wishes[0].done()
    shelf.let_go.set()
    return [wish.exception(10) or wish.result() for wish in wishes]


def test_items_that_come_meanwhile_are_stored_in_one_transaction() -> None:
    shelf = Shelf()
    with ThreadPoolExecutor(5) as pool:
        assert brought_together(shelf, pool) == [1, 4, 9, 16, 25]
    assert [sorted(batch) for batch in shelf.batches] == [[1], [2, 3, 4, 5]]


def test_only_the_item_that_is_to_blame_is_refused() -> None:
    shelf = Shelf(ValueError)
    with ThreadPoolExecutor(5) as pool:
        first, second, third, *others = brought_together(shelf, pool)
    assert [first, second, *others] == [1, 4, 16, 25]
    assert isinstance(third, ValueError)


def test_a_store_that_fails_is_not_tried_again_for_each() -> None:
    shelf = Shelf(StoreError)
    with ThreadPoolExecutor(5) as pool:
        first, *others = brought_together(shelf, pool)
    assert first == 1
    assert all(isinstance(one, StoreError) for one in others)
    assert len(shelf.batches) == 2


def test_each_comes_to_the_store_alone_when_nothing_else_waits() -> None:
    shelf = Shelf()
    shelf.let_go.set()
    together = GroupCommit(shelf.store)
    assert [together(number) for number in (1, 2)] == [1, 4]
    assert shelf.batches == [[1], [2]]


def test_letters_that_come_at_once_are_all_stored_and_known_as_new_once(tmp_path: Path) -> None:
    with Store.create(tmp_path / "desk.sqlite") as store, ThreadPoolExecutor(8) as pool:
        letters = [b"letter %d" % (number % 40) for number in range(80)]
        found = list(pool.map(lambda raw: store.inbox.receive(raw, AT), letters))
        assert sum(new for _, new in found) == 40
        assert {letter.raw for letter in store.inbox.waiting(AT)} == set(letters)
