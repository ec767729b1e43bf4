"""`referee diff`: compare two versions of one game."""

from __future__ import annotations

import sys

import click

from referee.cli.shell.candidates import files
from referee.cli.shell.errors import UNUSABLE, WRONG
from referee.cli.shell.options import game_of
from referee.cli.shell.screen import screen
from referee.errors import FileError
from referee.game.amend.difference import difference
from referee.terminal import visible_json, visible_lines


@click.command("diff")
@click.argument("first", shell_complete=files)
@click.argument("second", shell_complete=files)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def diff_command(first: str, second: str, form: str) -> int:
    """Show how two versions of a game differ.

    The output has the changes of the header and of the notes, the place where the moves part, and the number of moves
    after it. A file called - is the standard input. Exit status: 0 the same; 1 different; 2 a file cannot be read as
    a game.
    """
    if first == second == "-":
        raise click.UsageError("only one of the two can come from the standard input")
    try:
        found = difference(game_of(first), game_of(second))
    except FileError as error:
        click.echo(error.as_text(screen().pen(sys.stderr)), err=True, color=True)
        return UNUSABLE
    if form == "json":
        click.echo(visible_json(found.as_json(), indent=2))
    else:
        click.echo(visible_lines(found.as_text((first, second))))
    return WRONG if found else 0
