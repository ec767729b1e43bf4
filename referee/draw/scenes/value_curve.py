"""An engine's value of a game after each ply, as a curve; the values are in the game's comments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, inf

from referee.draw.scenes.chart import chart
from referee.draw.scenes.scene import Scene
from referee.game import Ply
from referee.game.valuations import CERTAIN, kept_value
from referee.rules import Game, game_named

TITLE = "Value by ply"

_LEAST, _MOST = 3, 10
"""Minimum and maximum points of a curve for a certain win; a team's game has no such bounds."""


def value_curve(plies: Sequence[Ply], now: int | None = None) -> Scene | None:
    """The curve of a game's values, with a mark at ply `now` or at the last; None if no comment has a value.

    The first of the plies is the start of the game.
    """
    if all(kept_value(ply) is None for ply in plies):
        return None
    return chart(list(_points(plies)), TITLE, now)


def meaning(game: Game) -> str:
    """The meaning of a game's values, as a sentence."""
    if game.scored:
        return "The points that an engine expects at the end."
    return f"By how many points {game.sides[0]} is better, as an engine sees it."


def _points(plies: Sequence[Ply]) -> Iterator[Mapping[str, float]]:
    """The value after each ply, in points, within the bounds of a curve."""
    game, value = game_named(plies[0].position.game), 0
    values = [value := kept if (kept := kept_value(ply)) is not None else value for ply in plies]
    name, highest = (game.scored or game.sides)[0], inf if game.scored else _highest(values)
    for value in values:
        yield {name: max(-highest, min(highest, value / 100))}


def _highest(values: Sequence[int]) -> int:
    """The height of a certain win: a point above every guess, within the bounds."""
    guessed = max((abs(value) for value in values if abs(value) < CERTAIN), default=0)
    return min(_MOST, max(_LEAST, ceil(guessed / 100) + 1))
