"""Random games to test with, the same ones in each run."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from referee.errors import OptionError
from referee.rules import Move, Option, Position, game_named, movers
from referee.rules.description import Choice, Number

_LONGEST = 80
_FOREIGN = 40
"""Moves of other positions that each position is asked about."""


class Step(NamedTuple):
    """A ply: the position before it, its moves, and the position after it."""

    before: Position
    moves: Mapping[str, Move]
    after: Position


class Play(NamedTuple):
    """A random game, with its options."""

    options: Mapping[str, object]
    start: Position
    steps: tuple[Step, ...]

    @property
    def positions(self) -> tuple[Position, ...]:
        """All positions, the first one included."""
        return (self.start, *(step.after for step in self.steps))


@cache
def plays(game: str) -> tuple[Play, ...]:
    """A game of each variant: twice with the defaults, with presets, and with one option changed."""
    return tuple(_play(game, options, seed) for seed, options in enumerate(_variants(game)))


def positions(game: str, step: int = 1) -> tuple[Position, ...]:
    """Every nth of their positions."""
    return tuple(one for play in plays(game) for one in play.positions)[::step]


def steps(game: str, step: int = 1) -> tuple[Step, ...]:
    """Every nth of their plies."""
    return tuple(one for play in plays(game) for one in play.steps)[::step]


@cache
def foreign_moves(game: str) -> tuple[Move, ...]:
    """Some of all moves that are legal anywhere."""
    found = {move for one in positions(game, 5) for side in one.sides for move in one.legal_moves(side)}
    chance = random.Random(game)
    return tuple(chance.sample(sorted(found, key=str), min(_FOREIGN, len(found))))


def _variants(game: str) -> Iterator[Mapping[str, object]]:
    description = game_named(game)
    changed = ({option.name: value} for option in description.options for value in _others(option))
    for options in ({}, {}, *description.presets.values(), *changed):
        try:
            description.start(options)
        except OptionError:
            continue  # this value needs another one
        yield options


def _others(option: Option) -> tuple[object, ...]:
    match option:
        case Number(low=low):
            return (low,)
        case Choice(values=values):
            return values
        case _:
            return option.names


def _play(game: str, options: Mapping[str, object], seed: int) -> Play:
    chance = random.Random(seed)
    position = start = game_named(game).start(options)
    made: list[Step] = []
    while len(made) < _LONGEST and (due := movers(position)) and all(map(position.legal_moves, due)):
        moves = {side: position.any_move(side, chance.randrange) for side in due}
        made.append(Step(position, moves, position.play_unchecked(moves)))
        position = made[-1].after
    return Play(options, start, tuple(made))
