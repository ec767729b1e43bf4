"""`referee move` and `referee legal`: a move added to a game file, and the moves that could be."""

from __future__ import annotations

from pathlib import Path

import click

from referee.game import read
from referee.game.edit import add_ply
from referee.game.judge import completions


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("moves", nargs=-1, required=True, metavar="SIDE MOVE [SIDE MOVE]")
def move(file: Path, moves: tuple[str, ...]) -> None:
    """Judge a move and add it to a game file.

    Where several sides move at once, give a move of each: referee move FILE south "P M1 A2 12" north "P S B3".
    A refused move leaves the file as it was, to the byte.
    """
    sides, texts = moves[::2], moves[1::2]
    if len(sides) != len(texts) or len(set(sides)) != len(sides):
        raise click.UsageError('after FILE come a side and its move, such as: south "P M1 A2 12"')
    ply = add_ply(file, dict(zip(sides, texts, strict=True)))
    made = "; ".join(f"{side} {one}" for side, one in ply.moves.items())
    click.echo(f"round {ply.round}, ply {ply.number}: {made}")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("words", nargs=-1, metavar="[SIDE] [PREFIX]")
@click.option("--count", is_flag=True, help="Only count the moves.")
def legal(file: Path, words: tuple[str, ...], count: bool) -> None:
    """List legal moves, or complete a move.

    The moves are those after the last ply of FILE that begin with PREFIX. Without SIDE they are those of every side
    to move, each with its side if there are several.
    """
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
