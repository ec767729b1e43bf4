"""The pages of a desk: many spectators of one game, a long list of games, requests a second."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from pathlib import Path

from bench.figures import Figure
from referee.desk import By, Desk, Terms, acts
from referee.desk.store.store import Store
from referee.game import GameFile
from referee.web.clients import Allowances
from referee.web.site import Door, Site, open_pages
from referee.web.site.seats import Intake

SPECTATORS = 200
GAMES = 1_000
REQUESTS = 400
AT_ONCE = 8

HEARD = 2_500
"""Milliseconds until the last spectator has heard of a move: the store is asked once a second."""

LISTED = 300
"""Milliseconds for a list of many games."""

RATE = 150
"""Requests a second, in one process that has half a machine of two cores; the other half asks."""

ANSWERED = 10
"""Milliseconds for a request of one client on a connection that it keeps, as browsers and reverse proxies do."""

HOST = "127.0.0.1"
BEGIN = datetime(2027, 3, 1, tzinfo=UTC)


def figures() -> Iterator[Figure]:
    """The delay of a move for spectators, the time of lists, and the pages a second of a process."""
    with tempfile.TemporaryDirectory() as folder, Store.create(Path(folder) / "desk.sqlite") as store:
        desk = Desk(store)
        for number in range(GAMES):
            at = BEGIN + timedelta(minutes=number)
            desk.open(f"game-{number}", GameFile("boundary"), at, terms=Terms(days=5))
        heard, listed, rate, kept = asyncio.run(_measured(desk))
    yield Figure(
        f"a move heard of by {SPECTATORS} spectators", f"{heard:.0f} ms", f"{HEARD} ms", heard / HEARD, "<= 1.0"
    )
    yield Figure(f"the list of {GAMES:,} games", f"{listed:.0f} ms", f"{LISTED} ms", listed / LISTED, "<= 1.0")
    yield Figure("the page of a game, requests a second", f"{rate:.0f}", f"{RATE}", rate / RATE, ">= 1.0")
    yield Figure(
        "the page of a game, on a kept connection", f"{kept:.1f} ms", f"{ANSWERED} ms", kept / ANSWERED, "<= 1.0"
    )


async def _measured(desk: Desk) -> tuple[float, float, float, float]:
    async with served(desk) as port:
        await _get(port, "/")
        listed = statistics.median([await _timed(_get(port, "/")) for _ in range(9)])
        heard = await _heard(desk, port)
        seconds = await _timed(_many(port)) / 1000
        kept = statistics.median(await asyncio.to_thread(_kept, port))
    return heard, listed, REQUESTS / seconds, kept


def _kept(port: int) -> list[float]:
    """Milliseconds of each of many requests, one after another on the same connection."""
    connection, times = HTTPConnection(HOST, port), list[float]()
    for _ in range(REQUESTS // AT_ONCE):
        begin = time.perf_counter()
        connection.request("GET", "/g/game-1")
        answer = connection.getresponse()
        body = answer.read()
        times.append((time.perf_counter() - begin) * 1000)
        assert answer.status == 200, body[:80]
    connection.close()
    return times


@asynccontextmanager
async def served(desk: Desk, intake: Intake | None = None) -> AsyncIterator[int]:
    """Serve the pages of a desk here; yields the port."""
    probe = await asyncio.start_server(lambda *_: None, HOST, 0)
    port = int(probe.sockets[0].getsockname()[1])
    probe.close()
    await probe.wait_closed()
    site = Site(desk, f"http://{HOST}:{port}", "The club", lambda: BEGIN + timedelta(days=1))
    async with open_pages(site, Door(HOST, port, (HOST,)), Allowances(1e9, 1e9), intake):
        await asyncio.sleep(0.2)
        yield port


async def _timed(work: Awaitable[object]) -> float:
    """Milliseconds that some work takes."""
    begin = time.perf_counter()
    await work
    return (time.perf_counter() - begin) * 1000


async def _many(port: int) -> None:
    """Many requests for one page, some of them at once."""

    async def some() -> None:
        for _ in range(REQUESTS // AT_ONCE):
            await _get(port, "/g/game-1")

    await asyncio.gather(*(some() for _ in range(AT_ONCE)))


async def _get(port: int, path: str) -> bytes:
    reader, writer = await _asked(port, path)
    body = await reader.read()
    writer.close()
    assert body.startswith(b"HTTP/1.1 200"), body[:80]
    return body


async def _asked(port: int, path: str, client: int = 0) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection(HOST, port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\nX-Forwarded-For: 192.0.2.{client}\r\n".encode())
    writer.write(b"Connection: close\r\n\r\n")
    return reader, writer


async def _heard(desk: Desk, port: int) -> float:
    """Milliseconds from a move until the last spectator has heard of it."""
    streams = [await _asked(port, "/g/game-0/events", number) for number in range(SPECTATORS)]
    for reader, _ in streams:
        await reader.readuntil(b"data: 0\n\n")
    side = sorted(desk.state("game-0").owing)[0]
    move = next(str(one) for one in desk.state("game-0").position.legal_moves(side))

    def play() -> None:
        desk.act("game-0", By(side), [acts.MakeMove(move)], BEGIN + timedelta(days=1))

    begin = time.perf_counter()
    await asyncio.to_thread(play)
    for reader, _ in streams:
        await reader.readuntil(b"event: head\n")
    taken = (time.perf_counter() - begin) * 1000
    for _, writer in streams:
        writer.close()
    return taken
