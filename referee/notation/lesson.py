"""What a game tells beginners: its aim, a turn, the rest of the rules, and its notation piece by piece.

The texts are a file of the game's own (`Game.lesson`). A game without one teaches the terminals of its grammar.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any

from referee.data import read_yaml
from referee.notation.moves import notation
from referee.rules import Game


@dataclass(frozen=True, slots=True)
class Form:
    """A shape of move: how it is written, what it does, and a regular expression that all of its moves match."""

    write: str
    says: str
    such: str

    def example(self, moves: Iterable[str]) -> str | None:
        """The first of some moves that has this form, if any does."""
        return next((move for move in moves if re.fullmatch(self.such, move)), None)


@dataclass(frozen=True, slots=True)
class Lesson:
    """What there is to learn of a game, in paragraphs; what the game does not tell is empty.

    Attributes:
        aim: what the players are after.
        turn: what they do in a turn, in short.
        setup: the board and the pieces at the start.
        play: the rest of the rules.
        ends: how the game ends, and who wins.
        credit: whose game it is.
        forms: each shape of move.
        words: what moves are made of, for a game that tells no forms.
        endings: how the game was decided, by the names of its own ends; `{winner}` and `{loser}` are players.
    """

    aim: tuple[str, ...] = ()
    turn: tuple[str, ...] = ()
    setup: tuple[str, ...] = ()
    play: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    credit: str = ""
    forms: tuple[Form, ...] = ()
    words: tuple[str, ...] = ()
    endings: Mapping[str, str] = field(default_factory=dict)


def lesson_of(game: Game, options: Mapping[str, object]) -> Lesson:
    """What a game with these options tells beginners; missing options have their defaults."""
    data = _data(game)
    chosen = {option.name: options.get(option.name, option.default) for option in game.options}
    told = {one.name: tuple(_paragraphs(data.get(one.name, ()), chosen)) for one in fields(Lesson)[:5]}
    return Lesson(
        **told,
        credit=data.get("credit", f"{game.title}: {game.designer}."),
        forms=tuple(_form(form, chosen) for form in data.get("notation", ())),
        words=() if data else tuple(notation(game.name).WORDS.values()),
        endings=data.get("endings", {}),
    )


def _form(form: Mapping[str, Any], options: Mapping[str, object]) -> Form:
    """A shape of move; what it does can be one text, or sentences of which some hold for some options alone."""
    says = form["says"]
    told = says if isinstance(says, str) else " ".join(_paragraphs(says, options))
    return Form(form["write"], told, form["such"])


def _paragraphs(texts: Iterable[Any], options: Mapping[str, object]) -> Iterator[str]:
    """The paragraphs that hold for these options, each with the values of the options that it names."""
    for text in texts:
        if isinstance(text, str):
            yield text.format_map(options)
        elif all(options[name] == value for name, value in text["when"].items()):
            yield text["says"].format_map(options)


@cache
def _data(game: Game) -> Mapping[str, Any]:
    return read_yaml(game.lesson) if game.lesson is not None else {}
