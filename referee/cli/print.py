"""`referee print`: make a set to print."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli.options import game_option
from referee.cli.output import written
from referee.cli.suffixes import format_of


@click.command("print", short_help="Make a board and pieces to print.")
@click.argument("game", callback=game_option)
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True)
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The new PDF; - is the output.")
def print_(game: str, paper: str, output: Path) -> None:
    """Make a PDF of GAME's board and pieces, at true size, to print without scaling."""
    from referee.draw.print_set import print_set

    format_of(output, None, {".pdf": "pdf"}, default="pdf")
    written(output, print_set(game, paper=paper))
