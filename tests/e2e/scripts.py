"""Games that are known beforehand: each side's letters, and the events that it must know before it writes them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import format_datetime

from referee.archives.generate import Generation, random_game
from referee.game import GameFile

RECEIVER = "mx.example.org"
"""The mail server whose Received line gives the time of a letter."""


RESIGN = "resign"


@dataclass(frozen=True)
class Step:
    """One letter of a side, written once it knows of the event `heard`."""

    side: str
    text: str
    heard: int


@dataclass(frozen=True)
class Script:
    """A whole game by letters, to its last event."""

    id: str
    file: GameFile
    steps: tuple[Step, ...]
    last: int

    @property
    def sides(self) -> tuple[str, ...]:
        return self.file.start().sides

    @property
    def moves(self) -> dict[str, list[str]]:
        """The moves of each side, in order."""
        written = [step for step in self.steps if step.text != RESIGN]
        return {side: [step.text for step in written if step.side == side] for side in self.sides}

    def address(self, side: str) -> str:
        return f"{side}.{self.id}@players.example"

    def letter(self, number: int, to: str, begin: datetime) -> bytes:
        """The letter of a step: always the same bytes, to the same address at the same time."""
        step = self.steps[number]
        at = format_datetime(begin + timedelta(seconds=10 * number))
        lines = [
            f"Received: from client.example by {RECEIVER} with ESMTP id {self.id}.{number}; {at}",
            f"From: {self.address(step.side)}",
            f"To: {to}",
            "Subject: my move",
            f"Message-ID: <{number}.{self.id}@players.example>",
            f"Date: {at}",
            "",
            step.text,
            "",
        ]
        return "\r\n".join(lines).encode()


def script(name: str, game: str, plies: int, **options: object) -> Script:
    """A game of random moves; if they do not end it, a side resigns.

    A move is one event; of moves that are made at once, each is sealed, and then there is one more.
    """
    file = random_game(Generation(game, name, options, plies), 1)
    steps, told = [], 0
    for ply in file.replay():
        for side, move in ply.moves.items():
            steps.append(Step(side, str(move), told))
            told += 1
        told += len(ply.moves) > 1
    if file.result is None:
        steps.append(Step(file.start().sides[0], RESIGN, told))
        told += 1
    return Script(name, GameFile(game, options=file.options), tuple(steps), told + 1)
