"""The numbers of a desk: they are right, Prometheus can read them, and they contain no secret."""

from __future__ import annotations

import asyncio
import http.client
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path

import pytest

from referee.desk import Change, Held, acts, seat_token
from referee.errors import RefereeError
from referee.mail.host import host
from referee.mail.host.metrics import TYPE, Meter, exposition
from referee.mail.office import KILLED
from referee.mail.transport.http import READERS, publish
from referee.mail.transport.receipt import receive
from tests.support.correspondence import GAME, corresponding
from tests.support.servers import free_port, letter

_SAMPLE = re.compile(r'(referee_[a-z_]+)(?:\{((?:[a-z]+="[a-z0-9.-]+",?)+)\})? (-?[0-9.e+-]+)')


def numbers(text: str) -> dict[str, float]:
    """The samples of a text in Prometheus' format, with every line checked."""
    known, found = "", {}
    assert text.endswith("\n")
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word == "#":
            kind, name, said = rest.split(" ", 2)
            assert kind == "HELP" or (name == known and said in ("gauge", "counter"))
            known = name
            continue
        sample = _SAMPLE.fullmatch(line)
        assert sample is not None, line
        assert sample[1] == known
        name = sample[1].removeprefix("referee_")
        key = f"{name}{{{sample[2]}}}" if sample[2] else name
        assert key not in found
        found[key] = float(sample[3])
    return found


@pytest.mark.slow
def test_the_numbers_are_right_and_tell_nothing_secret(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams", {"days": 1})
        host.order_by_host(post.office, GAME, acts.Extend(2, "south"), post.at)
        post.collect()
        post.pass_time(3)
        post.write("south", "P M1 A2 12")
        post.write("south", "nonsense or so")
        post.post(b"From: mailer-daemon@mx.example\n\nno\n")
        for number, note in enumerate((KILLED, "our own fault at secret@example.org")):
            stored = receive(post.office, letter(f"{number}"), post.at, sender="eve@evil.example")
            post.office.desk.inbox.postpone(stored, None, note)
        receive(post.office, letter("later"), post.at)
        post.pass_time(1)
        text = exposition(post.office, post.at)
        found = numbers(text)
        for key, number in {
            'letters_in{verdict="moved"}': 1,
            'letters_in{verdict="nothing-asked"}': 1,
            'letters_in{verdict="bounce"}': 1,
            'letters_in{verdict="aside"}': 2,
            'letters_in{verdict="waiting"}': 1,
            'letters_limited{limit="kill"}': 1,
            'letters_limited{limit="size"}': 0,
            'letter_handling_seconds{quantile="1"}': 0,
            "letters_in_oldest_seconds": 3600,
            "outbox_oldest_seconds": 0,
            'games{rules="beams",state="running"}': 1,
            'deadlines_soon{hours="1"}': 0,
            'deadlines_soon{hours="24"}': 1,
            "deadlines_overdue": 0,
            "seats_unreached": 0,
        }.items():
            assert found[key] == number, (key, text)
        assert sum(number for key, number in found.items() if key.startswith("letters_out{")) == 7
        seats = [seat_token(post.office.desk.key, post.state, side) for side in post.state.players]
        for secret in ("@", "example", GAME, "South", "nonsense", *seats):
            assert secret not in text
        post.pass_time(48)
        host.order_by_host(post.office, GAME, acts.Pause("ill"), post.at)
        assert numbers(exposition(post.office, post.at))['games{rules="beams",state="paused"}'] == 1
        host.order_by_host(post.office, GAME, acts.Adjudicate("south"), post.at)
        assert numbers(exposition(post.office, post.at))['games{rules="beams",state="over"}'] == 1


@pytest.mark.slow
def test_numbers_of_many_games_need_no_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams", {"days": 1})
        with monkeypatch.context() as without:
            without.setattr(post.office.desk.games, "held", None)
            assert numbers(exposition(post.office, post.at))['games{rules="beams",state="running"}'] == 1


def test_notes_of_others_are_no_labels(tmp_path: Path) -> None:
    """For any note, a label is a word of ours, or `other`."""
    with corresponding(tmp_path / "desk") as post:
        notes = ('x"}\n', "south: a@b", "south: \xc9", "south: x y z", "list: of ours", "a: b" * 99)
        for number, note in enumerate(notes):
            stored = receive(post.office, letter(f"{number}"), post.at)
            change = Change(note=note)
            post.office.desk.games.handle(stored, None, post.at, partial(_given, change))
        found = numbers(exposition(post.office, post.at))
        assert {key for key in found if key.startswith("letters_in{")} == {
            f'letters_in{{verdict="{word}"}}' for word in ("arranged", "other", "list")
        }


def test_the_work_of_parts_is_counted() -> None:
    meter = Meter()
    for done in (3, None, 4):
        meter.count("letters", 0.5, done)
    found = numbers("".join(map(str, meter.families())))
    wanted = {"rounds": 3, "faults": 1, "items": 7, "seconds": 1.5}
    assert found == {f'work_{name}_total{{part="letters"}}': number for name, number in wanted.items()}


def _given(change: Change, _: Held) -> Change:
    return change


@contextmanager
def published(page: Callable[[], str]) -> Iterator[int]:
    """The numbers at a port, served by a thread."""
    port, ready, ended, loop = free_port(), threading.Event(), asyncio.Event(), asyncio.new_event_loop()

    async def serve() -> None:
        async with publish(port, page, TYPE):
            ready.set()
            await ended.wait()

    def run() -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(serve())

    thread = threading.Thread(target=run)
    thread.start()
    assert ready.wait(10)
    try:
        yield port
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(20)


def asked(port: int, method: str = "GET", path: str = "/metrics", host: str = "127.0.0.1") -> tuple[int, str, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    with closing(connection):
        connection.request(method, path, headers={"Host": host})
        response = connection.getresponse()
        return response.status, response.headers["Content-Type"], response.read().decode()


def test_over_http() -> None:
    pages = ["a 2\n", "a 1\n"]
    with published(pages.pop) as port:
        assert asked(port) == (200, TYPE, "a 1\n")
        assert asked(port, "HEAD")[::2] == (200, "")
        assert asked(port)[0] == 503, "whatever fails while it counts is no secret told"
        assert asked(port, "POST")[0] == 405
        assert asked(port, path="/")[0] == 404
        assert asked(port, path="/metrics?x=1")[0] == 503
        for junk in (b"\xff\xfe\r\n\r\n", b"GET\r\n\r\n", b"GET /metrics" + b"x" * 20_000 + b"\r\n\r\n", b""):
            with socket.create_connection(("127.0.0.1", port), timeout=10) as sock:
                sock.sendall(junk)
                sock.shutdown(socket.SHUT_WR)
                assert b"200" not in sock.recv(1000)
        with ExitStack() as idle:
            address = ("127.0.0.1", port)
            waiting = [idle.enter_context(socket.create_connection(address, timeout=10)) for _ in range(READERS + 3)]
            assert waiting[0].recv(10) == b"", "the oldest makes room"
            waiting[-1].sendall(b"GET / HTTP/1.1\r\n\r\n")
            assert waiting[-1].recv(12) == b"HTTP/1.1 404"
        assert asked(port, path="/")[0] == 404


def test_slow_clients_hold_nothing_up() -> None:
    """Neither those that send a byte now and then, nor those that never read their answer."""
    with ExitStack() as slow, published(lambda: "a 1\n" * 4_000_000) as port:
        for number in range(2 * READERS):
            client = slow.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
            client.sendall(b"GET /metrics HTTP/1.1\r\n\r\n" if number < 2 else b"G")
        for _ in range(3):
            begun = time.monotonic()
            assert asked(port, path="/")[0] == 404
            assert time.monotonic() - begun < 2
        begun = time.monotonic()
    assert time.monotonic() - begun < 4, "the desk ends although they are there"


def test_a_page_of_others_reads_no_numbers() -> None:
    """A browser on this machine asks under the name of the page, although that name leads here."""
    with published(lambda: "a 1\n") as port:
        for host in ("localhost", f"LocalHost:{port}", f"127.0.0.1:{port}"):
            assert asked(port, host=host)[0] == 200, host
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1.evil.example", "127.0.0.1@evil.example", ""):
            assert asked(port, host=host)[0] == 421, host


def test_a_port_that_is_taken() -> None:
    with published(lambda: "") as port:

        async def again() -> None:
            async with publish(port, lambda: "", TYPE):
                pass

        with pytest.raises(RefereeError, match="cannot listen at"):
            asyncio.run(again())
