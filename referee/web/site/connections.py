"""Connections to the pages: whoever sends nothing, or too slowly, keeps nobody else out."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

ARRIVAL = 30.0
"""Seconds in which a whole request must have come, from the start of its connection or the end of the last answer."""

TAKING = 90.0
"""Seconds that the rest of an answer may take after that."""


class TimedConnection(H11Protocol):
    """A connection that ends if a request does not come in time.

    Where there are as many connections as the server takes, a new one replaces the one that has waited longest for
    its request.
    """

    _timer: asyncio.TimerHandle | None = None
    """Runs while a request is expected or under way."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Expect the first request."""
        super().connection_made(transport)
        self._time()
        if self.limit_concurrency is not None and len(self.connections) >= self.limit_concurrency:
            self._replace_another()

    def data_received(self, data: bytes) -> None:
        """Go on expecting, unless the request is here."""
        super().data_received(data)
        self._time()

    def on_response_complete(self) -> None:
        """Expect the next request."""
        super().on_response_complete()
        self._time()

    def connection_lost(self, exc: Exception | None) -> None:
        """Expect nothing any more."""
        self._stop()
        super().connection_lost(exc)

    def _time(self) -> None:
        """Begin to count while a request is still to come, and end once it is here."""
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._stop()
        elif self._timer is None:
            self._timer = self.loop.call_later(ARRIVAL, self._give_up)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self.transport.close()
        self._timer = self.loop.call_later(TAKING, self.transport.abort)

    def _replace_another(self) -> None:
        waiting = {
            one: one._timer.when()
            for one in self.connections
            if one is not self and isinstance(one, TimedConnection) and one._timer is not None
        }
        if waiting:
            longest = min(waiting, key=waiting.__getitem__)
            longest._stop()  # it is lost only in the next round of the loop, and must not be chosen again
            longest.transport.abort()
