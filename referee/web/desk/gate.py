"""The gate before the pages: who asks, how often, and with which headers they are answered."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

Networks = Sequence[IPv4Network | IPv6Network]

RATE = 5.0
"""Requests a second that a client may make in the long run."""

BURST = 100.0
"""Maximum requests of a client at once."""

_CLIENTS = 20_000
"""Maximum clients that are counted; beyond that, those that have asked least recently are forgotten."""

_LONGEST_TARGET = 1_000
"""Maximum characters of a path with its query."""

_UNKNOWN = "unknown"

PAGE_POLICY = (
    "default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The content security policy of all pages."""

_HEADERS = {
    "content-security-policy": PAGE_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


def networks(texts: Iterable[str]) -> Networks:
    """Addresses and networks, such as `127.0.0.1` and `10.0.0.0/8`; ValueError if one of them is none."""
    return tuple(ip_network(text) for text in texts)


def client_of(scope: Scope, trusted: Networks) -> str:
    """Who sends a request: the peer, or whoever the last trusted proxy names; an IPv6 network is one client."""
    chain = [str((scope.get("client") or (_UNKNOWN,))[0])]
    forwarded = ",".join(Headers(scope=scope).getlist("x-forwarded-for"))
    chain = [*(part.strip() for part in forwarded.split(",") if part.strip()), *chain]
    while len(chain) > 1 and _is_trusted(chain[-1], trusted):
        chain.pop()
    return _client(chain[-1])


def _is_trusted(text: str, trusted: Networks) -> bool:
    try:
        address = ip_address(text)
    except ValueError:
        return False
    return any(address in network for network in trusted)


def _client(text: str) -> str:
    try:
        address = ip_address(text)
    except ValueError:
        return _UNKNOWN
    if isinstance(address, IPv6Address):
        mapped = address.ipv4_mapped
        return str(mapped or ip_network((address, 64), strict=False))
    return str(address)


class Allowances:
    """How many more requests each client may make now; what is used up comes back with time."""

    def __init__(self, rate: float = RATE, burst: float = BURST, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, client: str) -> float:
        """Count a request; return 0 if it is allowed, else the seconds after which the next one will be."""
        now = self._clock()
        left, since = self._left.pop(client, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._rate)
        allowed = left >= 1
        self._left[client] = (left - 1 if allowed else left, now)
        if len(self._left) > _CLIENTS:
            self._left.pop(next(iter(self._left)))
        return 0.0 if allowed else (1 - left) / self._rate


class Gate:
    """Lets requests through to the pages, unless somebody asks too often or for too much."""

    def __init__(self, app: ASGIApp, trusted: Networks, allowances: Allowances) -> None:
        self._app, self._trusted, self._allowances = app, trusted, allowances

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, as ASGI has it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        scope["state"] = {**scope.get("state", {}), "client": client_of(scope, self._trusted)}
        refusal = self._refusal(scope)
        await (refusal or self._app)(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        if wait := self._allowances.take(scope["state"]["client"]):
            after = {"retry-after": str(int(wait) + 1)}
            return PlainTextResponse("too many requests: please wait a little\n", 429, after)
        if len(scope["path"]) + len(scope["query_string"]) > _LONGEST_TARGET:
            return PlainTextResponse("this address is too long\n", 414)
        return None
