"""Two players of a desk that has just been set up, as a program; it ends when both know that the game is over.

`python -m tests.e2e.setup_players PORT` are players elsewhere; the desk's letters come to this port.
`python -m tests.e2e.setup_players CERTIFICATE` are players with mailboxes here, which they reach over TLS.
"""

from __future__ import annotations

import smtplib
import ssl
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from email.message import EmailMessage
from typing import TypeVar

from imap_tools import MailBox

from tests.e2e.players import Player, Writer
from tests.e2e.scripts import RESIGN
from tests.support.servers import Sink, sink

Person = TypeVar("Person", bound=Writer)

MOVES = {"ada": ["R e4 R", "R e4 R"], "ben": ["R e5 R", RESIGN]}
"""The acts of the players on the pages, in order."""


def play(
    writers: Sequence[Person],
    read: Callable[[Person], list[EmailMessage]],
    send: Callable[[Person, EmailMessage], None],
) -> None:
    """Answer the desk's letters until the game is over."""
    end = time.monotonic() + 60
    while not all(one.over for one in writers):
        for writer in writers:
            for letter in read(writer):
                if (answer := writer.answer(letter)) is not None:
                    send(writer, answer)
        assert time.monotonic() < end, [str(letter["Subject"]) for one in writers for letter in one.letters]
        time.sleep(0.05)
    for one in writers:
        print(f"{one.address}: {len(one.letters)} letters, {len(one.moves)} moves left")


def play_elsewhere(port: int) -> None:
    """Have the players write from another provider, to the mail server at port 25."""
    writers = [Writer(f"{name}@example.com", list(moves)) for name, moves in MOVES.items()]
    with sink(port) as server:
        play(writers, lambda writer: _new(server, writer), _send)


def play_here(certificate: str) -> None:
    """Have the players read and write in the mailboxes of docs/setup.md."""
    context = ssl.create_default_context(cafile=certificate)
    with ExitStack() as mailboxes:
        players = []
        for name, moves in MOVES.items():
            box = MailBox("localhost", 993, ssl_context=context).login(f"{name}@example.org", f"{name}-sesame")
            players.append(Player(f"{name}@example.org", list(moves), mailbox=mailboxes.enter_context(box)))
        play(players, Player.read, lambda player, answer: _send_over_tls(player, answer, context))


def _new(server: Sink, writer: Writer) -> list[EmailMessage]:
    """The unread letters to a player."""
    mine = [letter for letter in server.letters if letter["To"].addresses[0].addr_spec == writer.address]
    new = mine[len(writer.letters) :]
    writer.letters += new
    return new


def _send(_: Writer, answer: EmailMessage) -> None:
    with smtplib.SMTP("127.0.0.1", 25) as mail:
        mail.send_message(answer)


def _send_over_tls(player: Player, answer: EmailMessage, context: ssl.SSLContext) -> None:
    with smtplib.SMTP_SSL("localhost", 465, context=context) as mail:
        mail.login(player.address, f"{player.address.partition('@')[0]}-sesame")
        mail.send_message(answer)


if __name__ == "__main__":
    where = sys.argv[1]
    play_elsewhere(int(where)) if where.isdecimal() else play_here(where)
