"""The server of an ASGI application: its socket, and uvicorn."""

from __future__ import annotations

import logging
from collections.abc import Collection

from starlette.types import ASGIApp

from referee.web.server import QuietServer, listening

_BACKLOG = 128
_GRACE = 3
"""Seconds for requests to end when the server stops."""


class WebServer:
    """An application at an address; it listens from the beginning, and answers while it runs."""

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
