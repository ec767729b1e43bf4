"""Lessons in a letter: the aim of a game, a turn, its rules, and the notation piece by piece."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice

from referee.desk import State
from referee.mail.letters.format.blocks import Block, BulletList, Heading, Paragraph, Under
from referee.mail.letters.format.language import phrase
from referee.mail.letters.format.text import quote
from referee.notation.lesson import Form, lesson_of
from referee.rules import Game, Position, movers

_MOST_WEIGHED = 10_000
"""Maximum legal moves among which examples are looked for; the largest boards have more."""

_SENTENCE = re.compile(r"\S.*?(?:[.!?](?= |$)|$)")


def lesson(state: State) -> list[str]:
    """The paragraphs that introduce the referee and a game: where to read more, and its aim in two sentences."""
    more = phrase("lesson.more-alone" if state.alone else "lesson.more")
    aim = " ".join(lesson_of(state.description, state.options).aim[:1])
    return [more, *([" ".join(_SENTENCE.findall(aim)[:2])] if aim else [])]


def rules_blocks(game: Game, options: Mapping[str, object]) -> Iterator[Block]:
    """The rules of a game with these options, as a whole."""
    told = lesson_of(game, options)
    parts = {"aim": told.aim, "start": told.setup, "turn": told.turn, "play": told.play, "ends": told.ends}
    parts["credit"] = (told.credit,)
    for name, paragraphs in parts.items():
        if paragraphs:
            yield Heading(phrase(f"lesson.{name}"))
            yield Under(tuple(paragraphs))


def notation_blocks(
    game: Game, options: Mapping[str, object], position: Position | None, side: str | None
) -> tuple[Block, ...]:
    """The notation of a game: each shape of move, with an example that is legal in a position if there is one.

    `side` is the reader's; None if the position is the start of a game. Without a position, there are no examples.
    """
    points = []
    told = lesson_of(game, options)
    mover = None if position is None else side if side in position.to_move else next(iter(movers(position)), None)
    forms = told.forms or (Form("", phrase("lesson.words", words="; ".join(told.words)), ".*"),)
    for form, example in zip(forms, _examples(forms, position, mover), strict=True):
        shown = example and phrase("lesson.example", move=quote(example))
        points.append(" ".join(part for part in (form.write and quote(form.write), form.says, shown) if part))
    return BulletList(tuple(points)), Paragraph(phrase("lesson.capitals"))


@lru_cache(64)
def _examples(forms: tuple[Form, ...], position: Position | None, mover: str | None) -> tuple[str | None, ...]:
    """A legal move of each form; many games begin alike, and listing all moves of a large board takes long."""
    legal = position.legal_moves(mover) if position is not None and mover is not None else ()
    moves = [str(move) for move in islice(legal, _MOST_WEIGHED)]
    return tuple(form.example(moves) for form in forms)
