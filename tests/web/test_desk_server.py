"""The pages as really served: streams, signals, and a store that reading does not change."""

from __future__ import annotations

import hashlib
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.request import urlopen

import httpx2
import pytest

from tests.support.processes import running, says
from tests.support.rows import each
from tests.support.servers import eventually, folder_of, free_port, sink
from tests.support.sites import URL, club, served_club

pytestmark = pytest.mark.slow

PATHS = (
    "/",
    "/g/spring-7",
    "/g/spring-7?ply=1",
    "/g/spring-7/board.svg",
    "/g/spring-7/feed",
    "/g/spring-7/game.yaml",
)


def test_a_stream_tells_of_each_new_entry(tmp_path: Path) -> None:
    with served_club(tmp_path) as (here, url):
        here.open("spring-7", "boundary")
        with httpx2.stream("GET", f"{url}/g/spring-7/events", timeout=20) as stream:
            assert stream.headers["content-type"] == "text/event-stream; charset=utf-8"
            lines = stream.iter_lines()
            assert [next(lines) for _ in range(5)] == ["retry: 5000", "", "event: head", "id: 0", "data: 0"]
            for _ in here.play("spring-7", 1):
                pass
            told = [line for line, _ in zip(lines, range(4), strict=False)]
            number = here.desk.state("spring-7").number
            assert told == ["", "event: head", f"id: {number}", f"data: {number}"]


@pytest.mark.timing
def test_answers_on_a_kept_connection_do_not_wait_for_acknowledgements(tmp_path: Path) -> None:
    with served_club(tmp_path) as (here, _):
        here.open("spring-7", "boundary")
        begin = time.perf_counter()
        for _ in range(50):
            here.get("/g/spring-7")
        # With Nagle's algorithm, each of them waits 40 ms.
        assert time.perf_counter() - begin < 1.5


def test_many_reads_change_nothing(tmp_path: Path) -> None:
    with club(tmp_path) as here:
        here.open("spring-7", "the-beam")
        for _ in here.play("spring-7", 9):
            pass
        paths = [
            *PATHS,
            "/games/running",
            "/p/Ada",
            "/static/pages.js",
            "/g/none",
            "/g/spring-7?view=p3",
            "/g/spring-7/board.css",
        ]
        paths += [f"/g/spring-7/choices?side={side}" for side in here.desk.state("spring-7").position.sides]
        paths.append(f"/calendar/{here.desk.key.calendar('ada@players.example')}.ics")
        before = kept(tmp_path)
        for number in range(3_000):
            assert here.browser.get(paths[number % len(paths)]).status_code in (200, 404)
        assert kept(tmp_path) == before


def kept(folder: Path) -> dict[str, str]:
    """The content of the store's files, without the shared memory of the processes that have it open."""
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.iterdir())
        if not path.name.endswith("-shm")
    }


def settings(folder: Path, port: int) -> str:
    with (folder / "desk.yaml").open("a", encoding="utf-8") as file:
        file.write(f"pages: {URL}\nweb: {{port: {port}}}\n")
    return f"http://127.0.0.1:{port}"


@each((("serve",), ("pages",)))
def test_a_desk_serves_its_pages(command: tuple[str, ...], tmp_path: Path) -> None:
    with sink() as server:
        folder = folder_of(tmp_path / command[0], listen=free_port(), send=server.port)
        url = settings(folder, free_port())
        process = subprocess.Popen(
            [sys.executable, "-m", "referee", "desk", *command, "--desk", str(folder)],
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            page = eventually(lambda: opened(url))
            assert b"The referee" in page
            process.send_signal(signal.SIGTERM)
            _, said = process.communicate(timeout=60)
            assert process.returncode == 0
            assert f"referee: pages at {url} for {URL}" in said
            assert said.splitlines()[-1] == "referee: ended"
        finally:
            process.kill()
            process.communicate()


@contextmanager
def pages_alone(folder: Path, port: int) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`desk pages` of a new desk, and the address at which it listens."""
    folder_of(folder, listen=free_port())
    url = settings(folder, port)
    with running("desk", "pages", "--desk", str(folder)) as process:
        says(process, "pages at")
        yield process, url


def test_pages_alone_end_soon_in_any_state(tmp_path: Path) -> None:
    port = free_port()
    with pages_alone(tmp_path / "desk", port) as (process, _), ExitStack() as stack:
        for head in (
            b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 200,
            b"POST /seat HTTP/1.1\r\nContent-Length: 9\r\n\r\nx",
            b"GE",
        ):
            client = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            client.sendall(head)
        begin = time.monotonic()
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
        assert time.monotonic() - begin < 6


def test_pages_alone_read_the_settings_again_after_sighup(tmp_path: Path) -> None:
    old, new = free_port(), free_port()
    folder = tmp_path / "desk"
    with pages_alone(folder, old) as (process, url):
        right = (folder / "desk.yaml").read_text(encoding="utf-8")
        for wrong in ("address: [\n", right.replace(f"pages: {URL}\n", "")):
            (folder / "desk.yaml").write_text(wrong, encoding="utf-8")
            process.send_signal(signal.SIGHUP)
            says(process, "these cannot be used, and the old ones go on")
            assert opened(url)
        (folder / "desk.yaml").write_text(right.replace(str(old), str(new)), encoding="utf-8")
        process.send_signal(signal.SIGHUP)
        says(process, "settings: read again")
        says(process, "pages at")
        assert opened(f"http://127.0.0.1:{new}")
        assert not opened(url)
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0


def test_pages_that_cannot_listen_say_so(tmp_path: Path) -> None:
    with sink() as server:
        folder = folder_of(tmp_path / "desk", listen=free_port(), send=server.port)
        settings(folder, server.port)
        for command in ("serve", "pages"):
            done = subprocess.run(
                [sys.executable, "-m", "referee", "desk", command, "--desk", str(folder)],
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
            assert done.returncode == 1
            assert f"listen: cannot listen at 127.0.0.1:{server.port}" in done.stderr
            assert "Traceback" not in done.stderr


def opened(url: str) -> bytes:
    try:
        with urlopen(url, timeout=10) as page:
            return bytes(page.read())
    except OSError:
        return b""
