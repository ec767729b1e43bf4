"""What a letter can ask of the desk that is about no single running game."""

from __future__ import annotations

from dataclasses import dataclass

from referee.desk.log import acts
from referee.mail.intake.openings import NewGame

NAME = "name"
"""The choice of a name in games to come."""


@dataclass(frozen=True, slots=True)
class Join:
    """Take an open seat in the game of this id."""

    game: str

    def __str__(self) -> str:
        return f"join {self.game}"


@dataclass(frozen=True, slots=True)
class Rematch:
    """Play the game once more, the sides swapped."""

    def __str__(self) -> str:
        return "rematch"


@dataclass(frozen=True, slots=True)
class ForAll:
    """Do this in all games that one plays."""

    act: acts.Vacation | acts.Withdraw

    @property
    def word(self) -> str:
        """What is asked for in a word, without what its writer has put into it."""
        return f"{type(self.act).__name__.lower()}-all"

    def __str__(self) -> str:
        return f"{self.act} all"


@dataclass(frozen=True, slots=True)
class SetTaste:
    """Choose how one's own letters look: what of them, and how; any value can be written."""

    name: str
    value: str

    def __str__(self) -> str:
        return f"set {self.name} {self.value}"


Request = NewGame | Join | Rematch | ForAll
