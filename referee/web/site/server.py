"""The server of the pages, within a process that can do other work too; idle and slow clients keep no others out."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import h11
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from referee.web.clients import Allowances, networks
from referee.web.server import QuietServer, listening
from referee.web.site.gate import BURST, LARGEST_HEAD, RATE
from referee.web.site.routes import Pages
from referee.web.site.seats import Intake
from referee.web.site.site import Site
from referee.web.site.streams import MOST, WEB_LOG

MOST_CONNECTIONS = MOST + 200
"""Maximum connections; most of them are streams."""

_BACKLOG = 256


ARRIVAL = 30.0
"""Seconds for a whole request, from the start of its connection or the end of the last answer."""

TAKING = 90.0
"""Seconds that the rest of an answer may take after that."""


class TimedConnection(H11Protocol):
    """A connection that ends if a request does not arrive in time.

    If the server has its maximum of connections, a new one replaces the one that has waited longest for its request.
    """

    _timer: asyncio.TimerHandle | None = None
    """Runs while a request is expected or under way."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Expect the first request."""
        super().connection_made(transport)
        self._time()
        if self.limit_concurrency is not None and len(self.connections) >= self.limit_concurrency:
            self._replace_another()

    def data_received(self, data: bytes) -> None:
        """Expect the rest of the request, if any."""
        super().data_received(data)
        self._time()

    def on_response_complete(self) -> None:
        """Expect the next request."""
        super().on_response_complete()
        self._time()

    def connection_lost(self, exc: Exception | None) -> None:
        """Expect nothing more."""
        self._stop()
        super().connection_lost(exc)

    def _time(self) -> None:
        """Start the timer while a request is expected, and stop it once it is here."""
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._stop()
        elif self._timer is None:
            self._timer = self.loop.call_later(ARRIVAL, self._give_up)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self.transport.close()
        self._timer = self.loop.call_later(TAKING, self.transport.abort)

    def _replace_another(self) -> None:
        waiting = {
            one: one._timer.when()
            for one in self.connections
            if one is not self and isinstance(one, TimedConnection) and one._timer is not None
        }
        if waiting:
            longest = min(waiting, key=waiting.__getitem__)
            longest._stop()  # it is closed only in the next round of the loop, and must not be chosen twice
            longest.transport.abort()


@dataclass(frozen=True, slots=True)
class Door:
    """The address of the pages, the reverse proxies that may name the client, and further headers of all answers."""

    host: str
    port: int
    proxies: Sequence[str] = ()
    headers: Sequence[tuple[str, str]] = ()


@asynccontextmanager
async def open_pages(
    site: Site,
    door: Door,
    allowances: Allowances | None = None,
    intake: Intake | None = None,
    beside: Sequence[Route] = (),
) -> AsyncIterator[None]:
    """Serve the pages, and those `beside` them, within a context; RefereeError `listen` if the address is not free.

    Each client has its allowance; `intake` takes submitted moves, if players may submit them.
    """
    pages = Pages(site, intake, beside)
    server = QuietServer(
        pages.application(networks(door.proxies), allowances or Allowances(RATE, BURST)),
        headers=list(door.headers),
        proxy_headers=False,
        lifespan="off",
        http=TimedConnection,
        h11_max_incomplete_event_size=LARGEST_HEAD,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=2,
    )
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    with listening(door.host, door.port, _BACKLOG) as listener:
        running = asyncio.create_task(server.serve([listener]))
        try:
            WEB_LOG.info("pages at http://%s:%d for %s", door.host, door.port, site.url)
            yield
        finally:
            pages.end()
            server.should_exit = True
            await running
            pages.close()
