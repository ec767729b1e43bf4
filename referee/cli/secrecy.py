"""`referee seal` and `referee reveal`: moves kept secret for a while, and what the referee has kept secret."""

from __future__ import annotations

import sys
from pathlib import Path

import click

import referee.game.edit
from referee.desk import seals
from referee.desk.log import GAME_ID
from referee.errors import RefereeError
from referee.notation import parse_move
from referee.rules import GAMES, game_named
from referee.terminal import visible


@click.command()
@click.argument("game_id", metavar="GAME")
@click.argument("ply", type=click.IntRange(min=1))
@click.argument("side")
@click.argument("move", required=False)
@click.option(
    "--rules", default=f"{GAMES[0]} 1", show_default=True, help="Name and version of the rules, as in letters."
)
@click.option("--nonce", help="64 hexadecimal digits, if you have drawn your own.")
def seal(game_id: str, ply: int, side: str, move: str | None, rules: str, nonce: str | None) -> None:
    """Seal a move on your own machine.

    This turns a move for a ply of GAME into a commitment, which tells nothing about the move and binds you to it.
    Send the first line that is printed, and keep the second one to yourself until you are asked for it. Without
    MOVE you are asked for the move, so that it stays out of your shell's history.
    """
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


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("secret")
def reveal(file: Path, secret: str) -> None:
    """Reveal what the players may know of a game's secret.

    What they may know by now is written into FILE, and the secret itself once the game is over. SECRET is what
    'referee new' told the referee alone; - reads it from the standard input, so that no shell remembers it.
    """
    if secret == "-":
        secret = sys.stdin.readline().strip()
    game = referee.game.edit.reveal(file, secret)
    click.echo(f"{visible(str(file))}: the options now tell what may be known of {game.description.title}")
