"""The acceptance of another package's game: each of its parts is used once before anything else uses it."""

from __future__ import annotations

import json
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, cast

from referee.data import read_yaml
from referee.draw import PaintedDrawing, PlainDrawing, drawing
from referee.draw.text import text_board
from referee.errors import expect
from referee.notation.lesson import lesson_of
from referee.notation.moves import note_words, parse_move, terminals
from referee.rules import Game, Move, Outcome, Position, movers

_MOVES = 3
"""Moves of a side that are tried."""

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
        expect(str, drawing(game.name).sentence(event), "a text as the sentence of an event")
    terminals(game.name)
    note_words(game.name)
    _accept_texts(game)
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
    if not position.to_move <= set(game.sides):
        raise ValueError(f"{position.to_move} are to move, but the sides are {game.sides}")
    expect((Outcome, type(None)), position.outcome, "an outcome")
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
    for heading, text in drawn.standing(position):
        expect(str, heading, "a text as heading")
        expect(str, text, "a text as standing")


def _accept_texts(game: Game) -> None:
    """The files in which a game explains its codes and teaches itself."""
    for one in read_yaml(Path(game.refusals))["codes"] if game.refusals is not None else ():
        expect(str, one["code"], "a text as a code")
        expect(str, one["says"], "a text as what a code says")
    lesson_of(game, {})
