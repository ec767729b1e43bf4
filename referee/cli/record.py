"""`referee record`: make something to keep or show of a whole game."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli.output import kept_apart, written
from referee.cli.report import seat
from referee.cli.suffixes import format_of

FORMATS = {f".{form}": form for form in ("html", "svg", "png", "pdf", "json", "txt")}


@click.command(short_help="Make a page, a picture or a score sheet of a game.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The new file; - is the output.")
@click.option(
    "--format", "form", type=click.Choice(tuple(FORMATS.values())), help="What to make, if the output has no suffix."
)
@click.option("--view", metavar="SIDE", help="The side from whose chair the board is seen.")
def record(file: Path, output: Path, form: str | None, view: str | None) -> None:
    """Make a record of the whole game in FILE: a page to step through, a score sheet, a picture, data or text."""
    from referee.draw.record import record as made
    from referee.game import read

    kept_apart(output, [file])
    form = format_of(output, form, FORMATS)
    game = read(file)
    written(output, made(game, form, view=seat(game, view)))
