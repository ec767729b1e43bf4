"""The server of the pages, within a process that can do other work too."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

import uvicorn
from starlette.routing import Route

from referee.errors import Refusal
from referee.web.clients import Allowances, networks
from referee.web.site.connections import TimedConnection
from referee.web.site.gate import BURST, LARGEST_HEAD, RATE
from referee.web.site.routes import Pages
from referee.web.site.seats import Intake
from referee.web.site.site import Site
from referee.web.site.streams import MOST, WEB_LOG

_CONNECTIONS = MOST + 200
"""Maximum connections; most of them are streams."""

_BACKLOG = 256


@dataclass(frozen=True, slots=True)
class Door:
    """The address of the pages, the reverse proxies that may name the client, and further headers of all answers."""

    host: str
    port: int
    proxies: Sequence[str] = ()
    headers: Sequence[tuple[str, str]] = ()


class _Server(uvicorn.Server):
    """A server that does not change the process's signal handlers."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def open_pages(
    site: Site,
    door: Door,
    allowances: Allowances | None = None,
    intake: Intake | None = None,
    beside: Sequence[Route] = (),
) -> AsyncIterator[None]:
    """Serve the pages within a context; RefereeError `listen` if the address is not free.

    Each client has its allowance; `intake` takes submitted moves, if players may submit them; `beside` are more
    pages.
    """
    pages = Pages(site, intake, beside)
    config = uvicorn.Config(
        pages.application(networks(door.proxies), allowances or Allowances(RATE, BURST)),
        log_config=None,
        access_log=False,
        server_header=False,
        headers=list(door.headers),
        proxy_headers=False,
        lifespan="off",
        ws="none",
        http=TimedConnection,
        h11_max_incomplete_event_size=LARGEST_HEAD,
        limit_concurrency=_CONNECTIONS,
        timeout_graceful_shutdown=2,
    )
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    server = _Server(config)
    with _listener(door) as listener:
        running = asyncio.create_task(server.serve([listener]))
        try:
            WEB_LOG.info("pages at http://%s:%d for %s", door.host, door.port, site.url)
            yield
        finally:
            pages.end()
            server.should_exit = True
            await running
            pages.close()


def _listener(door: Door) -> socket.socket:
    try:
        family = socket.getaddrinfo(door.host, door.port, type=socket.SOCK_STREAM)[0][0]
        made = socket.create_server((door.host, door.port), family=family, backlog=_BACKLOG)
    except OSError as error:
        said = (error.strerror or str(error)).lower()
        raise Refusal("listen", f"cannot listen at {door.host}:{door.port}: {said}") from None
    # With the protocol set, asyncio sends each answer at once (TCP_NODELAY).
    return socket.socket(made.family, made.type, socket.IPPROTO_TCP, made.detach())
