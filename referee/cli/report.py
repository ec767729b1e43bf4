"""`referee report`: show positions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from referee.cli.output import kept_apart, written
from referee.terminal import visible_json, visible_lines

FORMS = ("text", "json", "jsonl", "svg", "png")


@click.command(short_help="Show a position: board, counters, score.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--ply", "number", type=click.IntRange(min=0), help="Show the position after this ply; 0 is the start.")
@click.option("--every", is_flag=True, help="Show the position after every ply.")
@click.option("--format", "form", type=click.Choice(FORMS), default="text", show_default=True)
@click.option("--view", metavar="SIDE", help="The side from whose chair the board is seen.")
@click.option("--unicode", is_flag=True, help="Draw with arrows and lines instead of plain ASCII.")
@click.option("-o", "--output", default="-", type=click.Path(path_type=Path), help="Where a picture goes.")
def report(
    file: Path, number: int | None, every: bool, form: str, view: str | None, unicode: bool, output: Path
) -> None:
    """Show the position of FILE after its last ply: board, counters, score, and what the ply changed."""
    from referee.game import read
    from referee.game.timeline import as_json, timeline

    if every and (number is not None or form in ("svg", "png")):
        raise click.UsageError("--every goes with the formats text, json and jsonl, and without --ply")
    kept_apart(output, [file])
    game = read(file)
    chair = seat(game, view)
    plies = timeline(game, every=every, number=number)
    if form == "text":
        _print_boards(game, plies, chair, unicode=unicode)
    elif form == "json":
        objects = [as_json(game, ply) for ply in plies]
        click.echo(visible_json(objects if every else objects[0], indent=2))
    elif form == "jsonl":
        for ply in plies:
            click.echo(visible_json(as_json(game, ply)))
    else:
        from referee.draw.record import picture

        written(output, picture(game, next(plies), form, view=chair))


def seat(game: Any, view: str | None) -> str:  # noqa: ANN401 - a GameFile; the library is imported late
    """The side that was named with --view, or the first one."""
    sides: tuple[str, ...] = game.description.sides
    if view is not None and view not in sides:
        raise click.UsageError(f"--view must be {' or '.join(sides)}, not {view!r}")
    return view or sides[0]


def _print_boards(game: Any, plies: Iterator[Any], view: str, *, unicode: bool) -> None:  # noqa: ANN401
    from referee.draw import report as drawn

    for place, ply in enumerate(plies):
        click.echo(("\n" if place else "") + visible_lines(drawn(game, ply, view=view, unicode=unicode)))
