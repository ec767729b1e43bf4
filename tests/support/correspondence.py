"""A desk in a folder, and players who write to it and keep its letters."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import parseaddr
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from referee.desk import Key, State, Terms, kind_of
from referee.game import GameFile
from referee.mail.addresses import HEAD, MARKER, PROOF
from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.host.host import open_game
from referee.mail.intake.commands import speaks
from referee.mail.letters.render import render
from referee.mail.office import Office, create_office, office_in
from referee.mail.settings import FILE
from referee.mail.transport.receipt import receive
from tests.support.dues import expect_dues
from tests.support.mail_standards import expect_standard
from tests.support.witnesses import expect_letters

BEGIN = datetime(2027, 3, 1, 12, tzinfo=UTC)
GAME = "spring-7"
KEY = Key(b"the key of a desk that is a test")
"""A key that is always the same gives the same nonces, and so the same logs."""


_QUIET = {"pictures": "pictures: false", "attach": "attach: []"}


class Correspondence:
    """Players reply to their last letter; `letters` are all letters from the desk, by address.

    `stamp` changes a letter as the mail servers on the way do, and `lost` is true if the desk's store is gone.
    """

    def __init__(self, office: Office) -> None:
        self.office = office
        self.at = BEGIN
        self.count = 0
        self.letters: dict[str, list[EmailMessage]] = {}
        self.stamp: Callable[[bytes], bytes] = bytes
        self.lost = False

    def open(
        self, game: str, clock: Mapping[str, Any] | None = None, options: Mapping[str, Any] | None = None
    ) -> None:
        """Open the one game of this desk, every side of it with an address of its own."""
        file = GameFile(game, options=options or {})
        addresses = {side: address(side) for side in file.description.sides}
        terms = None if clock is None else Terms.read(clock)
        secret = "seed-0" if game == "the-beam" else None
        open_game(self.office, GAME, file, self.at, terms=terms, addresses=addresses, secret=secret)
        self.collect()

    def write(
        self,
        side: str,
        body: str,
        *,
        sender: str | None = None,
        to: str | None = None,
        header: str = "",
        above: str = "",
        last: int = -1,
    ) -> dict[str, EmailMessage]:
        """Send a letter and have it handled; the letters that it causes, by address."""
        self.count += 1
        answers = self.letters.get(address(side), [])
        to = to or parseaddr(str(answers[last]["Reply-To"]))[1]
        reference = f"In-Reply-To: {answers[last]['Message-ID']}\n" if answers else ""
        raw = (
            f"{above}From: {sender or address(side)}\nTo: {to}\nSubject: my letter\n{reference}{header}"
            f"Message-ID: <{self.count}@players.example>\n\n{body}\n"
        )
        return self.post(self.stamp(raw.replace("\n", "\r\n").encode()))

    def post(self, raw: bytes) -> dict[str, EmailMessage]:
        """Receive a letter as it is."""
        receive(self.office, raw, self.at)
        handle_waiting(self.office, self.at)
        return self.collect()

    def collect(self) -> dict[str, EmailMessage]:
        """Empty the outbox, and check every letter in it."""
        found = {}
        for recipient, message in self.deliver():
            assert recipient not in found, "one letter brings each address one letter at most"
            found[recipient] = message
        return found

    def deliver(self) -> Iterator[tuple[str, EmailMessage]]:
        """Each letter in the outbox, in order, with its recipient."""
        for letter in self.office.desk.outbox.take(self.at, 1000):
            raw = render(self.office, letter)
            expect_standard(raw)
            message = message_from_bytes(raw, policy=default)
            assert isinstance(message, EmailMessage)
            self.office.desk.outbox.sent([letter], self.at)
            assert message["Message-ID"] == letter.id
            check(message, self.office.desk.state(letter.game).game if letter.game else "beams")
            self.letters.setdefault(letter.recipient, []).append(message)
            yield letter.recipient, message

    def pass_time(self, hours: float) -> None:
        """Let time pass."""
        self.at += timedelta(hours=hours)

    @property
    def state(self) -> State:
        """The state of the game."""
        return self.office.desk.state(GAME)

    @property
    def kinds(self) -> list[str]:
        """The kinds of all events so far."""
        return [kind_of(entry.event) for entry in self.office.desk.log(GAME)]

    @property
    def exported(self) -> str:
        """The exported log."""
        return "".join(f"{entry.as_line()}\n" for entry in self.office.desk.log(GAME))

    def holds(self) -> None:
        """Check what must hold after every game."""
        expect_letters(self.office, GAME)
        assert self.office.desk.upkeep.counts()["aside"] == 0


def address(side: str) -> str:
    """The address of a side."""
    return f"{side}@players.example"


def text(message: EmailMessage) -> str:
    """The text of a letter, as its reader sees it."""
    body = message.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def proofs(message: EmailMessage) -> str:
    """The digests to check later in the header of a letter, with its log head."""
    return "\n".join(map(str, (*message.get_all(PROOF, []), *message.get_all(HEAD, []))))


def said(post: Correspondence, side: str, body: str) -> str:
    """The answer to a side, on one line."""
    return " ".join(text(post.write(side, body)[address(side)]).split())


def check(message: EmailMessage, game: str) -> None:
    """Check what holds for every letter that leaves a desk."""
    assert message[MARKER]
    assert message["Auto-Submitted"] in ("auto-generated", "auto-replied")
    lines = text(message).splitlines()
    assert max(map(len, lines)) <= 78
    assert not [line for line in lines if speaks(line, game)]


@contextmanager
def corresponding(folder: Path, settings: str = "", key: Key | None = None) -> Iterator[Correspondence]:
    """A new desk whose settings end with these lines; by default, letters have no pictures and no files."""
    folder.mkdir(mode=0o700, exist_ok=True)
    for name, content in _new_desk().items():
        (folder / name).write_bytes(content)
        (folder / name).chmod(0o600)
    with (folder / FILE).open("a", encoding="utf-8") as file:
        quiet = (line for name, line in _QUIET.items() if name not in settings)
        file.write("\n".join(("", *quiet, settings)))
    with office_in(folder) as office:
        if key is not None:
            office.desk.keys.renew(key)
        post = Correspondence(office)
        yield post
        if not post.lost:
            expect_dues(office.desk)


@contextmanager
def restarted(post: Correspondence) -> Iterator[None]:
    """The same desk after a new start: nothing is in memory."""
    first = post.office
    with office_in(first.folder) as post.office:
        yield
    post.office = first


@cache
def _new_desk() -> dict[str, bytes]:
    """The files of a new desk: copying them is faster than making another desk."""
    with TemporaryDirectory() as folder:
        create_office(Path(folder), "desk@example.org", "desk.sqlite")
        return {path.name: path.read_bytes() for path in Path(folder).iterdir()}
