"""Clients take turns at the workers, and one client cannot have all of them."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import RefereeError
from referee.web.api.turns import Turns
from tests.support.examples import examples
from tests.support.servers import eventually

LONG = 30.0


def code_of(asked: Future[str]) -> str:
    with pytest.raises(RefereeError) as caught:
        asked.result(LONG)
    return caught.value.code


def test_a_client_who_asks_once_waits_for_one_request_alone() -> None:
    turns, served = Turns(["worker"]), list[str]()

    def work(client: str) -> None:
        worker = turns.take(client, LONG)
        served.append(client)
        turns.give(client, worker)

    worker = turns.take("greedy", LONG)
    with ThreadPoolExecutor(20) as threads:
        asked = [threads.submit(work, "greedy") for _ in range(15)]
        eventually(lambda: turns.waiting == 15)
        asked.append(threads.submit(work, "modest"))
        eventually(lambda: turns.waiting == 16)
        turns.give("greedy", worker)
        for one in asked:
            one.result(LONG)
    assert served.index("modest") <= 1


@pytest.mark.parametrize("number", [2, 3, 8])
def test_one_worker_is_left_for_other_clients(number: int) -> None:
    turns = Turns(range(number))
    for _ in range(number - 1):
        turns.take("greedy", LONG)
    with pytest.raises(RefereeError, match="busy"):
        turns.take("greedy", 0.01)
    assert turns.take("modest", 0) in range(number)


def test_one_worker_serves_all_clients() -> None:
    turns = Turns(["worker"])
    for client in ("greedy", "modest", "greedy"):
        turns.give(client, turns.take(client, 0))


def test_a_client_that_waits_too_long_gets_an_error_and_keeps_no_other_waiting() -> None:
    turns = Turns(["worker"])
    worker = turns.take("first", 0)
    with ThreadPoolExecutor(1) as threads:
        assert code_of(threads.submit(turns.take, "second", 0.01)) == "busy"
    turns.give("first", worker)
    assert turns.take("third", 0) == "worker"


def test_the_end_is_reported_to_all_waiting_clients() -> None:
    turns = Turns(["worker"])
    worker = turns.take("first", 0)
    with ThreadPoolExecutor(3) as threads:
        asked = [threads.submit(turns.take, f"{number}", LONG) for number in range(3)]
        eventually(lambda: turns.waiting == 3)
        turns.end()
        assert [code_of(one) for one in asked] == ["busy"] * 3
    assert not turns.wait(0.01)
    turns.give("first", worker)
    assert turns.wait(0)
    with pytest.raises(RefereeError):
        turns.take("late", 0)


@given(st.integers(1, 4), st.lists(st.sampled_from(["a", "b", "c"]), max_size=40))
@examples(0.2)
def test_every_request_is_served_in_any_order(number: int, clients: list[str]) -> None:
    turns = Turns(range(number))

    def work(client: str) -> int:
        worker = turns.take(client, LONG)
        turns.give(client, worker)
        return worker

    with ThreadPoolExecutor(8) as threads:
        assert all(worker in range(number) for worker in threads.map(work, clients))
    assert (turns.wait(0), turns.waiting) == (True, 0)
