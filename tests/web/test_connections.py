"""Clients that send nothing, send too slowly, or send two requests in one, keep no others out."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx2
import pytest

from tests.support.rows import each
from tests.support.sites import club, served_club

HEAD = b"POST /g/spring-7/trial?side=south HTTP/1.1\r\nHost: desk.example.org\r\n"
INNER = b"0\r\n\r\nGET /static/pages.css HTTP/1.1\r\nHost: desk.example.org\r\n\r\n"


@pytest.fixture
def port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A port of pages with shorter timeouts and fewer connections."""
    monkeypatch.setattr("referee.web.site.server.ARRIVAL", 0.5)
    monkeypatch.setattr("referee.web.site.server.MOST_CONNECTIONS", 20)
    with served_club(tmp_path) as (here, url):
        here.open("spring-7", "boundary")
        yield int(url.rpartition(":")[2])


def connection(port: int, sent: bytes) -> socket.socket:
    opened = socket.create_connection(("127.0.0.1", port), timeout=20)
    opened.sendall(sent)
    return opened


def answer(port: int, sent: bytes) -> bytes:
    """All that comes back until the server ends the connection."""
    with connection(port, sent) as opened:
        return b"".join(iter(lambda: opened.recv(65_536), b""))


def get(port: int) -> int:
    return httpx2.get(f"http://127.0.0.1:{port}/", timeout=20).status_code


@pytest.mark.slow
@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nX: ", HEAD + b"Content-Length: 3\r\n\r\na"])
def test_a_request_that_does_not_come_is_not_waited_for(port: int, begun: bytes) -> None:
    assert b" 200 " not in answer(port, begun)


@pytest.mark.slow
def test_a_request_in_time_is_answered_after_another(port: int) -> None:
    with connection(port, b"") as opened:
        for _ in range(3):
            opened.sendall(b"GET /games/running HTTP/1.1\r\nHost: desk.example.org\r\n\r\n")
            told = b""
            while not told.endswith(b"</html>"):
                told += opened.recv(65_536)
            assert told.startswith(b"HTTP/1.1 200 ")


@pytest.mark.slow
def test_many_silent_clients_keep_no_others_out(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.web.site.server.ARRIVAL", 60)
    with ExitStack() as idle:
        for number in range(60):
            idle.enter_context(connection(port, b"GET / HTTP/1.1\r\n" if number % 2 else b""))
        assert get(port) == 200


@pytest.mark.slow
@each((b"Content-Length: 3\r\nTransfer-Encoding: chunked", b"Transfer-Encoding: chunked\r\nContent-Length: 40"))
def test_a_body_ends_at_one_place(fields: bytes, port: int) -> None:
    told = answer(port, HEAD + fields + b"\r\n\r\n" + INNER)
    assert told.startswith(b"HTTP/1.1 400 ")
    assert told.count(b"HTTP/1.1 ") == 1


def test_too_large_a_head_is_refused(tmp_path: Path) -> None:
    with club(tmp_path) as here:
        here.get("/", x="a" * 16_000)
        here.get("/", 431, x="a" * 17_000)


@pytest.mark.slow
def test_a_client_that_leaves_before_its_body_is_complete_is_no_fault(
    port: int, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        connection(port, HEAD + b"Content-Length: 30\r\n\r\n").close()
        assert answer(port, HEAD + b"Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n").startswith(b"HTTP/1.1 400 ")
        assert get(port) == 200
    assert not [one for one in caplog.records if "ClientDisconnect" in one.getMessage()]
