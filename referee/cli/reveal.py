"""`referee reveal`: tell what the referee has kept secret so far."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from referee.terminal import visible


@click.command(short_help="Turn over the next cards, or tell the seed.")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("secret")
def reveal(file: Path, secret: str) -> None:
    """Write into FILE what of the game's SECRET the players may know by now.

    For The Beam that is the cards of the next round, and the seed itself once the game is over. SECRET is what
    'referee new' told the referee alone; - reads it from the standard input, so that no shell remembers it.
    """
    from referee.game.reveal import reveal as revealed

    if secret == "-":
        secret = sys.stdin.readline().strip()
    game = revealed(file, secret)
    click.echo(f"{visible(str(file))}: the options now tell what may be known of {game.description.title}")
