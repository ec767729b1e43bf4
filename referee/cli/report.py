"""`referee report`: show positions."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command(short_help="Show a position: board, counters, score.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--ply", "number", type=click.IntRange(min=0), help="Show the position after this ply; 0 is the start.")
@click.option("--every", is_flag=True, help="Show the position after every ply.")
@click.option("--format", "form", type=click.Choice(["text", "json", "jsonl"]), default="text", show_default=True)
@click.option("--view", metavar="SIDE", help="The side from whose chair the board is seen.")
@click.option("--unicode", is_flag=True, help="Draw with arrows and lines instead of plain ASCII.")
def report(file: Path, number: int | None, every: bool, form: str, view: str | None, unicode: bool) -> None:
    """Show the position of FILE after its last ply: board, counters, score, and what the ply changed."""
    from referee.draw import report as drawn
    from referee.game import read
    from referee.game.timeline import as_json, timeline

    if every and number is not None:
        raise click.UsageError("--every and --ply do not go together")
    game = read(file)
    sides = game.description.sides
    if view is not None and view not in sides:
        raise click.UsageError(f"--view must be {' or '.join(sides)}, not {view!r}")
    plies = timeline(game, every=every, number=number)
    if form == "text":
        for place, ply in enumerate(plies):
            click.echo(("\n" if place else "") + drawn(game, ply, view=view or sides[0], unicode=unicode))
    elif form == "jsonl":
        for ply in plies:
            click.echo(json.dumps(as_json(game, ply), ensure_ascii=False))
    else:
        objects = [as_json(game, ply) for ply in plies]
        click.echo(json.dumps(objects if every else objects[0], ensure_ascii=False, indent=2))
