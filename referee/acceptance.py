"""The acceptance of another package's game: each of its parts is used once before anything else uses it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from itertools import islice, permutations
from pathlib import Path
from typing import Any, cast

from referee.data import read_yaml
from referee.draw import PaintedDrawing, PlainDrawing, drawing
from referee.draw.text import text_board
from referee.errors import OptionError, expect
from referee.notation.lesson import lesson_of
from referee.notation.moves import note_words, parse_move, terminals
from referee.rules import Game, Move, Position, movers
from referee.rules.description import Secret

_MOVES = 3
"""Moves of a side that are tried."""

_DRAWS, _FEWEST = 20, 10
"""Draws of a secret, and the different ones among them, at least."""

_WIDTH = 78
"""Maximum columns of a board, as `referee.draw.Drawing` says."""


def accept(game: Game) -> None:
    """Use every part of a game; any exception is a fault of the game."""
    start = game.start({})
    _accept_position(game, start)
    moves = {side: _first_move(start, side) for side in movers(start)}
    before = _told(start)
    after = start.play(moves)
    _accept_position(game, after)
    if after is start or _told(start) != before:
        raise ValueError("a move changes the position before it")
    events = tuple(start.events(moves, after))
    for position, changes in ((start, ()), (after, events)):
        _accept_boards(position, changes)
    for event in events:
        drawing(game.name).sentence(event)
    terminals(game.name)
    note_words(game.name)
    _accept_texts(game)
    if game.secret is not None:
        _accept_secret(game, game.secret)
    for module, offered in ((game.engine, "search"), (game.print_set, "kit")):
        if module and not callable(getattr(import_module(module), offered, None)):
            raise ValueError(f"{module} has no function `{offered}`")


def _accept_position(game: Game, position: Position) -> None:
    expect(Position, position, "a position")
    if position.game != game.name or position.sides != game.sides:
        said = f"a position is of {position.game} with the sides {position.sides}"
        raise ValueError(f"{said}, but the game is {game.name} with {game.sides}")
    for name in getattr(position, "__dataclass_fields__", ()):
        if callable(getattr(Position, name, None)):
            raise ValueError(f"the field {name} hides Position.{name}: give it another name")
    expect(tuple, position.kinds, "a tuple as kinds of moves")
    expect(frozenset, position.to_move, "a frozenset as the sides to move")
    if (position.outcome is None) is not bool(position.to_move):
        raise ValueError("there has to be a side to move or an outcome, and not both")
    for winner in (None, *game.sides):
        if tuple(position.award(winner)) != game.scores:
            raise ValueError(f"the points are for {tuple(position.award(winner))}, not for {game.scores}")
    if hash(position) != hash(position) or position != position:
        raise ValueError("a position differs from itself")
    _told(position)
    str(position)


def _told(position: Position) -> str:
    """The facts of a position as JSON, which only plain data has."""
    facts = position.facts()
    for name in facts:
        expect(str, name, "a text as the name of a fact")
    return json.dumps(facts)


def _first_move(position: Position, side: str) -> Move:
    """A legal move of a side, which is read as it is written."""
    moves: list[Move] = [*islice(position.legal_moves(side), _MOVES)]
    for move in moves:
        hash(move)
        if not isinstance(move, position.kinds) or parse_move(position.game, str(move)) != move:
            raise ValueError(f"the move {str(move)!r} is another one once it is read")
    return moves[0]


def _accept_boards(position: Position, events: tuple[Any, ...]) -> None:
    drawn = drawing(position.game)
    for view in position.sides:
        for unicode in (False, True):
            if not isinstance(drawn, PaintedDrawing):
                lines = cast(PlainDrawing, drawn).board(position, view=view, unicode=unicode, events=events)
                expect(list, lines, "a list of lines as the board")
                if any(len(line) > _WIDTH for line in lines):
                    raise ValueError(f"a line of the board is longer than {_WIDTH} columns")
            if any("\n" in line for line in text_board(position, view, events, unicode=unicode)):
                raise ValueError("a line of the board has two lines")
        drawn.scene(position, view=view, events=events)
    drawn.standing(position)


def _accept_secret(game: Game, secret: Secret) -> None:
    """The draws of a secret, the promise that its public options make of it, and what sides see of hidden hands."""
    drawn = [*{secret.draw() for _ in range(_DRAWS)}]
    if len(drawn) < _FEWEST:
        raise ValueError(f"{_DRAWS} draws give {len(drawn)} secrets, which can be guessed")
    known = secret.known({}, drawn[0], None)
    if known == secret.known({}, drawn[1], None):
        raise ValueError("two secrets have the same public options: have `known` promise a secret, as by its SHA-256")
    with suppress(OptionError):
        secret.known(known, drawn[1], None)
        raise ValueError("`known` takes the secret of another game: have it raise an OptionError")
    if not secret.fits({}, known, None):
        raise ValueError("`fits` refuses the options that `known` makes public")
    if secret.whole is not None:
        start = game.start(known)
        _accept_hands([secret.whole(one, start) for one in drawn], start)


def _accept_hands(wholes: Sequence[Position], start: Position) -> None:
    """The positions with everything hidden in them, one for each secret, and what sides see of the first."""
    whole = wholes[0]
    if all(one == whole for one in wholes):
        raise ValueError("`whole` gives the same position for all secrets")
    if whole.seen_by(None) != start:
        raise ValueError("what `whole` adds to a public position is public: seen_by(None) has to leave it out")
    for side, other in permutations(start.sides, 2):
        hand = whole.seen_by(other)
        if hand != start and whole.seen_by(side).seen_by(other) == hand:
            raise ValueError(f"{side} sees all that {other} sees: seen_by({side!r}) has to leave {other}'s hand out")


def _accept_texts(game: Game) -> None:
    """The files in which a game explains its codes and teaches itself."""
    for one in read_yaml(Path(game.refusals))["codes"] if game.refusals is not None else ():
        expect(str, one["code"], "a text as a code")
        expect(str, one["says"], "a text as what a code says")
    lesson_of(game, {})
