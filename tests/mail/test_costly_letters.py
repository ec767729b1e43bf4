"""Letters that cost time, or end the process that handles them: others do not wait for them."""

from __future__ import annotations

import os
import signal
import threading
import time
from datetime import timedelta
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from referee.desk import Incoming
from referee.game import GameFile
from referee.mail.handlers import pipeline
from referee.mail.handlers.pipeline import ATTEMPTS, handle_waiting
from referee.mail.host.host import open_game
from referee.mail.intake.letter import Letter
from referee.mail.office import Office, now, office_in
from referee.mail.transport.receipt import receive
from tests.mail.attacks import ATTACKS, GAME
from tests.support.correspondence import BEGIN, address, corresponding
from tests.support.servers import Client, desk_at, eventually, folder_of, free_port, letter, listener
from tests.support.timing import within

DEAREST = 1.0
"""Maximum seconds of processor time for a letter, and maximum delay of a greeting."""


def with_a_game(office: Office, name: str = GAME) -> None:
    """A game in which the writer of the attacks has a seat."""
    addresses = {"south": "ada@example.com", "north": "ben@example.com"}
    open_game(office, name, GameFile("beams"), now(), terms=None, addresses=addresses)


def killed_by_it(folder: Path) -> None:
    """A worker that is killed while it handles a letter."""

    def kill(*_: Any) -> None:  # noqa: ANN401
        with (folder / "kills").open("a") as file:
            file.write("x")
        os.kill(os.getpid(), signal.SIGKILL)

    with office_in(folder) as office, mock.patch.object(pipeline, "handle", kill):
        handle_waiting(office, now() + timedelta(days=1))


@pytest.mark.slow
def test_a_letter_that_kills_its_worker_is_set_aside(tmp_path: Path) -> None:
    context = get_context("forkserver")
    with desk_at(tmp_path / "desk") as office:
        receive(office, letter(), now())
        for number in range(2 * ATTEMPTS):
            worker = context.Process(target=killed_by_it, args=(office.folder,))
            worker.start()
            worker.join(60)
            if office.desk.upkeep.counts()["aside"]:
                break
            assert worker.exitcode == -signal.SIGKILL, number
        assert 1 < len((office.folder / "kills").read_text()) <= ATTEMPTS
        ((_, why),) = office.desk.inbox.aside()
        assert "ended the process" in why


@pytest.mark.slow
def test_an_attempt_counts_before_it_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the process ended each time: nothing after `begin` happens."""
    tried: list[int] = []

    def gone(_: Office, stored: Incoming, __: object) -> None:
        tried.append(stored.attempts)
        raise SystemExit

    folder = folder_of(tmp_path / "desk")
    with office_in(folder) as office:
        receive(office, letter(), BEGIN)
    monkeypatch.setattr(pipeline, "handle", gone)
    for _ in range(3 * ATTEMPTS):
        with office_in(folder) as office:
            try:
                handle_waiting(office, BEGIN)
            except SystemExit:
                continue
            assert office.desk.upkeep.counts()["aside"] == 1
    assert 1 < len(tried) <= ATTEMPTS


def test_a_letter_that_fails_is_tried_five_times(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def fails(_: Office, stored: Incoming, __: object) -> None:
        tried.append(stored.digest)
        raise ZeroDivisionError

    monkeypatch.setattr(pipeline, "handle", fails)
    with desk_at(tmp_path / "desk") as office:
        receive(office, letter(), BEGIN)
        for day in range(9):
            handle_waiting(office, BEGIN + timedelta(days=day))
        assert office.desk.upkeep.counts()["aside"] == 1
    assert len(tried) == ATTEMPTS


def test_a_letter_of_an_older_desk_is_handled(tmp_path: Path) -> None:
    with desk_at(tmp_path / "desk") as office:
        receive(office, letter(), BEGIN)
        with office.desk.games.database.engine.begin() as connection:
            connection.exec_driver_sql("update letter_in set attempts = 0")
    with office_in(tmp_path / "desk") as office:
        (stored,) = office.desk.inbox.waiting(BEGIN)
        assert office.desk.inbox.begin(stored) == 1
        assert handle_waiting(office, BEGIN) == 1
        assert office.desk.upkeep.counts()["waiting"] == 0
        assert office.desk.inbox.begin(stored) == 0


def test_the_first_attempt_of_the_process_that_stored_a_letter_is_counted_with_it(tmp_path: Path) -> None:
    with desk_at(tmp_path / "desk") as office:
        stored = receive(office, letter(), BEGIN)
        with office_in(tmp_path / "desk") as other:
            assert other.desk.inbox.begin(stored) == 2
        assert office.desk.inbox.begin(stored) == 1
        assert office.desk.inbox.begin(stored) == 3


@pytest.mark.slow
def test_a_strangers_letter_is_not_read_for_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    reading = Letter.reading

    def noted(letter: Letter, game: str | None) -> Any:  # noqa: ANN401
        read.append(letter.senders[0].address)
        return reading(letter, game)

    monkeypatch.setattr(Letter, "reading", noted)
    with corresponding(tmp_path) as post:
        post.open("beams")
        post.write("south", "resign", sender="mallory@example.com", to="desk+spring-7@example.org")
        assert read == []
        post.write("south", "board")
        assert read == ["south@players.example"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ATTACKS)
def test_no_letter_costs_a_second_to_deal_with(name: str, tmp_path: Path) -> None:
    with desk_at(tmp_path / "desk") as office:
        with_a_game(office)
        stored = receive(office, ATTACKS[name](), now())
        pipeline.handle(office, stored, now())
        with within(DEAREST):
            pipeline.handle(office, stored, now())
        handle_waiting(office, now())
        assert office.desk.upkeep.counts()["aside"] == 0


@pytest.mark.slow
@pytest.mark.timing
def test_no_letter_keeps_others_waiting(tmp_path: Path) -> None:
    """A greeting comes within a second, even while the same process handles such a letter."""
    with desk_at(tmp_path / "desk", listen=free_port()) as office, listener(office) as port:
        with_a_game(office)
        worst = list(ATTACKS.values())[:60]
        for attack in worst:
            receive(office, attack(), now())
        worker = threading.Thread(target=handle_waiting, args=(office, now()))
        worker.start()
        late, greeted = 0.0, 0
        while worker.is_alive():
            start = time.monotonic()
            with Client(port):
                late, greeted = max(late, time.monotonic() - start), greeted + 1
            time.sleep(0.02)
        worker.join()
        eventually(lambda: office.desk.upkeep.counts()["waiting"] == 0)
        print(f"{len(worst)} letters, {greeted} greetings, the slowest after {late:.2f} s")
        assert greeted
        assert late < DEAREST


@pytest.mark.slow
@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(
            ["P M2Q B3 1o aa bb cc dd ee ff", "P M1 ZZ9 9 aa bb cc dd ee ff", "P M1 ZZ9 9 gg hh ii jj kk ll"],
            marks=pytest.mark.slow,
        ),
        pytest.param(
            [f"legal {start}" for start in ("P M1", "P M2", "P M3", "P S", "P B", "P", "P M", "R", "p m4")],
            marks=pytest.mark.slow,
        ),
        ["rotate b3 left", "legal", "P M9 B3 12", "P S ZZ99"],
        pytest.param(
            ["try P M9 B3 12 | P S ZZ99", "try P S ZZ99", "try P M1 A2 12 | P M9 B3 12", "notation", "rules"],
            marks=pytest.mark.slow,
        ),
    ],
    ids=["failed", "legal", "spoken", "tried"],
)
def test_no_letter_costs_a_second_on_the_largest_board(tmp_path: Path, lines: list[str]) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams", options={"columns": 51, "rows": 26})
        to = str(post.letters[address("south")][0]["Reply-To"])
        head = f"From: {address('south')}\nTo: {to}\n\n"
        receive(post.office, f"{head}board\n".encode(), post.at)
        handle_waiting(post.office, post.at)
        receive(post.office, (head + "\n".join(lines)).encode(), post.at)
        with within(DEAREST):
            handle_waiting(post.office, post.at)
        assert post.office.desk.upkeep.counts()["to-send"] == 2
