"""What strangers may ask: how much, how often and how many at once, counted before anything is read."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.api import Inline, client, served

if TYPE_CHECKING:
    from referee.web.api.tasks import Task

LEGAL = "/api/v1/legal?game=boundary&prefix=P+a1"


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


def test_one_address_cannot_take_all_places() -> None:
    from referee.web.api import RequestLimits

    going_on, enough = threading.Event(), threading.Event()

    class Waiting(Inline):
        def do(self, task: Task, client: str) -> bytes:
            going_on.set()
            assert enough.wait(30)
            return super().do(task, client)

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
