"""Who sends a request, and how often each client may."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from starlette.datastructures import Headers
from starlette.types import Scope

Networks = Sequence[IPv4Network | IPv6Network]

_REMEMBERED = 20_000
"""Maximum clients that are counted; beyond that, those that have asked least recently are forgotten."""

_MOMENT = 1e-9
"""Seconds that are no wait, but an error of rounding."""

_UNKNOWN = "unknown"


def networks(texts: Iterable[str]) -> Networks:
    """Addresses and networks, such as `127.0.0.1` and `10.0.0.0/8`; ValueError if one of them is none."""
    return tuple(ip_network(text) for text in texts)


def client_of(scope: Scope, trusted: Networks = ()) -> str:
    """Who sends a request: the peer, or whoever the last trusted proxy names; an IPv6 network is one client."""
    chain = [str((scope.get("client") or (_UNKNOWN,))[0])]
    if trusted:
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
    """How many more requests each client may make now: some at once, and then one after another, evenly."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Allow `burst` requests at once and `rate` a second in the long run; a rate of 0 is no limit."""
        self._apart = 1 / rate if rate else 0.0
        self._ahead = burst * self._apart
        self._clock = clock
        self._due: OrderedDict[str, float] = OrderedDict()
        """When a client would have asked all it has asked, if it had asked evenly."""

    def take(self, client: str) -> float:
        """Count a request; return 0 if it is allowed, else the seconds after which the next one will be."""
        now = self._clock()
        due = max(self._due.pop(client, now), now)
        wait = due + self._apart - now - self._ahead
        allowed = wait <= _MOMENT
        self._due[client] = due + self._apart if allowed else due
        if len(self._due) > _REMEMBERED:
            self._due.popitem(last=False)
        return 0.0 if allowed else min(wait, self._apart)  # no sum of times is exact
