"""The starts that notes may be about: the options that they name, and others for those that they do not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import combinations
from typing import Any, NamedTuple

from referee.errors import NotationError, OptionError
from referee.rules import Game, Position, start
from referee.rules.description import value_names

_MOST_TOGETHER = 2
MOST_VARIANTS = 24
_MOST_VALUES = 6


class Variant(NamedTuple):
    """Options of a game, its first position with them, and those among them that the notes do not name."""

    options: Mapping[str, Any]
    start: Position
    assumed: Mapping[str, Any]

    @property
    def cost(self) -> float:
        """Cost of each option that is not the game's usual."""
        return 0.5 * len(self.assumed)


def variants(game: Game, told: Mapping[str, Any], start_text: str | None) -> Iterator[Variant]:
    """The starts, the likeliest first: nothing assumed, then one option that the notes do not name, then two."""
    known: list[Position] = []
    choices = [
        (option.name, value)
        for option in game.options
        if option.name not in told
        for value in value_names(option)
        if value != option.default
    ]
    for many in range(_MOST_TOGETHER + 1):
        for assumed in combinations(choices, many):
            if len({name for name, _ in assumed}) < many:
                continue
            options = {**told, **dict(assumed)}
            try:
                position = start(game.name, position=start_text, options=options)
            except (OptionError, NotationError):
                continue
            if position not in known:
                known.append(position)
                yield Variant(options, position, dict(assumed))
            if len(known) == MOST_VARIANTS:
                return


def other_values(game: Game, told: Mapping[str, Any], name: str, start_text: str | None) -> Iterator[Variant]:
    """The starts with another value of an option, everything else as in the notes."""
    option = next(one for one in game.options if one.name == name)
    for value in [one for one in value_names(option) if one != told[name]][:_MOST_VALUES]:
        options = {**told, name: value}
        with suppress(OptionError, NotationError):
            yield Variant(options, start(game.name, position=start_text, options=options), {})


def options_text(options: Mapping[str, object]) -> str:
    """Options in words."""
    return ", ".join(f"{name} {value}" for name, value in options.items())
