"""Programs that write to each other: every exchange ends by itself, after a known number of letters."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest

from referee.mail.office import Office
from tests.support.correspondence import GAME, Correspondence, address, corresponding, text
from tests.support.examples import sampled

ENDLESS = 200
"""Number of letters after which an exchange counts as endless."""

DESK = "desk@example.org"


def reply(
    message: EmailMessage, body: str, number: int, *, sender: str = "", header: str = "", to: str = ""
) -> bytes:
    """A program's answer to a letter of the desk."""
    raw = (
        f"From: {sender or message['To']}\nTo: {to or message['Reply-To'] or message['From']}\n"
        f"Subject: Re: {message['Subject']}\nMessage-ID: <{number}@robot.example>\n"
        f"In-Reply-To: {message['Message-ID']}\n{header}\n{body}\n"
    )
    return raw.encode()


def exchange(
    post: Correspondence, first: EmailMessage, answer: Callable[[EmailMessage, int], bytes], who: str = ""
) -> int:
    """The number of letters from the desk to a program that answers each of them, beginning with this one."""
    waiting, got = deque([first]), 0
    while waiting and got < ENDLESS:
        message = waiting.popleft()
        got += 1
        came = post.post(answer(message, got))
        waiting += [one for recipient, one in came.items() if not who or recipient.endswith(who)]
        post.pass_time(0.01)
    return got


def quoting(message: EmailMessage) -> str:
    return "\n".join(f"> {line}" for line in text(message).splitlines())


# Header and body of a program's answers, and the number of letters that it gets from the desk.
ROBOTS: dict[str, tuple[str, Callable[[EmailMessage], str], int]] = {
    "a vacation program that says so": ("Auto-Submitted: auto-replied\n", lambda _: "I am away until May.", 1),
    "an old one": ("Precedence: bulk\n", lambda _: "I am away until May.", 1),
    "one with a field of its own": ("X-Autoreply: yes\n", lambda _: "I am away until May.", 1),
    "one with an empty return path": ("Return-Path: <>\n", lambda _: "I am away until May.", 1),
    "one without any sign": ("", lambda _: "I shall read your letter when I am back.", 4),
    "one that says nothing": ("", lambda _: "", 4),
    "one that quotes": ("", lambda message: "I shall read it.\n\n" + quoting(message), 4),
    "one that quotes without marks": ("", lambda message: "I shall read it.\n\n" + text(message), 4),
    "one that sends everything back": ("", text, 4),
    "one that says something new each time": ("", lambda message: f"I read {message['Message-ID']} at once.", 31),
    "one that asks for help": ("", lambda _: "help", 31),
    "one that asks for help in words": ("", lambda _: "Please help!", 31),
    "one that writes moves that are none": ("", lambda _: "P M9 A2 12", 31),
    "one that tells the others": ("", lambda _: "message\nI am away.\nend", 31),
    "one that offers draws": ("", lambda _: "offer draw", 31),
    "one that asks twice": ("", lambda _: "offer draw\nresign from this list", 31),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(ROBOTS, 16))
def test_a_program_that_answers_every_letter(name: str, tmp_path: Path) -> None:
    header, body, letters = ROBOTS[name]
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        invitation = post.letters[address("south")][0]

        def answer(message: EmailMessage, number: int) -> bytes:
            return reply(message, body(message), number, header=header)

        got = exchange(post, invitation, answer, address("south"))
        print(f"{name}: {got} letters")
        assert got == letters
        assert "played" not in post.kinds
        post.holds()


@pytest.mark.slow
@pytest.mark.parametrize(
    "body",
    sampled(["I am away.", "help", "message\nI am away.\nend", "offer draw", "decline\noffer draw", "P M9"], 6),
)
def test_two_programs_at_one_game(body: str, tmp_path: Path) -> None:
    """Each of them answers all letters, also the other one's messages."""
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        waiting = deque(letters[0] for letters in post.letters.values())
        number = 0
        while waiting and number < ENDLESS:
            number += 1
            waiting += post.post(reply(waiting.popleft(), body, number)).values()
        print(f"{body!r}: {number} letters")
        assert number < ENDLESS


@pytest.mark.slow
@pytest.mark.parametrize("threaded", [True, False])
def test_a_program_that_answers_without_the_key(threaded: bool, tmp_path: Path) -> None:
    """It writes to the desk's plain address, where a person would be answered each time."""
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")

        def answer(message: EmailMessage, number: int) -> bytes:
            raw = reply(message, "I am away until May.", number, to=DESK)
            return raw if threaded else raw.replace(b"In-Reply-To", b"X-Other")

        assert exchange(post, post.letters[address("south")][0], answer, address("south")) == 4


@pytest.mark.slow
def test_a_program_without_a_seat(tmp_path: Path) -> None:
    """It gets one note a day, for any text."""
    with corresponding(tmp_path / "desk") as post:
        for day in (1, 2):
            for number in range(20):
                raw = f"From: robot@example.com\nTo: {DESK}\nMessage-ID: <{day}.{number}@x>\n\nHello? {number}\n"
                post.post(raw.encode())
                post.pass_time(1)
            assert len(post.letters["robot@example.com"]) == day
            post.pass_time(5)


@pytest.mark.slow
@pytest.mark.parametrize("to", [DESK, f"desk+{GAME}@example.org", f"desk+{GAME}.aaaaaaaaaaaaaaaa@example.org"])
def test_a_program_under_ever_new_names(to: str, tmp_path: Path) -> None:
    """All of one domain get as many answers in an hour as a player."""
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        first = post.letters[address("south")][0]

        def answer(message: EmailMessage, number: int) -> bytes:
            return reply(message, "Who are you?", number, sender=f"robot{number}@robots.example", to=to)

        assert exchange(post, first, answer) == 31
        assert sum(len(found) for who, found in post.letters.items() if who.endswith("@robots.example")) == 30


@pytest.mark.slow
def test_two_desks_that_write_to_each_other(tmp_path: Path) -> None:
    """A player has the address of another desk: no desk ever answers a letter of a desk."""
    other = "other@desk.example"
    with (
        corresponding(tmp_path / "one") as one,
        corresponding(tmp_path / "two", f"ids: desk.example\nhost: {other}\n") as two,
    ):
        one.open("beams")
        two.open("beams")
        desks = {address("south"): two.office, address("north"): one.office}
        waiting = deque(letters[0] for post in (one, two) for letters in post.letters.values())
        given = 0
        while waiting and given < ENDLESS:
            message = waiting.popleft()
            given += 1
            post = one if desks[str(message["To"])] is one.office else two
            waiting += post.post(message.as_bytes()).values()
        assert given == 4
        assert (one.kinds, two.kinds) == (["opened"], ["opened"])


def test_a_desk_that_writes_to_itself(tmp_path: Path) -> None:
    """Its letters come back, from a list, from a forwarder, with another header on top or with none of their own."""
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        (invitation,) = post.letters[address("south")]
        token = str(invitation["Reply-To"])
        for header in ("", "Received: from x by y; Mon, 1 Mar 2027 12:00:00 +0000\n", f"Delivered-To: {token}\n"):
            assert post.post(header.encode() + invitation.as_bytes()) == {}
        for marker in ("x-referee-desk", "auto-submitted", "x-auto-response-suppress"):
            del invitation[marker]
        assert post.post(invitation.as_bytes()) == {}, "its message id and its sender are still the desk's"
        assert post.kinds == ["opened"]


@pytest.mark.slow
def test_an_address_that_forwards_to_the_desk(tmp_path: Path) -> None:
    """All letters to a player go straight back to the desk, under their name, with new message ids."""
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        first = post.letters[address("south")][0]

        def answer(message: EmailMessage, number: int) -> bytes:
            return reply(message, f"Begin forwarded message:\n\n{text(message)}", number)

        assert exchange(post, first, answer) == 4


@pytest.mark.slow
def test_answers_begin_again_later(tmp_path: Path) -> None:
    """A person at the limit is answered again when the hour is over; their moves count meanwhile."""
    with corresponding(tmp_path / "desk", "answers: {an-hour: 9}\n") as post:
        post.open("beams")
        came = [post.write("south", "help").get(address("south")) for _ in range(12)]
        assert [one is not None for one in came] == [True] * 9 + [False] * 3
        said = [" ".join(text(one).split()) for one in came if one]
        assert ["the last answer until Monday 1 March 2027, 13:00 UTC" in one for one in said] == [False] * 8 + [True]
        assert address("south") in post.write("south", "P M1 A2 12"), "whoever makes a move is always told"
        post.pass_time(1.1)
        assert address("south") in post.write("south", "help")
        limited(post.office, post)


def test_refused_moves_are_answered_however_often_a_player_asks(tmp_path: Path) -> None:
    """They have a limit of their own, so that programs do not write to each other endlessly."""
    with corresponding(tmp_path / "desk", "answers: {an-hour: 2}\n") as post:
        post.open("beams")
        helped = [post.write("south", "help").get(address("south")) for _ in range(3)]
        assert [one is not None for one in helped] == [True, True, False]
        came = [post.write("south", f"P M1 {cell} 12").get(address("south")) for cell in ("A1", "B4", "A1")]
        said = [" ".join(text(one).split()) for one in came if one]
        assert len(said) == 2
        assert ["the last answer until" in one for one in said] == [False, True]
        assert "to letters that I refuse. I still carry out those that I can" in said[1]
        assert address("south") in post.write("south", "P M1 A2 12")


def limited(office: Office, post: Correspondence) -> None:
    """Expect that no limit keeps a letter from the log or from the store."""
    assert office.desk.upkeep.counts()["waiting"] == office.desk.upkeep.counts()["aside"] == 0
    assert post.kinds == ["opened", "submitted"]
