"""The host's daily letter: one if something needs the host, else none."""

from __future__ import annotations

from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest

from referee.desk import acts
from referee.mail.host import host
from referee.mail.host.checks.concerns import HOST, concern_diagnoses, write_to_host
from referee.mail.intake.commands import speaks
from referee.mail.letters.render import render
from referee.mail.transport.receipt import receive
from tests.support.correspondence import GAME, Correspondence, address, corresponding
from tests.support.servers import letter

SETTINGS = "host: grace@example.org\n"


def told(post: Correspondence) -> str:
    """The text of the letter to the host that is in the outbox; empty if there is none."""
    letters = [one for one in post.office.desk.outbox.take(post.at, 100) if one.kind == HOST]
    assert len(letters) <= 1
    for one in letters:
        message = message_from_bytes(render(post.office, one), policy=default)
        assert isinstance(message, EmailMessage)
        assert message["To"] == "grace@example.org"
        post.office.desk.outbox.sent([one], post.at)
        text = str(message.get_content())
        assert not [line for line in text.splitlines() if speaks(line, "beams")]
        return f"{message['Subject']}\n{' '.join(text.split())}"
    return ""


@pytest.mark.slow
def test_nothing_needs_the_host(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", SETTINGS) as post:
        post.open("beams", {"days": 5})
        for _ in range(3):
            post.pass_time(24)
            host.tick_games(post.office, post.at)
            assert write_to_host(post.office, post.at) == 0
        assert told(post) == ""


@pytest.mark.slow
def test_each_thing_that_needs_the_host_is_in_one_letter_a_day(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", SETTINGS) as post:
        post.open("beams")
        aside = receive(post.office, letter("one"), post.at)
        post.office.desk.inbox.postpone(aside, None, "our own fault")
        post.office.desk.outbox.again(GAME, address("north"), post.at)
        given = next(one.letter for one in post.office.desk.outbox.history() if one.sent is None)
        post.office.desk.outbox.unsent(given, None, "550 5.1.1 no such user\x1b")
        host.order_by_host(post.office, GAME, acts.Pause("ill"), post.at)
        (tmp_path / "desk" / "desk.yaml").chmod(0o644)
        said = [one.says for one in concern_diagnoses(post.office, post.at)]
        assert len(said) == 3
        assert f"the clocks of the game {GAME} are stopped" in said
        assert write_to_host(post.office, post.at) == 1
        text = told(post)
        assert text.startswith("Your desk: 3 things need you\n")
        for part in (
            "1 letter was set aside",
            "550 5.1.1 no such user",
            "chmod 600",
        ):
            assert part in text
        assert "clocks" not in text, "the host has stopped them"
        for hours, number in ((12, 0), (11, 0), (2, 1), (1, 0)):
            post.pass_time(hours)
            assert write_to_host(post.office, post.at) == number
        assert "things need you" in told(post)


def test_letters_that_no_process_handles_or_sends(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", SETTINGS) as post:
        receive(post.office, letter("help"), post.at)
        post.pass_time(0.5)
        assert concern_diagnoses(post.office, post.at) == []
        post.pass_time(1)
        assert "no process handles them" in concern_diagnoses(post.office, post.at)[0].says
        host.tick_games(post.office, post.at)
        post.pass_time(5)
        assert "to be sent" in concern_diagnoses(post.office, post.at)[0].says


def test_without_a_host_s_address_there_is_no_letter(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        aside = receive(post.office, letter("one"), post.at)
        post.office.desk.inbox.postpone(aside, None, "our own fault")
        assert write_to_host(post.office, post.at) == 0
