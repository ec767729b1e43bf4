"""`referee legal`: list legal moves."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(short_help="List legal moves, or complete a move.")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("words", nargs=-1, metavar="[SIDE] [PREFIX]")
@click.option("--count", is_flag=True, help="Only count the moves.")
def legal(file: Path, words: tuple[str, ...], count: bool) -> None:
    """List the legal moves after the last ply of FILE, or those that begin with PREFIX.

    Without SIDE the moves of all sides that are to move are listed, each with its side if there are several.
    """
    from referee.game import read
    from referee.game.complete import completions

    game = read(file)
    side, prefix = (words[0], words[1:]) if words and words[0] in game.description.sides else (None, words)
    moves = completions(game, side, " ".join(prefix))
    for one, found in moves.items():
        label = f"{one} " if len(moves) > 1 else ""
        if count:
            click.echo(f"{label}{sum(1 for _ in found)}")
        else:
            for move in found:
                click.echo(f"{label}{move}")
