"""Random games to test with, the same ones in each run."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import product
from typing import Annotated, Any, NamedTuple, get_args, get_origin

from referee.errors import OptionError
from referee.notation.forms.columns import choices
from referee.notation.moves import known_move
from referee.rules import Move, Position, game_named, movers
from referee.rules.codec import field_types
from referee.rules.description import Number, value_names
from referee.rules.squares import Board, Square

_LONGEST = 80
_OPENING = 3
_FOREIGN = 40
"""Moves of other positions that are written and read."""

_POSSIBLE = 5000
"""Maximum moves that each position is asked about: all from square to square on a board of 8 x 8."""


class PlayedPly(NamedTuple):
    """A ply: the position before it, its moves, and the position after it."""

    before: Position
    moves: Mapping[str, Move]
    after: Position


class Play(NamedTuple):
    """A random game, with its options."""

    options: Mapping[str, object]
    start: Position
    steps: tuple[PlayedPly, ...]

    @property
    def positions(self) -> tuple[Position, ...]:
        """All positions, the first one included."""
        return (self.start, *(step.after for step in self.steps))


@cache
def plays(game: str) -> tuple[Play, ...]:
    """A game of each variant: twice with the defaults, with presets, and with one option changed."""
    return tuple(_play(game, options, seed) for seed, options in enumerate(_variants(game)))


def positions(game: str, step: int = 1) -> tuple[Position, ...]:
    """Every nth of their positions, and those in which they open."""
    numbered = (pair for play in plays(game) for pair in enumerate(play.positions))
    return tuple(one for number, one in numbered if number < _OPENING or number % step == 0)


def steps(game: str, step: int = 1) -> tuple[PlayedPly, ...]:
    """Every nth of their plies."""
    return tuple(one for play in plays(game) for one in play.steps)[::step]


@cache
def foreign_moves(game: str) -> tuple[Move, ...]:
    """Some of all moves that are legal anywhere."""
    found = {move for one in positions(game, 5) for side in one.sides for move in one.legal_moves(side)}
    chance = random.Random(game)
    return tuple(chance.sample(sorted(found, key=str), min(_FOREIGN, len(found))))


@cache
def possible_moves(game: str) -> frozenset[Move]:
    """Moves that squares and other values can make, all if they are few; and those of `foreign_moves`."""
    legal = {move for one in positions(game) for side in one.to_move for move in one.legal_moves(side)}
    chance, found = random.Random(game), {*foreign_moves(game)}
    for kind in positions(game)[0].kinds:
        parts = [_values(game, name, hint, legal) for name, hint in field_types(kind).items()]
        whole = math.prod(map(len, parts)) <= _POSSIBLE
        made = product(*parts) if whole else ([*map(chance.choice, parts)] for _ in range(_POSSIBLE))
        found |= {move for values in made if (move := _move(game, kind, values)) is not None}
    return frozenset(found)


def _values(game: str, name: str, hint: Any, legal: Iterable[Move]) -> list[Any]:  # noqa: ANN401 - a type, any values
    """The values that a field of moves can have, as its type, the boards and the legal moves show."""
    hint = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    found: set[Any] = {getattr(move, name) for move in legal if hasattr(move, name)} | {*(choices(hint) or ())}
    if hint is int:
        found |= {0, *(one + 1 for one in found)}
    if hint is Square:
        boards = (getattr(one, "board", None) for one in positions(game))
        found |= {square for board in {*boards} if isinstance(board, Board) for square in board.numbers}
    return sorted(found, key=str)


def _move(game: str, kind: type[Move], values: Iterable[object]) -> Move | None:
    """The move of these values; None if its notation has none of them."""
    try:
        move = kind(*values)
        return move if known_move(game, str(move)) == move else None
    except Exception:
        return None


def _variants(game: str) -> Iterator[Mapping[str, object]]:
    description = game_named(game)
    changed = (
        {option.name: value}
        for option in description.options
        for value in ((option.low,) if isinstance(option, Number) else value_names(option))
    )
    for options in ({}, {}, *description.presets.values(), *changed):
        try:
            description.start(options)
        except OptionError:
            continue  # this value needs another one
        yield options


def _play(game: str, options: Mapping[str, object], seed: int) -> Play:
    chance = random.Random(seed)
    position = start = game_named(game).start(options)
    made: list[PlayedPly] = []
    while len(made) < _LONGEST and (due := movers(position)) and all(map(position.legal_moves, due)):
        moves = {side: position.any_move(side, chance.randrange) for side in due}
        made.append(PlayedPly(position, moves, position.play_unchecked(moves)))
        position = made[-1].after
    return Play(options, start, tuple(made))
