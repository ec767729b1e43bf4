"""Limits of requests to a server: their size, rate and number at once, checked before anything is read."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from referee.errors import RefereeError
from referee.web.api.problems import problem
from referee.web.api.turns import busy
from referee.web.clients import Allowances, client_of

_MINUTE = 60.0


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """Limits for a request, for an address, and for all requests together."""

    size: int = 1 << 20
    """Bytes of a body."""
    arrival: float = 10
    """Maximum seconds until a body has arrived."""
    rate: int = 600
    """Requests a minute from one address; 0 for any number."""
    at_once: int = 32
    """Requests at work or waiting; those of one address are never more than the places left for others."""
    in_all: int = 256
    """The same, with the first request of each address, which needs no free place among `at_once`."""


class Gate:
    """An ASGI application behind limits: it gets only requests within them, each with its whole body."""

    def __init__(self, app: ASGIApp, limits: RequestLimits) -> None:
        self._app = app
        self._limits = limits
        self._allowances = Allowances(limits.rate / _MINUTE, limits.rate)
        self._asking: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it for a limit."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        client = client_of(scope)
        wait = self._allowances.take(client)
        send = self._with_rate(client, send)
        if wait:
            message = f"an address may ask {self._limits.rate:,} times a minute: wait a little"
            await problem(RefereeError("too-often", message), math.ceil(wait))(scope, receive, send)
            return
        try:
            with self._admitted(client):
                body = await self._body(scope, receive)
                if body is not None:
                    await self._app(scope, _again(body, receive), send)
        except RefereeError as error:
            await problem(error, 1 if error.code == "busy" else None)(scope, receive, send)

    def _with_rate(self, client: str, send: Send) -> Send:
        """A sender that adds the fields RateLimit and RateLimit-Policy (an Internet-Draft of the HTTPAPI group)."""

        async def send_with_rate(message: Message) -> None:
            if message["type"] == "http.response.start" and self._limits.rate:
                left, seconds = self._allowances.left(client)
                headers = MutableHeaders(scope=message)
                headers["RateLimit-Policy"] = f'"address";q={self._limits.rate};w={_MINUTE:.0f}'
                headers["RateLimit"] = f'"address";r={left};t={math.ceil(seconds)}'
            await send(message)

        return send_with_rate

    @contextmanager
    def _admitted(self, client: str) -> Iterator[None]:
        """Count a request while it lasts; RefereeError `busy` if its client has a fair share already.

        A client alone may have half of the places, two of them a third each, and so on. One without a request is
        let in even if no place is left.
        """
        own, inside = self._asking[client], self._asking.total()
        if own >= self._limits.at_once - inside if own else inside >= self._limits.in_all:
            raise busy()
        self._asking[client] += 1
        try:
            yield
        finally:
            self._asking -= Counter((client,))  # forgets clients without requests

    async def _body(self, scope: Scope, receive: Receive) -> bytes | None:
        """The whole body, or None if the client is gone; RefereeError `too-large` or `too-slow`."""
        too_large = RefereeError("too-large", f"the body is larger than {self._limits.size:,} bytes")
        said = dict(scope["headers"]).get(b"content-length", b"")
        if said.isdigit() and int(said[:20]) > self._limits.size:
            raise too_large
        body = bytearray()
        try:
            async with asyncio.timeout(self._limits.arrival):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return None
                    body += message.get("body", b"")
                    if len(body) > self._limits.size:
                        raise too_large
                    if not message.get("more_body", False):
                        return bytes(body)
        except TimeoutError:
            raise RefereeError("too-slow", f"the body did not come within {self._limits.arrival:g} seconds") from None


def _again(body: bytes, receive: Receive) -> Receive:
    """A receiver that first returns the body that was read, and then goes on with the other one."""
    first: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return first.pop() if first else await receive()

    return receive_again
