"""The common part of the servers for the API and the pages: socket, uvicorn, and the headers of every answer."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

import uvicorn
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from referee.errors import Refusal


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
