"""`referee report`: show positions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from referee.cli.output import kept_apart, written
from referee.cli.suffixes import format_of
from referee.terminal import visible_json, visible_lines

FORMATS = {".txt": "text", ".json": "json", ".jsonl": "jsonl", ".svg": "svg", ".png": "png"}
PICTURES = ("svg", "png")


@click.command(short_help="Show a position: board, counters, score.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--ply", "number", type=click.IntRange(min=0), help="Show the position after this ply; 0 is the start.")
@click.option("--every", is_flag=True, help="Show the position after every ply.")
@click.option(
    "--format",
    "form",
    type=click.Choice(tuple(FORMATS.values())),
    help="[default: the suffix of the output, or text]",
)
@click.option("--view", metavar="SIDE", help="The side from whose chair the board is seen.")
@click.option("--unicode", is_flag=True, help="Draw with arrows and lines instead of plain ASCII.")
@click.option(
    "-o",
    "--output",
    default="-",
    type=click.Path(path_type=Path),
    help="Write into this file; its suffix is the format.",
)
def report(
    file: Path, number: int | None, every: bool, form: str | None, view: str | None, unicode: bool, output: Path
) -> None:
    """Show the position of FILE after its last ply: board, counters, score, and what the ply changed."""
    from referee.game import read
    from referee.game.timeline import timeline

    kept_apart(output, [file])
    form = format_of(output, form, FORMATS, default="text")
    if every and (number is not None or form in PICTURES):
        raise click.UsageError("--every goes with the formats text, json and jsonl, and without --ply")
    game = read(file)
    chair = seat(game, view)
    plies = timeline(game, every=every, number=number)
    if form in PICTURES:
        from referee.draw.record import picture

        written(output, picture(game, next(plies), form, view=chair))
        return
    if form == "text":
        parts = _boards(game, plies, chair, unicode=unicode)
    else:
        parts = _objects(game, plies, form, every=every)
    _put(output, parts)


def seat(game: Any, view: str | None) -> str:  # noqa: ANN401 - a GameFile; the library is imported late
    """The side that was named with --view, or the first one."""
    sides: tuple[str, ...] = game.description.sides
    if view is not None and view not in sides:
        raise click.UsageError(f"--view must be {' or '.join(sides)}, not {view!r}")
    return view or sides[0]


def _boards(game: Any, plies: Iterator[Any], view: str, *, unicode: bool) -> Iterator[str]:  # noqa: ANN401
    from referee.draw.text import report as drawn

    for place, ply in enumerate(plies):
        yield ("\n" if place else "") + visible_lines(drawn(game, ply, view=view, unicode=unicode))


def _objects(game: Any, plies: Iterator[Any], form: str, *, every: bool) -> Iterator[str]:  # noqa: ANN401
    from referee.game.timeline import as_json

    objects = (as_json(game, ply) for ply in plies)
    if form == "jsonl":
        yield from (visible_json(one) for one in objects)
    else:
        yield visible_json(list(objects) if every else next(objects), indent=2)


def _put(output: Path, parts: Iterator[str]) -> None:
    """Print the parts as they come, or put all of them into a file."""
    if str(output) == "-":
        for part in parts:
            click.echo(part)
    else:
        written(output, "".join(f"{part}\n" for part in parts).encode("utf-8", "backslashreplace"))
