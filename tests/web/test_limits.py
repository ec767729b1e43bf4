"""What strangers may ask: how much, how often and how many at once, counted before anything is read."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.api import Inline, client, served
from tests.support.examples import examples
from tests.support.rows import each

if TYPE_CHECKING:
    from referee.web.api.tasks import Task

LEGAL = "/api/v1/legal?game=boundary&prefix=P+a1"


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.at = 100.0

    def __call__(self) -> float:
        return self.at


def test_a_body_that_says_it_is_too_large_is_not_read() -> None:
    from referee.web.api import RequestLimits

    asking = client(RequestLimits(size=100))
    assert asking.post("/api/v1/check?game=boundary", content=b" " * 100).status_code == 200
    answer = asking.post("/api/v1/check?game=boundary", content=b" " * 101)
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")


def test_a_body_is_counted_while_it_comes() -> None:
    from referee.web.api import RequestLimits

    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        while sent < 1000:
            sent += 1
            yield b" " * 100

    answer = client(RequestLimits(size=1000)).post("/api/v1/check", content=endless())
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")


def test_an_address_asks_so_many_times_a_minute() -> None:
    from referee.web.api import RequestLimits

    asking = client(RequestLimits(rate=3))
    assert [asking.get(LEGAL).status_code for _ in range(4)] == [200, 200, 200, 429]
    refused = asking.get(LEGAL)
    assert refused.json()["code"] == "too-often"
    assert 1 <= int(refused.headers["retry-after"]) <= 20


@given(st.integers(1, 50), st.lists(st.floats(0, 30), min_size=1, max_size=40))
@examples(1)
def test_in_no_minute_are_there_more_than_twice_the_rate(rate: int, pauses: list[float]) -> None:
    """A minute's requests may come at once, and the next ones evenly after them."""
    from referee.web.api.limits import Rates

    clock = Clock()
    rates, passed = Rates(rate, clock), []
    for pause in pauses:
        clock.at += pause
        wait = rates.wait("a")
        assert 0 <= wait <= 60
        if not wait:
            passed.append(clock.at)
        else:
            clock.at += wait
            assert rates.wait("a") < 1e-6
            passed.append(clock.at)
    for begin in passed:
        assert sum(begin <= at < begin + 60 for at in passed) <= 2 * rate + 1


def test_addresses_do_not_count_for_each_other() -> None:
    from referee.web.api.limits import Rates

    rates = Rates(1, Clock())
    assert [rates.wait(one) > 0 for one in ("a", "b", "a", "b", "c")] == [False, False, True, True, False]


def test_no_rate_is_no_limit() -> None:
    from referee.web.api.limits import Rates

    rates = Rates(0, Clock())
    assert not any(rates.wait("a") for _ in range(10_000))


def test_memory_of_addresses_is_bounded() -> None:
    from referee.web.api import limits

    rates = limits.Rates(1, Clock())
    for number in range(limits._REMEMBERED + 100):
        rates.wait(str(number))
    assert len(rates._due) == limits._REMEMBERED


@each(
    [
        (("192.0.2.7", 1), "192.0.2.7"),
        (("2001:db8:1:2:3:4:5:6", 1), "2001:db8:1:2::/64"),
        (("::ffff:192.0.2.7", 1), "192.0.2.7"),
        (("testclient", 1), "testclient"),
        (None, ""),
    ]
)
def test_whom_a_request_is_counted_for(row: tuple[tuple[str, int] | None, str]) -> None:
    from referee.web.api.limits import network_of

    peer, expected = row
    assert network_of({"client": peer}) == expected


def test_one_address_cannot_take_all_places() -> None:
    from referee.web.api import RequestLimits

    going_on, enough = threading.Event(), threading.Event()

    class Waiting(Inline):
        def do(self, task: Task) -> bytes:
            going_on.set()
            assert enough.wait(30)
            return super().do(task)

    asking = client(RequestLimits(from_one=1), workers=Waiting())
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(asking.get, LEGAL)
        assert going_on.wait(30)
        refused = asking.get(LEGAL)
        enough.set()
        assert first.result().status_code == 200
    assert (refused.status_code, refused.json()["code"], refused.headers["retry-after"]) == (503, "busy", "1")
    assert asking.get(LEGAL).status_code == 200


def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    from referee.web.api import Gate, RequestLimits

    said: list[int] = []

    async def never(*_: object) -> None:
        raise AssertionError

    async def receive() -> dict[str, object]:
        await asyncio.sleep(60)
        return {"type": "http.request", "body": b""}

    async def send(message: MutableMapping[str, Any]) -> None:
        said.extend([message["status"]] if "status" in message else [])

    scope = {"type": "http", "headers": [], "client": ("192.0.2.1", 1), "method": "POST", "path": "/"}
    asyncio.run(Gate(never, RequestLimits(arrival=0.02))(scope, receive, send))
    assert said == [408]


@pytest.mark.slow
@pytest.mark.parametrize(("options", "expected"), [((), 1), (("--proxy", "127.0.0.1"), 3)])
def test_only_a_named_proxy_is_believed(options: tuple[str, ...], expected: int) -> None:
    import httpx2

    with served("--rate", "1", *options) as address:
        statuses = [
            httpx2.get(address + LEGAL, headers={"X-Forwarded-For": f"192.0.2.{number}"}).status_code
            for number in range(3)
        ]
    assert statuses.count(200) == expected


@pytest.mark.slow
def test_a_proxy_is_not_asked_whom_else_to_believe() -> None:
    """Whatever the client has put before what the proxy adds counts for nothing."""
    import httpx2

    with served("--rate", "1", "--proxy", "127.0.0.1") as address:
        statuses = [
            httpx2.get(address + LEGAL, headers={"X-Forwarded-For": f"198.51.100.{number}, 192.0.2.1"}).status_code
            for number in range(3)
        ]
    assert statuses == [200, 429, 429]
