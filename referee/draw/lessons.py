"""First lessons: each step with the position that shows it."""

from __future__ import annotations

from functools import cache

from referee.draw.words import alt_text
from referee.game import GameFile, Ply, loads, ply_at, read, zeroth_ply
from referee.notation.lesson import LessonStep, lesson_of
from referee.rules import Game


@cache
def shown_steps(game: Game) -> tuple[tuple[LessonStep, Ply], ...]:
    """The steps of a game's lesson, each with the ply of its picture; without steps, its rules with an example."""
    lesson = lesson_of(game, {})
    if lesson.steps:
        return tuple((step, _ply(game, step)) for step in lesson.steps)
    plies, last = _example(game), max(1, len(lesson.parts) - 1)
    rules = (LessonStep(heading, " ".join(told)) for heading, told in lesson.parts.items())
    return tuple((step, plies[number * (len(plies) - 1) // last]) for number, step in enumerate(rules))


def cover_ply(game: Game) -> Ply:
    """The ply of the picture beside a game's title: that of the last step, or else of an example."""
    steps = shown_steps(game)
    return steps[-1][1] if steps else _example(game)[0]


def alt_of(ply: Ply) -> str:
    """The picture of a step in words."""
    return alt_text(ply.position, ply.position.sides[0], ply.events, outcome=ply.outcome)


def _ply(game: Game, step: LessonStep) -> Ply:
    if step.example:
        return ply_at(read(game.examples / f"{step.example}.yaml"), step.ply)
    header = "".join(f"  {name}: {value}\n" for name, value in step.options.items())
    moves = "".join(f"  {line}\n" for line in step.moves.splitlines())
    parts = (f"game: {game.name}\n", header and f"options:\n{header}", moves and f"moves: |\n{moves}")
    return ply_at(loads("".join(parts)))


def _example(game: Game) -> list[Ply]:
    """The plies of the first example of a game; without any, its start."""
    example = next((read(file) for file in sorted(game.examples.glob("*.yaml"))), GameFile(game.name))
    return [*example.replay()] or [zeroth_ply(example)]
