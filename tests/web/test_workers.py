"""Workers answer tasks, and a task that takes too long or too much is stopped for good."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import pytest

from referee.errors import IllegalMove, RefereeError
from tests.support.api import client
from tests.support.processes import is_running
from tests.support.rows import each
from tests.support.servers import eventually
from tests.web.costly_tasks import Asleep, Crash, Endless, Greedy, Mistake, Refused, Who

if TYPE_CHECKING:
    from referee.web.api import Workers

pytestmark = pytest.mark.slow

SECONDS = 1.0


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    from referee.web.api import Workers

    with closing(Workers(2, SECONDS)) as made:
        yield made.start()


def do(workers: Workers, task: object, client: str = "192.0.2.1") -> bytes:
    return workers.do(cast(Any, task), client)


def code(workers: Workers, task: object, client: str = "192.0.2.1") -> str:
    with pytest.raises(RefereeError) as caught:
        do(workers, task, client)
    return caught.value.code


def is_gone(process: int) -> bool:
    return not is_running(process)


@each([Endless(), Asleep(60), Greedy(), Crash()])
def test_tasks_that_take_too_long_or_too_much_are_stopped(task: object, workers: Workers) -> None:
    begin = time.monotonic()
    assert code(workers, task) == "too-costly"
    assert time.monotonic() - begin < SECONDS + 2
    assert all(is_running(int(do(workers, Who()))) for _ in range(3))


def test_the_process_that_was_stopped_is_gone(workers: Workers) -> None:
    with ThreadPoolExecutor(2) as threads:
        before = {int(do(workers, Who())) for _ in range(1)}
        endless = threads.submit(code, workers, Endless())
        assert endless.result() == "too-costly"
    after = {int(do(workers, Who())) for _ in range(4)}
    assert all(not is_running(process) for process in before - after)


def test_others_are_answered_meanwhile(workers: Workers) -> None:
    with ThreadPoolExecutor(4) as threads:
        endless = threads.submit(code, workers, Endless())
        time.sleep(0.1)
        begin = time.monotonic()
        assert [do(workers, Asleep(0), "198.51.100.7") for _ in range(5)] == [b"awake"] * 5
        assert time.monotonic() - begin < SECONDS
        assert endless.result() == "too-costly"


def test_no_task_waits_endlessly(workers: Workers) -> None:
    with ThreadPoolExecutor(8) as threads:
        found = [threads.submit(code, workers, Endless()) for _ in range(8)]
        codes = [one.result() for one in found]
    assert set(codes) == {"too-costly", "busy"}


def test_costly_requests_of_one_client_keep_no_other_waiting(workers: Workers) -> None:
    with ThreadPoolExecutor(16) as threads:
        costly = [threads.submit(code, workers, Endless()) for _ in range(16)]
        for _ in range(5):
            begin = time.monotonic()
            assert do(workers, Asleep(0), "198.51.100.7") == b"awake"
            assert time.monotonic() - begin < SECONDS
        assert {one.result() for one in costly} == {"too-costly", "busy"}


@pytest.mark.parametrize("task", [Endless(), Asleep(60), Greedy(), Crash()], ids=lambda task: type(task).__name__)
@pytest.mark.parametrize("waiting", [0.0, 0.2, 1.2])
def test_they_end_at_once_in_any_state(task: object, waiting: float) -> None:
    from referee.web.api import Workers

    made = Workers(1, SECONDS).start()
    with ThreadPoolExecutor(4) as threads:
        asked = [threads.submit(code, made, task, f"192.0.2.{number}") for number in range(4)]
        time.sleep(waiting)
        begin = time.monotonic()
        made.close()
        assert {one.result() for one in asked} <= {"too-costly", "busy"}
        assert time.monotonic() - begin < SECONDS
    assert code(made, Who()) == "busy"


def test_a_worker_that_was_lost_is_replaced(workers: Workers) -> None:
    for _ in range(3):
        process = int(do(workers, Who()))
        os.kill(process, signal.SIGKILL)
        eventually(partial(is_gone, process))
        assert int(do(workers, Who())) != process


def test_a_refusal_comes_back_whole(workers: Workers) -> None:
    with pytest.raises(IllegalMove) as caught:
        do(workers, Refused())
    assert (caught.value.code, caught.value.suggestions) == ("occupied", ("P a1-b2",))


def test_a_mistake_of_ours_says_nothing(workers: Workers) -> None:
    with pytest.raises(RefereeError) as caught:
        do(workers, Mistake())
    assert caught.value.code == "internal"
    assert "secret" not in str(caught.value)


def test_the_processes_end_with_their_parent() -> None:
    from referee.web.api import Workers

    with closing(Workers(2, SECONDS)) as made:
        process = int(do(made.start(), Who()))
        assert is_running(process)
    assert not is_running(process)


def test_a_request_that_costs_too_much_gets_an_error(workers: Workers) -> None:
    listed = b"\n".join(b"%d. R B3 L | R B3 R" % number for number in range(1, 40_000))
    asked = client(workers=workers)
    answer = asked.post("/api/v1/report?game=beams", content=b"1. P M1 B3 12 | P M1 B3 12\n" + listed)
    assert answer.status_code in (413, 422), answer.text[:300]
    assert asked.get("/api/v1/legal?game=boundary").status_code == 200
