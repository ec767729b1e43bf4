"""Engines in an opening: their number and levels."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from referee.engine import LEVELS, USUAL_LEVEL
from referee.engine.levels import LEVEL, level_of
from referee.rules import Game

_NUMBERS = {str(number): number for number in range(1, 10)} | {"one": 1, "two": 2, "three": 3, "four": 4}

ENGINES = re.compile(
    rf"(?:\b(?P<number>{'|'.join(_NUMBERS)})\s+)?\b(?:engine|computer|bot)(?P<many>s?)\b"
    rf"(?:\s*[:=]\s*(?P<tag>{LEVEL})|\s*\(?(?:\b(?:of|at|on|with)\s+)?\blevel\s+(?P<level>{LEVEL})\)?"
    # A number alone is a level where nothing follows that it could count, such as days.
    rf"|\s+(?P<alone>{LEVEL})(?=\s*(?:[,;)|\n]|\.(?:\s|$)|$|(?:and|as|i|please)\b)))?",
    re.IGNORECASE,
)
"""Words such as `engine:4`, `Engine 4`, `two engines of level easy`, `the computer`."""


def engine_levels(game: Game, found: Iterable[re.Match[str]], free: int) -> tuple[tuple[int, ...], list[str]]:
    """The levels of the engines in a text, and their faults; several without a number take all `free` seats."""
    levels: list[int] = []
    for one in found:
        said = one["tag"] or one["level"] or one["alone"] or str(USUAL_LEVEL)
        level = int(said) if said.isdecimal() else level_of(said).number
        number = _NUMBERS.get((one["number"] or "").casefold())
        levels += [level] * (number or (max(1, free) if one["many"] else 1))
    return tuple(levels), [*_faults(game, levels, free)]


def _faults(game: Game, levels: Collection[int], free: int) -> Iterator[str]:
    wrong = next((level for level in levels if not 1 <= level <= len(LEVELS)), None)
    if wrong is not None:
        yield f"an engine has a level from {LEVELS[0]} to {LEVELS[-1]}, not {wrong}"
    elif not game.engine:
        yield f"no engine plays {game.title} yet"
    elif len(levels) > free:
        yield crowded(game)


def crowded(game: Game) -> str:
    """The fault of an opening with more opponents than a game has seats for."""
    others = "one other" if len(game.sides) == 2 else f"{len(game.sides) - 1} others"
    return f"{game.title} is for {len(game.sides)} players, so it takes at most {others}"
