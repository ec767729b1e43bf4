"""A calendar server of OpenTimestamps on this machine: it takes digests, and later shows ways to a block."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from opentimestamps.core.notary import BitcoinBlockHeaderAttestation, PendingAttestation, TimeAttestation
from opentimestamps.core.op import OpAppend, OpPrepend, OpSHA256
from opentimestamps.core.serialize import BytesSerializationContext
from opentimestamps.core.timestamp import Timestamp

BLOCK = 800_000
PENDING = b"Pending confirmation in Bitcoin blockchain"

Reply = Callable[[bytes], bytes]
"""From a digest to the bytes that a calendar sends."""


def timestamp(digest: bytes, *attestations: TimeAttestation, steps: int = 3) -> bytes:
    """A way from a digest to attestations in `steps` steps; a block needs an odd number of them."""
    top = node = Timestamp(digest)
    for number in range(steps):
        node = node.ops.add([OpSHA256(), OpAppend(b"12345678"), OpSHA256(), OpPrepend(b"time")][number % 4])
    node.attestations.update(attestations)
    context = BytesSerializationContext()
    top.serialize(context)
    return bytes(context.getbytes())


@dataclass
class Calendar:
    """A calendar's requests and its replies; it is honest unless a test sets a reply."""

    address: str
    mined: bool = False
    taken: set[bytes] = field(default_factory=set)
    reply: Reply | None = None
    status: int = 200
    pause: float = 0
    """Seconds between two bytes of an answer."""
    asked: list[str] = field(default_factory=list)

    def submitted(self, digest: bytes) -> tuple[int, bytes]:
        """The answer to a new digest."""
        if self.reply is not None:
            return self.status, self.reply(digest)
        top = Timestamp(digest)
        self.taken.add(bytes(top.ops.add(OpSHA256()).ops.add(OpAppend(b"12345678")).ops.add(OpSHA256()).msg))
        return self.status, timestamp(digest, PendingAttestation(self.address))

    def completed(self, digest: bytes) -> tuple[int, bytes]:
        """The answer to a request for the way from a digest to a block."""
        if self.reply is not None:
            return self.status, self.reply(digest)
        if digest not in self.taken:
            return 404, b"Commitment not found"
        if not self.mined:
            return 404, PENDING
        return self.status, timestamp(digest, BitcoinBlockHeaderAttestation(BLOCK))


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    calendar: Calendar


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_POST(self) -> None:
        self._send(*self.server.calendar.submitted(self.rfile.read(int(self.headers["Content-Length"]))))

    def do_GET(self) -> None:
        self._send(*self.server.calendar.completed(bytes.fromhex(self.path.rpartition("/")[2])))

    def _send(self, status: int, content: bytes) -> None:
        calendar = self.server.calendar
        calendar.asked.append(f"{self.command} {self.path}")
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        if status == 302:
            self.send_header("Location", calendar.address)
        self.end_headers()
        for one in content if calendar.pause else ():
            time.sleep(calendar.pause)
            self.wfile.write(bytes([one]))
        if not calendar.pause:
            self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401 - as the library has it
        """Say nothing."""

    def handle(self) -> None:
        try:
            super().handle()
        except ConnectionError:
            """Whoever asked has gone."""


@contextmanager
def calendar_server() -> Iterator[Calendar]:
    """A calendar that answers while the context lasts."""
    with _Server(("127.0.0.1", 0), _Handler) as server:
        server.calendar = Calendar(f"http://127.0.0.1:{server.server_port}")
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server.calendar
        server.shutdown()
