"""`desk serve` ends soon after SIGTERM in any state, begins again after SIGHUP, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from referee.desk import LEASE
from referee.game import GameFile
from referee.mail.host.host import open_game
from referee.mail.office import now, office_in
from tests.support.command_line import referee
from tests.support.processes import all_end, children, running, says
from tests.support.servers import Client, Sink, eventually, folder_of, free_port, letter, queue, sink

pytestmark = pytest.mark.slow

SECONDS = 6.0


class Slow(Sink):
    """A mail server that takes a while for each letter."""

    async def handle_DATA(self, server, session, envelope):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN201, N802
        time.sleep(0.2)
        return await super().handle_DATA(server, session, envelope)


def opened(folder: Path, *, engine: int) -> None:
    with office_in(folder) as office:
        file = GameFile("laser-chess")
        addresses = {"red": "ada@example.org"}
        open_game(office, "game-1", file, now(), terms=None, addresses=addresses, engines={"blue": engine})


@contextmanager
def serving(folder: Path) -> Iterator[subprocess.Popen[str]]:
    with running("desk", "serve", "--desk", str(folder)) as process:
        says(process, "listening at")
        yield process


@contextmanager
def silent_server() -> Iterator[int]:
    """A server that accepts connections, and sends nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield int(server.getsockname()[1])


@contextmanager
def idle(folder: Path) -> Iterator[None]:
    yield


@contextmanager
def much_to_send(folder: Path) -> Iterator[None]:
    with office_in(folder) as office:
        queue(office, *(f"ada-{number}@example.org" for number in range(1000)))
    yield


@contextmanager
def much_to_read(folder: Path) -> Iterator[None]:
    with office_in(folder) as office:
        for number in range(1500):
            office.desk.inbox.receive(letter("help\n", f"ada-{number}@example.org"), now(), envelope=b"")
    yield


@contextmanager
def silent_mail_server(folder: Path) -> Iterator[None]:
    with silent_server() as port, office_in(folder) as office:
        queue(office, "ada@example.org")
        add(folder, f"send: {{port: {port}}}\n")
        yield


@contextmanager
def silent_mailbox(folder: Path) -> Iterator[None]:
    with silent_server() as port:
        password = folder / "password"
        password.touch(0o600)
        password.write_text("secret")
        imap = f"imap: {{host: 127.0.0.1, port: {port}, user: desk, password-file: password, security: none}}\n"
        add(folder, imap)
        yield


@contextmanager
def a_thinking_engine(folder: Path) -> Iterator[None]:
    add(folder, "engines: {cores: 1}\n")
    opened(folder, engine=8)
    yield


@contextmanager
def pages(folder: Path) -> Iterator[None]:
    add(folder, f"pages: http://localhost\nweb: {{port: {free_port()}}}\n")
    opened(folder, engine=1)
    yield


def add(folder: Path, lines: str) -> None:
    """Add settings; one that is there is replaced."""
    path = folder / "desk.yaml"
    names = [line.partition(":")[0] for line in lines.splitlines()]
    kept = [one for one in path.read_text().splitlines() if one.partition(":")[0] not in names]
    path.write_text("\n".join([*kept, lines]))


def hang(folder: Path, stack: ExitStack) -> None:
    """Leave a letter open in the middle, and connections that say nothing; follow a game, if there are pages."""
    with office_in(folder) as office:
        settings = office.settings
    client = stack.enter_context(Client(settings.listen.port))
    client.mail("ada@example.org")
    client.rcpt("desk@example.org")
    client.docmd("DATA")
    client.send(b"Subject: half a let")
    stack.enter_context(socket.create_connection(("127.0.0.1", settings.listen.port)))
    if settings.pages is not None:
        stack.enter_context(urlopen(f"http://127.0.0.1:{settings.web.port}/g/game-1/events"))
        stack.enter_context(socket.create_connection(("127.0.0.1", settings.web.port))).sendall(b"GET / HT")


WORK = [idle, much_to_send, much_to_read, silent_mail_server, silent_mailbox, a_thinking_engine, pages]


@pytest.mark.parametrize("work", WORK, ids=lambda work: work.__name__)
def test_it_ends_soon_in_any_state(work: Callable[[Path], AbstractContextManager[None]], tmp_path: Path) -> None:
    with sink(kind=Slow) as server, ExitStack() as stack:
        folder = folder_of(tmp_path / "desk", listen=free_port(), send=server.port)
        stack.enter_context(work(folder))
        process = stack.enter_context(serving(folder))
        hang(folder, stack)
        time.sleep(1.5)
        started = children(process.pid)
        begin = time.monotonic()
        process.send_signal(signal.SIGTERM)
        status = process.wait(60)
        assert (status, time.monotonic() - begin < SECONDS) == (0, True)
        all_end(started, SECONDS)


def test_the_letters_after_the_one_in_hand_are_not_lost(tmp_path: Path) -> None:
    with sink(kind=Slow) as server:
        folder = folder_of(tmp_path / "desk", listen=free_port(), send=server.port)
        with office_in(folder) as office:
            queue(office, *(f"ada-{number}@example.org" for number in range(40)))
            with serving(folder) as process:
                eventually(lambda: len(server.taken) > 2)
                process.send_signal(signal.SIGTERM)
                assert process.wait(30) == 0
            left = office.desk.upkeep.counts()["to-send"]
            assert 0 < left == 40 - len(server.taken)
            assert office.desk.outbox.taken(now()) == (0, None)
            with serving(folder) as process:
                eventually(lambda: len(server.taken) == 40)
    assert len({recipient for _, recipient, _ in server.taken}) == 40


def test_after_a_kill_nothing_lives_on_and_all_is_taken_up_within_seconds(tmp_path: Path) -> None:
    with sink(kind=Slow) as server:
        folder = folder_of(tmp_path / "desk", listen=free_port(), send=server.port)
        add(folder, "engines: {cores: 1}\n")
        opened(folder, engine=8)
        with office_in(folder) as office:
            queue(office, *(f"ada-{number}@example.org" for number in range(30)))
            with serving(folder) as process:
                eventually(lambda: len(server.taken) > 2)
                eventually(lambda: len(children(process.pid)) >= 2)
                started = children(process.pid)
                process.kill()
                process.wait()
                all_end(started)
            assert office.desk.outbox.taken(now())[0]
            told = [referee("desk", *command, "--desk", str(folder)).out for command in (["status"], ["deliver"])]
            assert all("being sent; if the process that does it has ended, others go on by" in one for one in told)
            with serving(folder):
                limit = 2 * max(LEASE, LEASE).total_seconds()
                eventually(lambda: office.desk.upkeep.counts()["to-send"] == 0, limit)
                eventually(lambda: office.desk.state("game-1").plies, limit)


def test_new_settings_are_read_after_sighup(tmp_path: Path) -> None:
    old, new, numbers = free_port(), free_port(), free_port()
    folder = folder_of(tmp_path / "desk", listen=old)
    with serving(folder) as process:
        add(folder, "address: [\n")
        process.send_signal(signal.SIGHUP)
        says(process, "these cannot be used, and the old ones go on")
        Client(old).close()
        with socket.create_server(("127.0.0.1", 0)) as taken:
            add(folder, f"address: desk@example.org\nlisten: {{port: {taken.getsockname()[1]}}}\n")
            process.send_signal(signal.SIGHUP)
            assert "address already in use" in says(process, "the old ones go on")
        Client(old).close()
        add(folder, f"listen: {{port: {new}}}\nmetrics: {{port: {numbers}}}\n")
        for _ in range(3):
            process.send_signal(signal.SIGHUP)
        says(process, "settings: read again")
        says(process, f"listening at 127.0.0.1:{new}")
        with Client(new) as client:
            assert client.hand_over(letter("help\n"))[0][0] == 250
        with pytest.raises(OSError, match="refused"):
            Client(old)
        eventually(lambda: answers(numbers))
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0


def answers(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as page:
            return bool(page.read())
    except OSError:
        return False


def test_a_part_that_hangs_does_not_keep_new_settings_from_being_read(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "desk", listen=free_port())
    with silent_mail_server(folder), serving(folder) as process:
        time.sleep(1)
        process.send_signal(signal.SIGHUP)
        says(process, "listening at")
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0


def test_a_signal_at_the_start_ends_it_too(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "desk", listen=free_port())
    for pause in (1.0, 1.3, 1.6, 2.0):
        with running("desk", "serve", "--desk", str(folder)) as process:
            time.sleep(pause)
            os.kill(process.pid, signal.SIGTERM)
            assert process.wait(20) in (0, -signal.SIGTERM)
            assert process.stderr is not None
            assert "Traceback" not in process.stderr.read()
