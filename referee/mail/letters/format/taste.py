"""Tastes of players in letters, as chosen by letter and kept in the store."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from referee.desk import Preference
from referee.mail.addresses import small
from referee.mail.intake.requests import ALWAYS, NAME, PASSING, SetTaste

OWN = "own"
"""Chooses the board as the reader's side sees it."""

LETTERS, DAILY = "letters", "daily"
"""The choice of one letter a day."""

DAILY_SINCE = "daily-since"
"""Name of the time of that choice in the store."""

INVITATIONS, NEVER = "invitations", "never"
"""The choice of people who want no invitation."""

_VALUES: Mapping[str, tuple[str, ...]] = {
    "pictures": ("on", "off"),
    "board": ("text", "words"),
    LETTERS: ("each", DAILY),
    INVITATIONS: ("on", NEVER),
    PASSING: (NEVER, ALWAYS),
}
"""Values of each choice, the default first; for `view` it is the reader's side, or any side of the game."""


@dataclass(frozen=True, slots=True)
class Taste:
    """Pages with pictures or without, boards in words or drawn, and the side whose view of the board is shown."""

    pictures: bool = True
    words: bool = False
    view: str = ""

    def seat(self, side: str, sides: Collection[str]) -> str:
        """The side whose view of the board is shown to a side."""
        return self.view if self.view in sides else side


def taste_of(preferences: Mapping[str, str]) -> Taste:
    """The taste in an address's choices, with defaults for the others."""
    return Taste(
        pictures=preferences.get("pictures") != "off",
        words=preferences.get("board") == "words",
        view=preferences.get("view", ""),
    )


def choices_of(name: str, sides: Collection[str]) -> tuple[str, ...]:
    """The values of a choice for a player of a game with these sides; the first is the default."""
    return (OWN, *sides) if name == "view" else _VALUES[name]


def preference(choice: SetTaste, address: str, sides: Collection[str]) -> Preference | None:
    """A choice for the letters to an address, as the store keeps it; None if there is no such value.

    A name is kept as it is: `referee.mail.handlers.names` decides if an address can have it.
    """
    if choice.name == NAME:
        return Preference(small(address), NAME, choice.value)
    values = choices_of(choice.name, sides)
    if choice.value not in values:
        return None
    return Preference(small(address), choice.name, None if choice.value == values[0] else choice.value)
