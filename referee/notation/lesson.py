"""Lessons for beginners, from a file of the game (`Game.lesson`), or else from the terminals of its grammar."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from itertools import islice
from typing import Any

from referee.data import read_yaml
from referee.notation.moves import notation
from referee.rules import Game, Position

HEADINGS = {
    "aim": "The aim",
    "setup": "The start",
    "turn": "A turn",
    "play": "What happens",
    "ends": "The end",
}
"""The parts of a game's rules, in the order in which they are read."""

_MOST_WEIGHED = 10_000
"""Maximum legal moves among which examples are looked for; the largest boards have more."""


@dataclass(frozen=True, slots=True)
class Form:
    """A shape of move: its notation, its effect, and a regular expression that all of its moves match."""

    write: str
    says: str
    such: str

    def example(self, moves: Iterable[str]) -> str | None:
        """The first of some moves that has this form, if any does."""
        return next((move for move in moves if re.fullmatch(self.such, move)), None)


@dataclass(frozen=True, slots=True)
class LessonStep:
    """A step of a first lesson: one thought, and a position that shows it.

    The position follows the `moves` of a game with these `options`, or is that after a `ply` of an example, named
    without its suffix.
    """

    title: str
    says: str
    options: Mapping[str, object] = field(default_factory=dict)
    moves: str = ""
    example: str = ""
    ply: int = 0


@dataclass(frozen=True, slots=True)
class Lesson:
    """The lesson of a game, in paragraphs; parts that the game lacks are empty.

    `words` are the parts of moves, for a game without forms. `endings` has a sentence for each of its own ends, in
    which `{winner}` and `{loser}` are players. `short` is the game in a sentence or two, `steps` teach it in two
    minutes, with pictures.
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
    short: str = ""
    steps: tuple[LessonStep, ...] = ()

    @property
    def parts(self) -> dict[str, tuple[str, ...]]:
        """The paragraphs of the rules by their headings, without parts that the game lacks."""
        return {heading: told for name, heading in HEADINGS.items() if (told := getattr(self, name))}

    def examples(self, position: Position, side: str) -> list[str | None]:
        """A legal move of a side for each form."""
        moves = [str(move) for move in islice(position.legal_moves(side), _MOST_WEIGHED)]
        return [form.example(moves) for form in self.forms]


def lesson_of(game: Game, options: Mapping[str, object]) -> Lesson:
    """The lesson of a game with these options; missing options have their defaults."""
    data = _data(game)
    chosen = {option.name: options.get(option.name, option.default) for option in game.options}
    texts = {one.name: tuple(_paragraphs(data.get(one.name, ()), chosen)) for one in fields(Lesson)[:5]}
    return Lesson(
        **texts,
        credit=data.get("credit", f"{game.title}: {game.designer}."),
        forms=tuple(_form(form, chosen) for form in data.get("notation", ())),
        words=() if data else tuple(notation(game.name).WORDS.values()),
        endings=data.get("endings", {}),
        short=data.get("short", ""),
        steps=tuple(LessonStep(**step) for step in data.get("steps", ())),
    )


def _form(form: Mapping[str, Any], options: Mapping[str, object]) -> Form:
    """A shape of move; its effect is one text, or sentences that can depend on options."""
    says = form["says"]
    effect = says if isinstance(says, str) else " ".join(_paragraphs(says, options))
    return Form(form["write"], effect, form["such"])


def _paragraphs(texts: Iterable[Any], options: Mapping[str, object]) -> Iterator[str]:
    """The paragraphs for these options, with the values of the options that they name."""
    for text in texts:
        if isinstance(text, str):
            yield text.format_map(options)
        elif all(options[name] == value for name, value in text["when"].items()):
            yield text["says"].format_map(options)


@cache
def _data(game: Game) -> Mapping[str, Any]:
    return read_yaml(game.lesson) if game.lesson is not None else {}
