"""The server of an ASGI application: its socket, and uvicorn."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Collection, Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from referee.errors import RefereeError, shown

_BACKLOG = 128
_GRACE = 3
"""Seconds for requests to end when the server stops."""


class _Server(uvicorn.Server):
    """A server that does not change the process's signal handlers."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End without a log of the requests that are interrupted by that."""
        logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
        await super().shutdown(sockets)


class WebServer:
    """An application at an address; it listens from the beginning, and answers while it runs."""

    def __init__(self, app: ASGIApp, host: str, port: int, proxies: Collection[str] = ()) -> None:
        """Listen at an address, with port 0 at any free one; RefereeError `listen` if that fails.

        `proxies` are addresses and networks of the reverse proxies that are trusted about a client's address.
        """
        self._socket = _listening(host, port)
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=bool(proxies),
            forwarded_allow_ips=list(proxies),
            timeout_graceful_shutdown=_GRACE,
            ws="none",
        )
        self._server = _Server(config)

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


def _listening(host: str, port: int) -> socket.socket:
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # With the protocol set, asyncio sends each answer at once (TCP_NODELAY).
        listener = socket.socket(family, kind, proto)
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as error:
        said = (error.strerror or str(error)).lower()
        raise RefereeError("listen", f"cannot listen at {shown(host)}, port {port}: {said}") from None
    return listener
