"""`referee seal`: a player seals a move on his own machine."""

from __future__ import annotations

import click


@click.command(short_help="Seal a move on your own machine.")
@click.argument("game_id", metavar="GAME")
@click.argument("ply", type=click.IntRange(min=1))
@click.argument("side")
@click.argument("move", required=False)
@click.option("--rules", default="beams 1", show_default=True, help="Name and version of the rules, as letters say.")
@click.option("--nonce", help="64 hexadecimal digits, if you have drawn your own.")
def seal(game_id: str, ply: int, side: str, move: str | None, rules: str, nonce: str | None) -> None:
    """Turn a move for a ply of GAME into a commitment, which tells nothing about it and binds you to it.

    Send the first line that is printed, and keep the second one to yourself until you are asked for it. The move
    is asked for if it is not given, so that it stays out of your shell's history.
    """
    from referee.desk import seals
    from referee.desk.log import GAME_ID
    from referee.errors import RefereeError
    from referee.notation import parse_move
    from referee.rules import game_named

    if not GAME_ID.fullmatch(game_id):
        raise click.UsageError(f"GAME is the game's id, as letters say, such as spring-7; not {game_id!r}")
    name, _, version = rules.partition(" ")
    description = game_named(name)
    if version not in map(str, description.versions):
        raise click.UsageError(f"--rules is a name and a version, such as '{name} {description.versions[-1]}'")
    if side not in description.sides:
        raise click.UsageError(f"there is no side {side!r}; the sides are: {', '.join(description.sides)}")
    text = str(parse_move(name, click.prompt("Your move", err=True) if move is None else move))
    drawn = seals.draw_nonce().hex() if nonce is None else seals.digits(nonce)
    if drawn is None:
        raise RefereeError("no-nonce", "a nonce is 64 hexadecimal digits")
    click.echo(f"seal {seals.commitment(game_id, ply, side, rules, text, bytes.fromhex(drawn))}")
    click.echo(f"reveal {text} {drawn}")
