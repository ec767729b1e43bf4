"""`referee annotate`: an engine's eye on a game."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli.candidates import files
from referee.cli.options import game_of
from referee.cli.output import create, format_of
from referee.engine import LEVELS
from referee.engine.annotation import annotated
from referee.game.dumper import dumps


@click.command("annotate")
@click.argument("file", shell_complete=files)
@click.option(
    "--level",
    type=click.IntRange(1, len(LEVELS)),
    default=6,
    show_default=True,
    help="How well the engine looks: from 1 to 8.",
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The new file (.yaml).")
def annotate_game(file: str, level: int, output: Path | None) -> None:
    """Let an engine comment a game.

    The game in FILE is written anew, with the value of each ply as a comment, `?` and `??` at moves that any
    opponent could have punished, and what would have been better. Where moves are made at once, only those are
    marked that were worse against every reply. Records of such a file draw the values as a curve.
    """
    format_of(output, None, {".yaml": "yaml", ".yml": "yaml"}, default="yaml")
    text = dumps(annotated(game_of(file), level))
    if output is None:
        click.echo(text, nl=False)
    else:
        create(output, text)
