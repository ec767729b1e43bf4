"""People who arrange games by letter: each writes to the desk from their own address, and keeps its letters."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import TypedDict, Unpack

from referee.desk import State
from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.host.host import tick_games
from referee.mail.intake.commands import speaks
from referee.mail.letters.render import render
from referee.mail.office import Office
from referee.mail.transport.receipt import receive
from tests.support.correspondence import BEGIN, KEY, corresponding, text
from tests.support.witnesses import expect_letters

DESK = "desk@example.org"
SETTINGS = "open: vouched\ntrust: {authserv: [mx.example.org]}\n"
ADA, BEN, CLEO, DAN = "ada@example.net", "ben@example.com", "cleo@example.net", "dan@example.edu"
NAMES = {ADA: "Ada Lovelace", BEN: "Ben Franklin", CLEO: "Cleo", DAN: "Dan"}


class Ways(TypedDict, total=False):
    """The way of a letter: recipient, subject, sender, and whether the mail server vouches for it."""

    to: str
    subject: str
    name: str
    vouched: bool


class Friends:
    """The desk and the letters of all people, by address."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self.at = BEGIN
        self.count = 0
        self.letters: dict[str, list[EmailMessage]] = {}

    def write(self, sender: str, body: str, **ways: Unpack[Ways]) -> dict[str, EmailMessage]:
        """Send a letter; the letters that it causes, by address."""
        receive(self.office, self.letter(sender, body, **ways), self.at)
        handle_waiting(self.office, self.at)
        return self.collect()

    def letter(self, sender: str, body: str, **ways: Unpack[Ways]) -> bytes:
        """A letter as the desk's mail server hands it over."""
        self.count += 1
        domain = sender.rpartition("@")[2]
        report = f"dmarc=pass header.from={domain}" if ways.get("vouched", True) else "dmarc=fail"
        name = ways.get("name") or NAMES.get(sender, "Somebody")
        lines = (
            f"Authentication-Results: mx.example.org; {report}\n"
            "Received: from client.example by mx.example.org with ESMTPS; Mon, 01 Mar 2027 12:00:00 +0000\n"
            f"From: {name} <{sender}>\nTo: {ways.get('to', DESK)}\nSubject: {ways.get('subject', 'a letter')}\n"
            f"Message-ID: <{self.count}@players.example>\n\n{body}\n"
        )
        return lines.replace("\n", "\r\n").encode()

    def answer(self, sender: str, body: str, *, vouched: bool = True) -> dict[str, EmailMessage]:
        """Reply to the last letter to an address."""
        return self.write(sender, body, to=str(self.letters[sender][-1]["Reply-To"]), vouched=vouched)

    def collect(self) -> dict[str, EmailMessage]:
        """Empty the outbox."""
        found: dict[str, EmailMessage] = {}
        about: set[tuple[str, str | None]] = set()
        for letter in self.office.desk.outbox.take(self.at, 1000):
            message = message_from_bytes(render(self.office, letter), policy=default)
            assert isinstance(message, EmailMessage)
            self.office.desk.outbox.sent([letter], self.at)
            assert (letter.recipient, letter.game) not in about, "one letter brings each one letter of a game at most"
            about.add((letter.recipient, letter.game))
            game = self.office.desk.state(letter.game).game if letter.game else None
            assert not [line for line in text(message).splitlines() if speaks(line, game)]
            assert max(map(len, text(message).splitlines())) <= 78
            self.letters.setdefault(letter.recipient, []).append(message)
            found[letter.recipient] = message
        return found

    def pass_time(self, days: float) -> dict[str, EmailMessage]:
        """Let time pass, and do everything due then."""
        self.at += timedelta(days=days)
        tick_games(self.office, self.at)
        return self.collect()

    def said(self, address: str) -> str:
        """The text of the last letter to an address, on one line."""
        return " ".join(text(self.letters[address][-1]).split())

    @property
    def games(self) -> list[str]:
        """The ids of all games."""
        return self.office.desk.catalogue.ids()

    @property
    def state(self) -> State:
        """The state of the one game."""
        (name,) = self.games
        return self.office.desk.state(name)

    def kinds(self, name: str = "") -> list[str]:
        """The kinds of the events of a game, or of the one that there is."""
        return [entry.as_json()["kind"] for entry in self.office.desk.log(name or self.state.id)]

    def holds(self) -> None:
        """Check what must hold for every desk."""
        for name in self.games:
            expect_letters(self.office, name)
        assert self.office.desk.upkeep.counts()["aside"] == 0


@contextmanager
def friends(folder: Path, settings: str = SETTINGS) -> Iterator[Friends]:
    """Friends around a new desk with these settings."""
    with corresponding(folder / "desk", settings, KEY) as post:
        yield Friends(post.office)


def begun(post: Friends, game: str = "boundary") -> str:
    """A game between Ada and Ben, who now have a seat here; its id."""
    post.write(ADA, f"new {game} with {BEN}, as {'blue' if game == 'laser-chess' else 'south'}")
    post.answer(BEN, "accept")
    return post.games[0]
