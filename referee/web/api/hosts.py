"""A check of the server's name in requests, against pages that trick a browser by DNS rebinding."""

from __future__ import annotations

import socket
from collections.abc import Iterable

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from referee.errors import RefereeError, shown
from referee.web.api.problems import problem
from referee.web.clients import address_in

_LOCAL = "localhost"


class OwnNames:
    """An ASGI application that answers only under its own names, those of this machine, and numeric addresses.

    A numeric address is safe, because it needs no look-up of a name.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str]) -> None:
        self._app = app
        self._names = {_plain(name) for name in (*names, socket.gethostname())}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it for its name of the server."""
        if scope["type"] == "http":
            for host in Headers(scope=scope).getlist("host"):
                if not self._is_own(_plain(_without_port(host))):
                    message = f"this server is not called {shown(host)}: --host-name names it"
                    await problem(RefereeError("other-host", message))(scope, receive, send)
                    return
        await self._app(scope, receive, send)

    def _is_own(self, name: str) -> bool:
        return name in self._names or name == _LOCAL or name.endswith(f".{_LOCAL}") or address_in(name) is not None


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and (port.isdecimal() or not port) and (":" not in name or name.endswith("]")) else host


def _plain(name: str) -> str:
    name = name[1:-1] if name.startswith("[") and name.endswith("]") else name
    return name.removesuffix(".").casefold()
