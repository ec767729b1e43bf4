"""The servers for the API and the pages: socket, uvicorn, and the headers of every answer."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

import uvicorn
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from referee.errors import Refusal

_BACKLOG = 128
_GRACE = 3
"""Seconds for requests to the API to end when its server stops."""


def listening(host: str, port: int, backlog: int) -> socket.socket:
    """A socket that listens at an address; Refusal `listen` if it is not free."""
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with ExitStack() as failed:
            # With the protocol set, asyncio sends each answer at once (TCP_NODELAY).
            listener = failed.enter_context(socket.socket(family, kind, proto))
            if os.name == "posix":
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(backlog)
            failed.pop_all()
    except OSError as error:
        raise Refusal("listen", f"cannot listen at {host}:{port}: {(error.strerror or str(error)).lower()}") from None
    return listener


class QuietServer(uvicorn.Server):
    """A server without a log of requests, which does not change the process's signal handlers."""

    def __init__(self, app: ASGIApp, **settings: Any) -> None:  # noqa: ANN401 - any setting of uvicorn
        """Serve an application with further settings of uvicorn."""
        quiet = uvicorn.Config(app, log_config=None, access_log=False, server_header=False, ws="none", **settings)
        super().__init__(quiet)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave them to the process."""
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End without a log of the requests that are interrupted by that."""
        logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
        await super().shutdown(sockets)


class WebServer:
    """An application alone at an address; it listens from the beginning, and answers while it runs."""

    def __init__(self, app: ASGIApp, host: str, port: int, proxies: Collection[str] = ()) -> None:
        """Listen at an address, with port 0 at any free one; RefereeError `listen` if that fails.

        `proxies` are addresses and networks of the reverse proxies that are trusted about a client's address.
        """
        self._socket = listening(host, port, _BACKLOG)
        self._server = QuietServer(
            app,
            proxy_headers=bool(proxies),
            forwarded_allow_ips=list(proxies),
            timeout_graceful_shutdown=_GRACE,
        )

    @property
    def address(self) -> str:
        """The address for a browser."""
        host, port, *_ = self._socket.getsockname()
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    def stop(self) -> None:
        """End `run`, even before its start; any thread or signal handler may call this."""
        self._server.should_exit = True

    def run(self) -> None:
        """Answer until `stop`."""
        # The log would have a line for each request that is no HTTP.
        logging.getLogger("uvicorn").setLevel(logging.ERROR)
        with self._socket:
            self._server.run(sockets=[self._socket])


def with_headers(app: ASGIApp, headers: Mapping[str, str]) -> ASGIApp:
    """An application whose answers have these headers, too, unless they have others of the same names."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                found = MutableHeaders(scope=message)
                for name, value in headers.items():
                    found.setdefault(name, value)
            await send(message)

        await app(scope, receive, send_with_headers)

    return answer
