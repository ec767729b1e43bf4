"""`referee annotate`: an engine's comments on a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import click

from referee.archives.executors.executors import Executor
from referee.cli.play.programs import LEVEL_NAMES, LevelType, running
from referee.cli.shell.candidates import files
from referee.cli.shell.options import executor_of, game_of
from referee.cli.shell.output import create, expect_yaml, is_standard, progress, refuse_existing
from referee.cli.shell.parameters import jobs_option, output_option
from referee.engine.annotation import Insight, Occasion, annotated
from referee.game import dumps


@click.command("annotate")
@click.argument("file", shell_complete=files)
@click.option(
    "--level",
    type=LevelType(),
    default=6,
    show_default=True,
    help=f"How well the engine looks, by number or name: {LEVEL_NAMES}.",
)
@click.option("--program", metavar="COMMAND", help="A program that looks instead of the engine.")
@output_option("The new file (.yaml).")
@jobs_option()
def annotate_game(file: str, level: int, program: str | None, output: Path | None, jobs: int | None) -> None:
    """Let an engine comment a game.

    The new file has the game in FILE with the value of each ply as a comment, `?` and `??` at moves that any opponent
    could have punished, and the better line. Other choices of the engine are comments, too. If moves are made at
    once, only those are marked that were worse against every reply, without a line. Records of such a file draw the
    values as a curve.
    """
    expect_yaml(output)
    if not is_standard(output):
        refuse_existing(str(output))
    game = game_of(file)
    if program is None:
        work = executor_of(jobs, "processes", None)
        noted = annotated(game, level, partial(_looks, work))
    else:
        with running(program, game.options) as one:
            noted = annotated(game, program=one)
    create(output, dumps(noted))


def _looks(work: Executor, look: Callable[[Occasion], Insight], occasions: Iterable[Occasion]) -> Iterator[Insight]:
    """The insight into each position."""
    waiting = list(occasions)
    with progress(len(waiting), "looking") as advance:
        for _, found in work(look, waiting):
            yield found
            advance(1)
