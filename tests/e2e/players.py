"""People with mail programs: each reads a mailbox, and answers the referee's requests."""

from __future__ import annotations

import smtplib
from collections import Counter
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default

from imap_tools import BaseMailBox, MailBoxUnencrypted

from tests.support.real_servers import PASSWORD, Servers

WANTED = "It is your turn"
"""What a letter says in its first lines that asks for a move."""


@dataclass
class Writer:
    """A player who makes their next move when asked for one; once for each address of an answer."""

    address: str
    moves: list[str]
    letters: list[EmailMessage] = field(default_factory=list)
    answered: set[str] = field(default_factory=set)

    @property
    def over(self) -> bool:
        """True if they know that the game is over."""
        return any(text(letter).startswith("The game is over") for letter in self.letters)

    def answer(self, letter: EmailMessage) -> EmailMessage | None:
        """The next move, if that is what a letter asks for: above the whole of it, as most programs quote."""
        to = str(letter["Reply-To"])
        first = " ".join(" ".join(text(letter).splitlines()[:5]).split())
        if WANTED not in first or to in self.answered:
            return None
        self.answered.add(to)
        answer = EmailMessage()
        answer["From"], answer["To"], answer["Subject"] = self.address, to, f"Re: {letter['Subject']}"
        answer["In-Reply-To"] = answer["References"] = letter["Message-ID"]
        answer["Message-ID"] = f"<{len(self.answered)}.{self.address}>"
        quoted = "".join(f"> {line}\n" for line in text(letter).splitlines())
        answer.set_content(f"{self.moves.pop(0)}\n\nOn Monday the referee wrote:\n{quoted}")
        return answer

    def twice(self) -> list[str]:
        """The letters that they got more than once."""
        counted = Counter(str(letter["Message-ID"]) for letter in self.letters)
        return [name for name, number in counted.items() if number > 1]


@dataclass
class Player(Writer):
    """A player with a mailbox to read."""

    mailbox: BaseMailBox = field(kw_only=True)

    def read(self) -> list[EmailMessage]:
        """The letters that are new in their mailbox."""
        new = []
        for uid in self.mailbox.uids("UNSEEN", charset=None):
            _, parts = self.mailbox.client.uid("FETCH", uid, "(BODY[])")
            message = BytesParser(policy=default).parsebytes(parts[0][1])
            assert isinstance(message, EmailMessage)
            new.append(message)
        self.letters += new
        return new


def text(letter: EmailMessage) -> str:
    """A letter's text."""
    body = letter.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def player(servers: Servers, address: str, moves: list[str]) -> Player:
    """A player with a mailbox on these servers."""
    mailbox = MailBoxUnencrypted("127.0.0.1", servers.mailboxes.imap).login(address, PASSWORD)
    return Player(address, moves, mailbox=mailbox)


def send(servers: Servers, letters: list[EmailMessage]) -> None:
    """Hand letters to the mail server, as mail programs do."""
    if letters:
        with smtplib.SMTP("127.0.0.1", servers.smtp) as server:
            for letter in letters:
                server.send_message(letter)
