"""The positions that a game's lesson shows."""

from __future__ import annotations

from referee.game.file.gamefile import GameFile, Ply, ply_at, zeroth_ply
from referee.game.file.loader import loads, read
from referee.notation.lesson import lesson_of
from referee.rules import Game


def shown_ply(game: Game, number: int) -> Ply:
    """The ply of a step, from 0; without steps, one of an example, the later the later the part of the rules."""
    lesson = lesson_of(game, {})
    if not lesson.steps:
        example = _example(game)
        plies = [*example.replay()] or [zeroth_ply(example)]
        return plies[number * (len(plies) - 1) // max(1, len(lesson.parts) - 1)]
    step = lesson.steps[number]
    if step.example:
        return ply_at(read(game.examples / f"{step.example}.yaml"), step.ply)
    header = "".join(f"  {name}: {value}\n" for name, value in step.options.items())
    moves = "".join(f"  {line}\n" for line in step.moves.splitlines())
    parts = (f"game: {game.name}\n", header and f"options:\n{header}", moves and f"moves: |\n{moves}")
    return ply_at(loads("".join(parts)))


def _example(game: Game) -> GameFile:
    """The first example of a game, or its start."""
    for file in sorted(game.examples.glob("*.yaml")):
        return read(file)
    return GameFile(game.name)
