"""`referee desk receive`, `tick` and `deliver`: the commands for a mail server and cron."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from referee.mail.handlers import pipeline
from referee.mail.intake.message.limits import LIMITS
from referee.mail.office import now, office_in
from referee.mail.transport import receipt
from tests.support.command_line import Run, process, referee
from tests.support.servers import folder_of, free_port, letter, queue, sink

TRY_AGAIN = 75


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return folder_of(tmp_path / "desk", send=free_port())


def receive(folder: Path, *arguments: object, stdin: bytes = letter()) -> Run:
    return referee("desk", "receive", "--desk", folder, *arguments, stdin=stdin)


@pytest.mark.slow
def test_a_letter_is_stored_and_handled(folder: Path) -> None:
    done = receive(folder, "--recipient", "desk+spring-7@example.org", "--sender", "ada@example.org")
    assert done == Run(0, "", "")
    with office_in(folder) as desk:
        assert desk.desk.upkeep.counts()["waiting"] == 0
        assert [one.recipient for one in desk.desk.outbox.take(now())] == ["ada@example.org"]


def test_an_empty_sender_is_a_report(folder: Path) -> None:
    with mock.patch.object(pipeline, "handle_waiting"):
        assert receive(folder, "--sender", "").status == 0
    with office_in(folder) as desk:
        assert desk.desk.inbox.waiting(now())[0].raw == b"Return-Path: <>\r\n" + letter()


def test_faults_of_a_letter_are_not_reported_to_the_mail_server(folder: Path) -> None:
    def failing(*_: Any) -> int:  # noqa: ANN401
        raise RuntimeError("our own fault\nwith what nobody should see")

    with mock.patch.object(pipeline, "handle_waiting", failing):
        done = receive(folder)
    assert done.status == 0
    assert done.out == ""
    with office_in(folder) as desk:
        assert desk.desk.upkeep.counts()["waiting"] == 1
    assert receive(folder, stdin=b"\xff\x00 no letter at all").status == 0


def test_a_letter_that_cannot_be_stored_comes_again(folder: Path, tmp_path: Path) -> None:
    def failing(*_: Any, **envelope: Any) -> None:  # noqa: ANN401
        raise OSError(28, "No space left on device")

    with mock.patch.object(receipt, "receive", failing):
        assert receive(folder) == Run(TRY_AGAIN, "", "OSError: [Errno 28] No space left on device\n")
    assert receive(tmp_path / "nowhere").status == TRY_AGAIN
    assert receive(folder, "--recipent", "desk@example.org").status == TRY_AGAIN, "a slip in the server's settings"
    assert receive(folder, "--imap") == Run(
        TRY_AGAIN, "", "imap: the settings name no mailbox and user under 'imap:'\n"
    )
    (folder / "desk.yaml").write_text("address: nonsense\n")
    done = receive(folder)
    assert done.status == TRY_AGAIN
    assert "desk.yaml:1:1: wrong-value: address" in done.err


def test_a_letter_that_is_too_large_is_taken_to_its_end(folder: Path) -> None:
    with mock.patch.object(pipeline, "handle_waiting"):
        assert receive(folder, stdin=letter() + b"x\r\n" * 4_000_000).status == 0
    with office_in(folder) as desk:
        assert len(desk.desk.inbox.waiting(now())[0].raw) == LIMITS.size + 1


def test_a_maildir(folder: Path, tmp_path: Path) -> None:
    mail = tmp_path / "mail"
    assert receive(folder, "--maildir", mail).status == TRY_AGAIN
    for name in ("new", "cur"):
        (mail / name).mkdir(parents=True)
    (mail / "new" / "1.mx").write_bytes(letter())
    assert receive(folder, "--maildir", mail) == Run(0, "", "")
    assert [path.name for path in (mail / "cur").iterdir()] == ["1.mx:2,S"]
    assert receive(folder, "--maildir", mail, "--sender", "ada@example.org").status == 2


@pytest.mark.slow
def test_the_outbox_and_the_clock(tmp_path: Path) -> None:
    with sink() as server:
        folder = folder_of(tmp_path / "desk", send=server.port)
        with office_in(folder) as desk:
            queue(desk, "ada@example.org")
        assert referee("desk", "deliver", "--desk", folder).lines == ["1 letter"]
        assert referee("desk", "deliver", "--desk", folder).lines == ["0 letters"]
        assert referee("desk", "tick", "--desk", folder).lines == ["0 entries"]
        assert len(server.taken) == 1
        with office_in(folder) as desk:
            queue(desk, "ben@example.org", "cy@example.org")
    done = referee("desk", "deliver", "--desk", folder)
    assert done.status == 1
    assert done.err.startswith("send: 127.0.0.1:")


def test_in_the_folder_that_the_environment_names(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_DESK", str(folder))
    assert referee("desk", "receive", stdin=letter()) == Run(0, "", "")
    assert referee("desk", "tick").lines == ["0 entries"]


@pytest.mark.slow
def test_as_a_process_in_the_folder_that_the_environment_names(folder: Path) -> None:
    done = process("desk", "receive", shell=f"< {folder}/desk.yaml", REFEREE_DESK=str(folder))
    assert done == Run(0, "", "")
    assert process("desk", "tick", REFEREE_DESK=str(folder)).lines == ["0 entries"]


@pytest.mark.slow
def test_the_host_acknowledges_filed_and_given_up_letters(folder: Path) -> None:
    def status() -> list[str]:
        lines = referee("desk", "status", "--desk", folder).lines
        return [line for line in lines if "filed" in line or "given up" in line]

    for number in range(3):
        receive(folder, stdin=letter(f"report {number}\n", "mailer-daemon@example.org"))
    with office_in(folder) as desk:
        (out,) = queue(desk, "ada@example.org")
        desk.desk.outbox.unsent(out, None, "550 no such user")
    first = status()
    assert (len(first), "1 given up" in first[0]) == (4, True)
    name = first[1].split()[2].rstrip(":")
    assert "acknowledged: 1 filed letter, 0 given up" in referee("desk", "acknowledge", name, "--desk", folder).out
    assert status() == [first[0], *first[2:]]
    again = referee("desk", "acknowledge", name, "--desk", folder)
    assert (again.status, "unknown-letter: no filed letter" in again.err) == (1, True)
    assert "acknowledged: 2 filed letters, 1 given up" in referee("desk", "acknowledge", "--desk", folder).out
    assert [line.endswith("0 given up") for line in status()] == [True]
    listed = referee("desk", "letters", "--desk", folder).out
    assert (listed.count("bounce: "), listed.count("given up: 550")) == (3, 1)
    receive(folder, stdin=letter("report 4\n", "mailer-daemon@example.org"))
    assert len(status()) == 2
