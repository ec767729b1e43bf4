"""`referee serve` ends within six seconds of SIGTERM, with status 0 and without output, in any state."""

from __future__ import annotations

import http.client
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from urllib.parse import urlsplit

import pytest

pytestmark = pytest.mark.slow

SECONDS = 6.0
COSTLY = b'{"game":"beams","options":{"columns":51,"rows":26},"moves":"P M1 A2 A2 A2"}\n' * 12_000


def ask(host: str, port: int, method: str, path: str, body: bytes = b"") -> None:
    connection = http.client.HTTPConnection(host, port, timeout=60)
    with closing(connection), suppress(OSError, http.client.HTTPException):
        connection.request(method, path, body)
        connection.getresponse().read()


@contextmanager
def pictures(host: str, port: int) -> Iterator[None]:
    """Sixteen clients that ask for pictures without a pause."""
    done = threading.Event()

    def go_on() -> None:
        while not done.wait(0.01):
            ask(host, port, "GET", "/api/v1/board.png?game=beams")

    with asking(go_on, 16):
        try:
            yield
        finally:
            done.set()


@contextmanager
def costly(host: str, port: int) -> Iterator[None]:
    """More costly requests than there are workers."""
    with asking(lambda: ask(host, port, "POST", "/api/v1/check?suggest=true&file=x.jsonl", COSTLY), 6):
        yield


@contextmanager
def asking(work: Callable[[], None], number: int) -> Iterator[None]:
    threads = [threading.Thread(target=work, daemon=True) for _ in range(number)]
    for one in threads:
        one.start()
    yield
    for one in threads:
        one.join(10)


@contextmanager
def half_a_request(host: str, port: int) -> Iterator[None]:
    """A client that stops in the middle of its body, one in its header, and one that sends nothing."""
    begun = (b"POST /api/v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\ngame", b"GET /api HT", b"")
    made = [socket.create_connection((host, port)) for _ in begun]
    for one, text in zip(made, begun, strict=True):
        one.sendall(text)
    yield
    for one in made:
        one.close()


@contextmanager
def unread(host: str, port: int) -> Iterator[None]:
    """Clients that take no answer, and ask again and again."""
    made = [socket.create_connection((host, port)) for _ in range(4)]
    for one in made:
        one.settimeout(1)
        with suppress(OSError):
            one.sendall(b"GET /api/v1/board.svg?game=beams HTTP/1.1\r\nHost: localhost\r\n\r\n" * 300)
    yield
    for one in made:
        one.close()


@contextmanager
def idle(host: str, port: int) -> Iterator[None]:
    """No client at all."""
    yield


@pytest.mark.parametrize("busy", [idle, half_a_request, unread, costly, pictures])
@pytest.mark.parametrize("after", [0.0, 2.0])
def test_it_ends_soon_in_any_state(busy: Callable[[str, int], AbstractContextManager[None]], after: float) -> None:
    command = [sys.executable, "-m", "referee", "serve", "--port", "0", "-j", "1", "--rate", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stderr is not None
            where = urlsplit(process.stdout.readline().split()[-1])
            assert where.hostname is not None
            assert where.port is not None
            with busy(where.hostname, where.port):
                time.sleep(after)
                begin = time.monotonic()
                process.send_signal(signal.SIGTERM)
                status = process.wait(30)
                took = time.monotonic() - begin
            assert (status, process.stderr.read()) == (0, "")
            assert took < SECONDS
        finally:
            process.kill()
