"""Requests in a letter that are about no single running game."""

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
    """Play the game again with swapped sides."""

    def __str__(self) -> str:
        return "rematch"


@dataclass(frozen=True, slots=True)
class ForAll:
    """Do this in all games of the player."""

    act: acts.Vacation | acts.Withdraw

    @property
    def word(self) -> str:
        """The request in a word, without text from its writer."""
        return f"{type(self.act).__name__.lower()}-all"

    def __str__(self) -> str:
        return f"{self.act} all"


@dataclass(frozen=True, slots=True)
class SetTaste:
    """Choose a property of the player's letters; any value can be written."""

    name: str
    value: str

    def __str__(self) -> str:
        return f"set {self.name} {self.value}"


Request = NewGame | Join | Rematch | ForAll
