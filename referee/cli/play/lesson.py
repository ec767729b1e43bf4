"""The rules of a game in the terminal, and how its moves are written."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from referee.engine.practice import Practice
from referee.notation.lesson import Lesson, lesson_of

_MARGIN = "  "


def rules_lines(practice: Practice, width: int) -> Iterator[str]:
    """The rules of the game that is played, with its options, and its moves with examples."""
    game = practice.game.description
    lesson = lesson_of(game, practice.game.options)
    yield from wrap(game.title, width)
    for heading, paragraphs in lesson.parts.items():
        yield from ("", heading)
        for text in paragraphs:
            yield from _wrapped(text, width)
    yield from ("", "How a move is written")
    yield from _moves(lesson, practice, width)
    yield ""
    yield from wrap(lesson.credit, width)


def _moves(lesson: Lesson, practice: Practice, width: int) -> Iterator[str]:
    side = practice.side if practice.is_own_turn else None
    examples = lesson.examples(practice.position, side) if side else [None] * len(lesson.forms)
    for form, example in zip(lesson.forms, examples, strict=True):
        such = f" For example: {example}" if example else ""
        yield from _wrapped(f"{form.write}  {form.says}{such}", width)
    for words in lesson.words:
        yield from _wrapped(words, width)


def _wrapped(text: str, width: int) -> list[str]:
    return wrap(text, width, initial_indent=_MARGIN, subsequent_indent=_MARGIN)
