"""The clients of requests, and their allowances."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from starlette.datastructures import Headers
from starlette.types import Scope

Networks = Sequence[IPv4Network | IPv6Network]

_REMEMBERED = 20_000
"""Maximum clients counted; beyond it the least recent are forgotten."""

_MOMENT = 1e-9
"""Seconds of a wait that is only a rounding error."""

_UNKNOWN = "unknown"


def networks(texts: Iterable[str]) -> Networks:
    """Addresses and networks, such as `127.0.0.1` and `10.0.0.0/8`; ValueError if one of them is none."""
    return tuple(ip_network(text) for text in texts)


def client_of(scope: Scope, trusted: Networks = ()) -> str:
    """The client of a request: the peer, or the one named by the last trusted proxy; an IPv6 network is one."""
    chain = [str((scope.get("client") or (_UNKNOWN,))[0])]
    if trusted:
        forwarded = ",".join(Headers(scope=scope).getlist("x-forwarded-for"))
        chain = [*(part.strip() for part in forwarded.split(",") if part.strip()), *chain]
    address = address_in(chain.pop())
    while chain and address and any(address in network for network in trusted):
        address = address_in(chain.pop())
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or ip_network((address, 64), strict=False))
    return str(address or _UNKNOWN)


def address_in(text: str) -> IPv4Address | IPv6Address | None:
    """The numeric address that a text is; None if it is something else."""
    try:
        return ip_address(text)
    except ValueError:
        return None


class Allowances:
    """The allowance of each client: some requests at once, and then a steady rate."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Allow `burst` requests at once and `rate` a second in the long run; a rate of 0 is no limit."""
        self._apart = 1 / rate if rate else 0.0
        self._ahead = burst * self._apart
        self._clock = clock
        self._due: OrderedDict[str, float] = OrderedDict()
        """The time at which a client's requests so far would be within the steady rate."""

    def left(self, client: str) -> tuple[int, float]:
        """The requests that a client may make now, and the seconds until it may make all of them again."""
        ahead = max(self._due.get(client, 0.0) - self._clock(), 0.0)
        return int((self._ahead - ahead) / self._apart + _MOMENT) if self._apart else 0, ahead

    def take(self, client: str) -> float:
        """Count a request; return 0 if it is allowed, else the seconds until the next one is."""
        now = self._clock()
        due = max(self._due.pop(client, now), now)
        wait = due + self._apart - now - self._ahead
        allowed = wait <= _MOMENT
        self._due[client] = due + self._apart if allowed else due
        if len(self._due) > _REMEMBERED:
            self._due.popitem(last=False)
        return 0.0 if allowed else min(wait, self._apart)  # no sum of times is exact
