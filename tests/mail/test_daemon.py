"""The desk as a process: letters in, answers out, and a clean end."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import cast
from unittest.mock import patch
from urllib.request import urlopen

import httpx2
import pytest
from sqlalchemy import update

from referee.desk import Change, Incoming, Pairing
from referee.desk.store.tables.schema import PROJECTION
from referee.game import GameFile
from referee.mail.browsers.browsers import Browsers
from referee.mail.host import daemon
from referee.mail.host.daemon import Routine, tell_systemd
from referee.mail.host.engine_room import EngineRoom
from referee.mail.host.host import open_game
from referee.mail.office import Office, now, office_in
from tests.support.correspondence import BEGIN, GAME, corresponding
from tests.support.processes import running, says
from tests.support.servers import Client, desk_at, eventually, folder_of, free_port, letter, queue, sink


@contextmanager
def served(folder: Path, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """`referee desk serve` as a process that has begun to listen."""
    command = [sys.executable, "-m", "referee", "desk", "serve", "--desk", str(folder)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment or None)
    try:
        assert process.stderr is not None
        assert "listening at 127.0.0.1:" in process.stderr.readline()
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.slow
def test_a_letter_is_answered_and_the_end_is_clean(tmp_path: Path) -> None:
    with sink() as server:
        numbers = free_port()
        folder = folder_of(tmp_path / "desk", listen=free_port(), send=server.port, metrics=numbers)
        with served(folder) as process, office_in(folder) as office:
            with Client(office.settings.listen.port) as client:
                assert client.hand_over(letter("help\n"))[0][0] == 250
            eventually(lambda: server.letters)
            queue(office, "ben@example.org")
            with Client(office.settings.listen.port) as client:
                assert client.hand_over(letter("help\n", sender="cy@example.org"))[0][0] == 250
            eventually(lambda: len(server.letters) == 3)
            eventually(lambda: office.desk.upkeep.counts()["to-send"] == 0)
            with urlopen(f"http://127.0.0.1:{numbers}/metrics", timeout=10) as page:
                assert b'\nreferee_work_items_total{part="letters"} 2\n' in page.read()
            process.send_signal(signal.SIGTERM)
            _, said = process.communicate(timeout=60)
            assert process.returncode == 0
            assert office.desk.upkeep.counts() == {"waiting": 0, "aside": 0, "to-send": 0, "unsent": 0}
    assert {recipient for _, recipient, _ in server.taken} == {f"{name}@example.org" for name in ("ada", "ben", "cy")}
    lines = said.splitlines()
    assert "referee: letters: 1 dealt with" in lines
    assert lines[-1] == "referee: ended"
    assert "help" not in said


@pytest.mark.slow
def test_an_engine_answers_a_move_on_the_pages_at_once(tmp_path: Path) -> None:
    """It does not wait for the next look for work."""
    with sink() as server:
        port = free_port()
        folder = folder_of(tmp_path / "desk", listen=free_port(), send=server.port)
        with (folder / "desk.yaml").open("a", encoding="utf-8") as file:
            file.write(f"pages: http://127.0.0.1:{port}\nweb: {{moves: submit, port: {port}}}\n")
        with office_in(folder) as office:
            south = {"south": "ada@players.example"}
            open_game(office, GAME, GameFile("boundary"), now(), terms=None, addresses=south, engines={"north": 1})
            pairing = Pairing(Browsers(office).digest("secret"), "ada@players.example", now())
            office.desk.games.change(None, now(), lambda _: Change(pairings=(pairing,)))
        with running("desk", "serve", "--desk", str(folder)) as process:
            says(process, "listening at 127.0.0.1:")
            url = f"http://127.0.0.1:{port}"
            with httpx2.Client(headers={"origin": url}, cookies={"seat-mine": "secret"}, timeout=30) as browser:
                for move in ("P a1-a2", "P a2-a3"):
                    key = browser.post(f"{url}/g/{GAME}/seat", json={}).json()["key"]
                    answer = browser.post(f"{url}/g/{GAME}/move", json={"key": key, "line": move}).json()
                    assert answer["answer"].startswith("Engine 1 answered ")


@pytest.mark.slow
def test_systemd_is_notified_when_letters_are_accepted(tmp_path: Path) -> None:
    address = str(tmp_path / "notify")
    folder = folder_of(tmp_path / "desk", listen=free_port())
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
        sock.bind(address)
        sock.settimeout(10)
        with served(folder, NOTIFY_SOCKET=address) as process:
            assert sock.recv(100) == b"READY=1"
            process.send_signal(signal.SIGINT)
            assert sock.recv(100) == b"STOPPING=1"
            assert process.wait(20) == 0


def test_an_abstract_socket_and_none(monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"referee-{free_port()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
        sock.bind(f"\0{name}")
        monkeypatch.setenv("NOTIFY_SOCKET", f"@{name}")
        tell_systemd("READY=1")
        assert sock.recv(100) == b"READY=1"
    tell_systemd("READY=1")
    monkeypatch.delenv("NOTIFY_SOCKET")
    tell_systemd("READY=1")


def test_a_part_that_fails_goes_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    worked: list[datetime] = []
    ended, outbox = asyncio.Event(), asyncio.Event()

    def work(_: Office, at: datetime) -> int:
        worked.append(at)
        if len(worked) == 3:
            ended.set()
        return 7 // (len(worked) - 1)

    with desk_at(tmp_path / "desk") as office:
        asyncio.run(daemon.run(Routine("part", work, 0.01, "{} done"), office, (outbox,), ended))
    assert len(worked) == 3
    assert "part: ZeroDivisionError" in caplog.text
    assert outbox.is_set()


def test_letters_that_another_process_took_are_handled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that handles letters also looks by itself."""
    seen: list[Incoming] = []
    ended, outbox = asyncio.Event(), asyncio.Event()

    def look(office: Office, at: datetime) -> int:
        seen.extend(office.desk.inbox.waiting(at))
        return len(seen)

    part = Routine("letters", look, 0.01, "{}")

    async def both(office: Office) -> None:
        task = asyncio.create_task(daemon.run(part, office, (outbox,), ended))
        await asyncio.sleep(0.03)
        await asyncio.to_thread(office.desk.inbox.receive, letter(), now())
        while not seen:
            await asyncio.sleep(0.01)
        ended.set()
        await task

    with desk_at(tmp_path / "desk") as office:
        asyncio.run(both(office))


def test_a_start_reads_no_log_and_forgets_what_is_due_only_where_a_zone_is_unknown(tmp_path: Path) -> None:
    """So a log that is damaged does not keep a desk from starting."""
    with corresponding(tmp_path / "desk") as post, patch.object(post.office.desk.games, "held", None):
        store = post.office.desk
        post.office.desk.games.follow_zones()
        assert store.catalogue.due(BEGIN) == []
    with corresponding(tmp_path / "other") as post:
        store = post.office.desk
        post.open("beams", {"days": 5})
        post.office.desk.games.follow_zones()
        assert store.catalogue.due(BEGIN) == [GAME], "its zone is new"
        store.games.rebuild()
        post.office.desk.tick(BEGIN)
        with patch.object(store.games, "held", None):
            post.office.desk.games.follow_zones()
            assert store.catalogue.due(BEGIN) == []
            with store.games.database.transaction() as connection:
                connection.execute(update(PROJECTION).values(value="{}"))
            post.office.desk.games.follow_zones()
            assert store.catalogue.due(BEGIN) == [GAME], "nobody knows its zone"
        store.games.glances()
        post.office.desk.tick(BEGIN)


def test_engines_make_no_move_at_a_time_that_the_watch_has_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[datetime] = []

    class Room(EngineRoom):
        def play(self, office: Office, clock: Callable[[], datetime] = now) -> int:
            told.append(clock())
            return 0

    monkeypatch.setattr(daemon, "steady", iter((10.0, 12.0)).__next__)
    daemon.play(Room(1))(cast(Office, None), BEGIN)
    assert told == [BEGIN + timedelta(seconds=2)], "whatever the machine's clock says by now"
