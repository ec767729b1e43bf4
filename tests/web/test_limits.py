"""Limits on strangers: amount, rate and number of requests at once, counted before anything is read."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
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


def test_the_requests_of_an_address_in_a_minute_are_limited() -> None:
    from referee.web.api import RequestLimits

    asking = client(RequestLimits(rate=3))
    answers = [asking.get(LEGAL) for _ in range(4)]
    assert [one.status_code for one in answers] == [200, 200, 200, 429]
    assert [one.headers["ratelimit"].partition(";t=")[0] for one in answers] == [
        f'"address";r={left}' for left in (2, 1, 0, 0)
    ]
    assert {one.headers["ratelimit-policy"] for one in answers} == {'"address";q=3;w=60'}
    refused = asking.get(LEGAL)
    assert refused.json()["code"] == "too-often"
    assert 1 <= int(refused.headers["retry-after"]) <= 20


class Crowd:
    """Requests that are all in hand until the crowd leaves, and their number for each client."""

    def __init__(self, at_once: int) -> None:
        from referee.web.api import Gate, RequestLimits

        self.inside: Counter[str] = Counter()
        self._end = asyncio.Event()
        self._gate = Gate(self._work, RequestLimits(at_once=at_once))
        self._tasks: list[asyncio.Task[None]] = []

    async def ask(self, client: str) -> bool:
        """Ask for this client; True if the request is let in."""
        before = self.inside[client]
        scope = {"type": "http", "headers": [], "client": (client, 1), "method": "GET", "path": "/"}
        self._tasks.append(asyncio.create_task(self._gate(scope, self._receive, self._send)))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return self.inside[client] > before

    async def leave(self) -> None:
        self._end.set()
        await asyncio.gather(*self._tasks)

    async def _work(self, scope: MutableMapping[str, Any], *_: object) -> None:
        self.inside[scope["client"][0]] += 1
        await self._end.wait()

    async def _receive(self) -> dict[str, object]:
        return {"type": "http.request", "body": b""}

    async def _send(self, _message: object) -> None:
        pass


@pytest.mark.parametrize(("number", "least"), [(1, 16), (2, 10), (3, 8), (4, 6), (5, 5)])
def test_clients_who_ask_for_all_places_get_the_same_share_and_leave_one(number: int, least: int) -> None:
    async def shares() -> Counter[str]:
        crowd = Crowd(32)
        for _ in range(40):
            for last in range(number):
                await crowd.ask(f"192.0.2.{last}")
        inside = crowd.inside.copy()
        assert await crowd.ask("198.51.100.1")
        await crowd.leave()
        return inside

    found = asyncio.run(shares())
    assert min(found.values()) >= least
    assert max(found.values()) - min(found.values()) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("number", [2, 4, 6, 7, 40, 200])
def test_clients_who_came_first_leave_places_for_another(number: int) -> None:
    async def late() -> bool:
        crowd = Crowd(32)
        for last in range(number):
            for _ in range(40):
                await crowd.ask(f"192.0.2.{last}")
        is_in = await crowd.ask("198.51.100.1")
        await crowd.leave()
        return is_in

    assert asyncio.run(late())


def test_requests_in_hand_have_a_limit_over_all_clients() -> None:
    async def let_in() -> int:
        crowd = Crowd(32)
        found = [await crowd.ask(f"192.0.{last >> 8}.{last & 255}") for last in range(300)]
        await crowd.leave()
        return sum(found)

    assert asyncio.run(let_in()) == 256


@pytest.mark.slow
def test_every_request_that_is_let_in_can_wait_for_its_turn() -> None:
    """A request without a thread would wait behind those of one client, whatever the turns."""
    from referee.web.api import RequestLimits

    number = 60
    together = threading.Barrier(number)

    class Meeting(Inline):
        def do(self, task: Task, client: str) -> bytes:
            together.wait(30)
            return super().do(task, client)

    with (
        client(RequestLimits(at_once=2 * number), workers=Meeting()) as asking,
        ThreadPoolExecutor(number) as threads,
    ):
        found = [threads.submit(asking.get, LEGAL) for _ in range(number)]
        assert [one.result().status_code for one in found] == [200] * number
    assert RequestLimits().in_all >= RequestLimits().at_once


def test_a_client_above_its_share_is_asked_to_come_again() -> None:
    from referee.web.api import RequestLimits

    going_on, enough = threading.Event(), threading.Event()

    class Waiting(Inline):
        def do(self, task: Task, client: str) -> bytes:
            going_on.set()
            assert enough.wait(30)
            return super().do(task, client)

    asking = client(RequestLimits(at_once=2), workers=Waiting())
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
    """Values from the client, before the one that the proxy adds, do not count."""
    import httpx2

    with served("--rate", "1", "--proxy", "127.0.0.1") as address:
        statuses = [
            httpx2.get(address + LEGAL, headers={"X-Forwarded-For": f"198.51.100.{number}, 192.0.2.1"}).status_code
            for number in range(3)
        ]
    assert statuses == [200, 429, 429]
