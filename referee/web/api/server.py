"""The server of an ASGI application: a socket of its own, and uvicorn behind it."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Collection

import uvicorn
from starlette.types import ASGIApp

from referee.errors import RefereeError, shown

_BACKLOG = 128
_GRACE = 5
"""Seconds that requests have to end when the server stops."""


class WebServer:
    """An application at an address; it listens from the beginning, and answers while it runs."""

    def __init__(self, app: ASGIApp, host: str, port: int, proxies: Collection[str] = ()) -> None:
        """Listen at an address; port 0 is any free one.

        `proxies` are addresses and networks of reverse proxies: only what they say of a client's address is believed.

        Raises:
            RefereeError: `listen`: that is not possible.
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
        self._server = uvicorn.Server(config)

    @property
    def address(self) -> str:
        """The address as a browser writes it."""
        host, port, *_ = self._socket.getsockname()
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    def run(self) -> None:
        """Answer until a signal tells to stop, which is raised again then."""
        # Of each request that is no HTTP there would be a line.
        logging.getLogger("uvicorn").setLevel(logging.ERROR)
        with self._socket:
            self._server.run(sockets=[self._socket])


def _listening(host: str, port: int) -> socket.socket:
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # By the protocol, asyncio knows that answers are to be sent without waiting for more of them.
        listener = socket.socket(family, kind, proto)
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as error:
        said = (error.strerror or str(error)).lower()
        raise RefereeError("listen", f"cannot listen at {shown(host)}, port {port}: {said}") from None
    return listener
