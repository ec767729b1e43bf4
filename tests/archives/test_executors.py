"""Work shared between processes: each result once, in order, and no process is missed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.archives.executors import AHEAD
from referee.archives.executors.executors import cores, one_process, processes
from referee.errors import RefereeError
from tests.archives.tasks import doubled, dying, dying_once, refused


@pytest.mark.parametrize("jobs", [1, 2, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("items", [0, 1, 2, 40])
def test_results_come_in_order(jobs: int, items: int) -> None:
    assert list(processes(doubled, range(items), jobs)) == list(one_process(doubled, range(items)))


def test_only_a_few_items_are_taken_ahead() -> None:
    taken = 0

    def endless() -> Iterator[int]:
        nonlocal taken
        while True:
            taken += 1
            yield taken

    for number, (item, result) in enumerate(processes(doubled, endless(), 2), 1):
        assert (item, result) == (number, 2 * number)
        assert taken <= number + 2 * AHEAD
        if number == 50:
            break


def test_our_own_faults_are_not_hidden() -> None:
    with pytest.raises(ValueError, match="seven"):
        list(processes(refused, range(20), 2))


def test_a_process_that_dies_loses_nothing(tmp_path: Path) -> None:
    tasks = [(str(tmp_path), number) for number in range(20)]
    assert [result for _, result in processes(dying_once, tasks, 2)] == list(range(20))
    assert (tmp_path / "died").exists()


@pytest.mark.slow
def test_work_that_kills_every_process_is_given_up() -> None:
    with pytest.raises(RefereeError, match="worker-lost"):
        list(processes(dying, range(3), 2))


def test_there_is_a_core() -> None:
    assert cores() >= 1
