"""The numbers of a running desk over HTTP, on loopback only: one page, nothing to write, no secret to read."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from referee.errors import RefereeError
from referee.mail.log import LOG, reason

LOOPBACK = "127.0.0.1"

PATH = "/metrics"

DESK_HEADER = "Referee-Desk"
"""Header of every answer of a desk over HTTP, by which the desk knows itself."""

_HOST = re.compile(r"^host:[ \t]*(.*?)(?::\d*)?[ \t]*\r$", re.IGNORECASE | re.MULTILINE)
_OWN_NAMES = (LOOPBACK, "localhost")
"""Names of this machine for itself. A page in a browser asks under its own, wherever that leads."""

READERS = 8
"""Maximum connections at a time. One more ends the oldest that has asked for nothing yet, or is itself ended."""

_IDLE = 5
"""Seconds that a request may take to come."""

_LONGEST = 8_192


@asynccontextmanager
async def publish(port: int, page: Callable[[], str], media: str, mark: str = "") -> AsyncIterator[None]:
    """Answer `GET /metrics` at a port of this machine while the context lasts; pages are made one at a time.

    Every answer has the desk's `mark`. RefereeError `listen` if the port is not free.
    """
    answers = _Answers(page, media, f"{DESK_HEADER}: {mark}\r\n" if mark else "")
    try:
        server = await asyncio.start_server(answers.serve, LOOPBACK, port, limit=_LONGEST)
    except OSError as error:
        said = (error.strerror or str(error)).lower()
        raise RefereeError("listen", f"cannot listen at {LOOPBACK}:{port}: {said}") from None
    try:
        yield
    finally:
        server.close()
        answers.stop()
        await server.wait_closed()


@dataclass(slots=True)
class _Answers:
    page: Callable[[], str]
    media: str
    mark: str
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _open: dict[asyncio.StreamWriter, bool] = field(default_factory=dict)
    """The open connections, the oldest first, and whether each has asked for something."""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the one request of a connection; a slow client makes room for others."""
        if len(self._open) >= READERS:
            oldest = next((one for one, asked in self._open.items() if not asked), writer)
            oldest.transport.abort()
            self._open.pop(oldest, None)
            if oldest is writer:
                return
        self._open[writer] = False
        try:
            with suppress(OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), _IDLE)
                if writer in self._open:  # it may have made room for another
                    self._open[writer] = True
                writer.transport.set_write_buffer_limits(0)
                writer.write(await self._answer(head.decode("latin-1")))
                await asyncio.wait_for(writer.drain(), _IDLE)
                writer.close()
        finally:
            self._open.pop(writer, None)
            writer.transport.abort()  # unless it was closed: a client that does not read the answer holds nothing up

    def stop(self) -> None:
        for writer in self._open:
            writer.transport.abort()

    async def _answer(self, head: str) -> bytes:
        method, _, rest = head.partition("\r\n")[0].partition(" ")
        if any(name.lower() not in _OWN_NAMES for name in _HOST.findall(head)):
            says = f"the numbers are at http://{LOOPBACK}, under no other name\n"
            return _response("421 Misdirected Request", says, more=self.mark)
        if rest.partition(" ")[0].partition("?")[0] != PATH:
            return _response("404 Not Found", f"there is only {PATH}\n", more=self.mark)
        if method not in ("GET", "HEAD"):
            allowed = f"Allow: GET, HEAD\r\n{self.mark}"
            return _response("405 Method Not Allowed", "there is only GET\n", more=allowed)
        try:
            async with self._turn:
                page = await asyncio.to_thread(self.page)
        except Exception as error:
            LOG.error("metrics: %s", reason(error))
            return _response("503 Service Unavailable", "the desk cannot count now\n", more=self.mark)
        return _response("200 OK", page, self.media, more=self.mark, body=method == "GET")


def _response(
    status: str, page: str, media: str = "text/plain; charset=utf-8", *, more: str = "", body: bool = True
) -> bytes:
    content = page.encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: {media}\r\nContent-Length: {len(content)}\r\n{more}"
    safe = "X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"
    return (head + safe).encode() + (content if body else b"")
