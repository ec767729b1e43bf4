"""`referee move`: judge the moves of one ply and add them to a game file."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(short_help="Judge a move and add it to a game file.")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("moves", nargs=-1, required=True, metavar="SIDE MOVE [SIDE MOVE]")
def move(file: Path, moves: tuple[str, ...]) -> None:
    """Judge the moves of one ply and add them to FILE.

    Where both sides move at once, both moves are given: referee move FILE south "P M1 A2 12" north "P S B3".
    A refused move leaves the file as it was, to the byte.
    """
    from referee.game.append import add_ply

    sides, texts = moves[::2], moves[1::2]
    if len(sides) != len(texts) or len(set(sides)) != len(sides):
        raise click.UsageError('after FILE come a side and its move, such as: south "P M1 A2 12"')
    ply = add_ply(file, dict(zip(sides, texts, strict=True)))
    made = "; ".join(f"{side} {one}" for side, one in ply.moves.items())
    click.echo(f"round {ply.round}, ply {ply.number}: {made}")
