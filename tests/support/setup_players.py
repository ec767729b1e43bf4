"""Two players of a desk that has just been set up, as a program: `python -m tests.support.setup_players PORT`.

They are those whom docs/setup-systemd.md invites. They hand their letters to the mail server at port 25, and take the
desk's at the port given. The program ends when both know that the game is over.
"""

from __future__ import annotations

import smtplib
import sys
import time

from tests.support.players import Writer
from tests.support.scripts import RESIGN
from tests.support.servers import sink

MOVES = {"ada@example.com": ["R e4 R", "R e4 R"], "ben@example.com": ["R e5 R", RESIGN]}
"""What each of them does, in order."""


def play(port: int, seconds: float = 60) -> None:
    """Answer what the desk wants until the game is over."""
    writers = {address: Writer(address, list(moves)) for address, moves in MOVES.items()}
    read, end = 0, time.monotonic() + seconds
    with sink(port) as server:
        while not all(one.over for one in writers.values()):
            assert time.monotonic() < end, [str(letter["Subject"]) for letter in server.letters]
            new = server.letters[read:]
            read += len(new)
            for letter in new:
                writer = writers[letter["To"].addresses[0].addr_spec]
                writer.letters.append(letter)
                if (answer := writer.answer(letter)) is not None:
                    with smtplib.SMTP("127.0.0.1", 25) as mail:
                        mail.send_message(answer)
            time.sleep(0.05)
    for one in writers.values():
        print(f"{one.address}: {len(one.letters)} letters, {len(one.moves)} moves left")


if __name__ == "__main__":
    play(int(sys.argv[1]))
