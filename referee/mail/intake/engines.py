"""The engines that somebody wants to play with: how many they are, and of which level."""

from __future__ import annotations

import re
from collections.abc import Iterable

from referee.engine import LEVELS
from referee.rules import Game

USUAL_LEVEL = 3
"""The level of an engine of which nobody says more."""

_NUMBERS = ("one", "two", "three", "four")

ENGINES = re.compile(
    rf"(?:\b(?P<number>[1-9]|{'|'.join(_NUMBERS)})\s+)?\b(?:engine|computer|bot)(?P<many>s?)\b"
    r"(?:\s*[:=]\s*(?P<tag>\d{1,3})|\s*\(?(?:\b(?:of|at|on|with)\s+)?\blevel\s+(?P<level>\d{1,3})\)?)?",
    re.IGNORECASE,
)
"""Words such as `engine:4`, `two engines of level 2`, `the computer`."""


def engine_levels(game: Game, found: Iterable[re.Match[str]], free: int) -> tuple[tuple[int, ...], list[str]]:
    """The levels of engines that were found in a text, and what is wrong with them.

    `free` is how many seats there are for them; several engines without a number take all of these.
    """
    levels: list[int] = []
    for one in found:
        level = int(one["tag"] or one["level"] or USUAL_LEVEL)
        if not 1 <= level <= len(LEVELS):
            return (), [f"an engine has a level from 1 to {len(LEVELS)}, not {level}"]
        levels += [level] * (_number(one["number"]) or (max(1, free) if one["many"] else 1))
    if not game.engine:
        return (), [f"no engine plays {game.title} yet"]
    if len(levels) > free:
        others = "one other" if len(game.sides) == 2 else f"{len(game.sides) - 1} others"
        return (), [f"{game.title} is for {len(game.sides)} players, so it takes at most {others}"]
    return tuple(levels), []


def _number(word: str | None) -> int:
    """The number that a word says; 0 if there is none."""
    if word is None:
        return 0
    return int(word) if word.isdecimal() else _NUMBERS.index(word.casefold()) + 1
