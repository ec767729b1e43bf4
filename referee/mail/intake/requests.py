"""Requests in a letter that are about no single running game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.desk import acts
from referee.rules import Frozen
from referee.terminal import join_words

NAME = "name"
"""The choice of a name in games to come."""

PASSING, ALWAYS = "words", "always"
"""The choice to pass words on that stand next to a move."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game that a player proposes; `faults` are sentences that ask them about it.

    `rivals` are the addresses to invite, `engines` the levels of engines; the other seats are open. `side` is their
    own, None if it is drawn by lot. `options` are the named options of the game, `FLIP` for a coin. `terms` are the
    named terms of the clock; None for a game without deadlines.
    """

    game: str
    rivals: tuple[str, ...] = field(default=(), repr=False)
    side: str | None = None
    options: Mapping[str, Any] = Frozen()
    terms: Mapping[str, Any] | None = Frozen()
    faults: tuple[str, ...] = ()
    engines: tuple[int, ...] = ()

    def __str__(self) -> str:
        """The opening as a line."""
        said = [f"{name} {value}" for name, value in self.options.items()]
        clock = ["no clock"] if self.terms is None else []
        clock += [f"{name} {_words(value)}" for name, value in (self.terms or {}).items()]
        others = (*self.rivals, *(f"engine:{level}" for level in self.engines))
        rivals = [f"with {join_words(others)}"] if others else []
        side = [f"as {self.side}"] if self.side else []
        return ", ".join([" ".join(["new", self.game or "game", *rivals]), *side, *said, *clock])


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
class ForgetBrowsers:
    """Let no browser move for the player any more."""

    def __str__(self) -> str:
        return "forget browsers"


@dataclass(frozen=True, slots=True)
class SetTaste:
    """Choose a property of the player's letters; any value can be written."""

    name: str
    value: str

    def __str__(self) -> str:
        return f"set {self.name} {self.value}"


@dataclass(frozen=True, slots=True)
class PassOn:
    """Send the other players the words that stood next to the commands of the writer's last letter."""

    def __str__(self) -> str:
        return "pass on"


Request = NewGame | Join | Rematch | ForAll | ForgetBrowsers


def _words(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
