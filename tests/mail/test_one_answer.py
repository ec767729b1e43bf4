"""One letter gets one answer, even if it goes to several addresses of the desk."""

from __future__ import annotations

from email.utils import parseaddr
from pathlib import Path

import pytest

from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.transport.receipt import receive
from tests.support.correspondence import Correspondence, address, corresponding, text
from tests.support.examples import sampled

DESK = "desk@example.org"
SAID = [
    "M d1-d2",
    "M c1-c9",
    "Hello?",
    "board",
    "offer draw",
    "message\nHello\nend",
    "set letters daily",
    "M d1-d2\nwhat?",
]


def seat(post: Correspondence, side: str) -> str:
    return parseaddr(str(post.letters[address(side)][-1]["Reply-To"]))[1]


def sent_to(post: Correspondence, side: str, body: str, recipients: list[str], fields: str) -> list[str]:
    """Send one letter to several addresses of the desk; the answers to its writer."""
    raw = f"From: {address(side)}\nTo: {', '.join(recipients)}\n{fields}\n{body}\n".encode()
    for one in recipients:
        receive(post.office, raw, post.at, recipient=one, sender=address(side))
    handle_waiting(post.office, post.at)
    return [text(letter) for recipient, letter in post.deliver() if recipient == address(side)]


@pytest.mark.slow
@pytest.mark.parametrize("said", sampled(SAID, 3))
@pytest.mark.parametrize("first", ["seat", "desk"])
@pytest.mark.parametrize("fields", ["Message-ID: <1@players.example>\n", "Date: Mon, 01 Mar 2027 12:00:00 +0000\n"])
def test_a_letter_to_two_addresses_of_the_desk_is_done_and_answered_once(
    said: str, first: str, fields: str, tmp_path: Path
) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        recipients = [seat(post, "blue"), DESK] if first == "seat" else [DESK, seat(post, "blue")]
        before = post.state.number
        (answer,) = sent_to(post, "blue", said, recipients, fields)
        assert "older" not in answer
        assert post.state.number - before <= 1
        assert ("Your move is in" in answer) == said.startswith("M d1-d2")


@pytest.mark.slow
def test_the_copy_that_acts_is_answered_even_if_it_comes_second(tmp_path: Path) -> None:
    """The seat's address is in no field, so only the second copy can move."""
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        raw = f"From: {address('blue')}\nTo: {DESK}\nMessage-ID: <1@players.example>\n\nM d1-d2\n".encode()
        told = []
        for one in (DESK, seat(post, "blue")):
            receive(post.office, raw, post.at, recipient=one, sender=address("blue"))
            handle_waiting(post.office, post.at)
            told += [text(letter) for recipient, letter in post.deliver() if recipient == address("blue")]
        assert ["Your move is in" in one for one in told] == [False, True]
        assert len(post.state.plies) == 1


@pytest.mark.slow
@pytest.mark.parametrize("later", ["other words", "another sender", "another id", "a day later"])
def test_a_letter_that_is_no_copy_has_an_answer_of_its_own(later: str, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        fields = "Message-ID: <1@players.example>\n"
        assert len(sent_to(post, "blue", "board", [seat(post, "blue")], fields)) == 1
        side = "red" if later == "another sender" else "blue"
        said = "history" if later == "other words" else "board"
        post.pass_time(25 if later == "a day later" else 0)
        again = "Message-ID: <2@players.example>\n" if later == "another id" else fields + "X-Hop: 2\n"
        assert len(sent_to(post, side, said, [seat(post, side)], again)) == 1


@pytest.mark.slow
def test_a_new_game_that_two_addresses_ask_for_is_opened_and_told_once(tmp_path: Path) -> None:
    settings = "open: known\nknown: [players.example]\n"
    with corresponding(tmp_path / "desk", settings) as post:
        post.open("laser-chess")
        recipients = [seat(post, "blue"), DESK]
        told = sent_to(
            post, "blue", "new boundary with carl@players.example", recipients, "Message-ID: <1@a.example>\n"
        )
        assert len(told) == 1
        assert "You propose a game of Boundary" in told[0]
        assert len(post.office.desk.catalogue.ids()) == 2
