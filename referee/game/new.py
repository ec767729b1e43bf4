"""A new game: its options chosen, nobody having moved."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from referee.game.gamefile import GameFile, Player
from referee.rules import game_named
from referee.rules.description import Choice

FLIP = "flip"


def flipped(name: str, options: Mapping[str, Any]) -> dict[str, str]:
    """The options that are `flip`, each decided by a fair coin between the sides."""
    description = game_named(name)
    return {
        option.name: secrets.choice(option.values)
        for option in description.options
        if isinstance(option, Choice) and takes_flip(option, description.sides) and options.get(option.name) == FLIP
    }


def takes_flip(option: Choice, sides: tuple[str, ...]) -> bool:
    """Whether an option names one of the sides, so that a coin can decide it."""
    return option.values == sides


def new_game(
    name: str,
    options: Mapping[str, Any],
    players: Mapping[str, Player] | None = None,
    *,
    id: str | None = None,  # noqa: A002 - the key of the game file
    date: str | None = None,
    event: str | None = None,
) -> GameFile:
    """A game before its first ply, with every option that matters written out.

    Raises:
        RefereeError: `unknown-game`.
        OptionError: with every fault of the options.
    """
    description = game_named(name)
    description.start(options)
    chosen = {key: value for key, value in description.completed(options).items() if value is not None}
    return GameFile(
        name,
        rules=description.versions[-1],
        id=id,
        date=date,
        event=event,
        players=players or {},
        options=chosen,
    )
