"""`referee report`: show positions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from referee.cli.options import chosen, game_option, position_option
from referee.cli.output import kept_apart, written
from referee.cli.suffixes import format_of
from referee.terminal import visible_json, visible_lines

FORMATS = {".txt": "text", ".json": "json", ".jsonl": "jsonl", ".svg": "svg", ".png": "png"}
LINE = "position"
"""The format that is one line of text, of no suffix of its own."""

PICTURES = ("svg", "png")


@click.command(short_help="Show a position: board, counters, score.")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--game", callback=game_option, help="Without FILE: show a position of this game.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of that game.")
@position_option
@click.option("--ply", "number", type=click.IntRange(min=0), help="Show the position after this ply; 0 is the start.")
@click.option("--every", is_flag=True, help="Show the position after every ply.")
@click.option(
    "--format",
    "form",
    type=click.Choice((*FORMATS.values(), LINE)),
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
    file: Path | None,
    game: str | None,
    options: tuple[str, ...],
    start_text: str | None,
    number: int | None,
    every: bool,
    form: str | None,
    view: str | None,
    unicode: bool,
    output: Path,
) -> None:
    """Show the position of FILE after its last ply: board, counters, score, and what the ply changed.

    With --game instead of FILE, show the position that --position says, or the start of that game. The format
    'position' prints that text itself: one line, for --position and for 'start:' in a game file.
    """
    from referee.game.timeline import timeline

    kept_apart(output, [file])
    form = LINE if form == LINE else format_of(output, form, FORMATS, default="text")
    if every and (number is not None or form in PICTURES):
        raise click.UsageError("--every goes without --ply, and with any format but a picture")
    shown = _game(file, game, options, start_text)
    chair = seat(shown, view)
    plies = timeline(shown, every=every, number=number)
    if form in PICTURES:
        from referee.draw.record import picture

        written(output, picture(shown, next(plies), form, view=chair))
        return
    if form == LINE:
        parts: Iterator[str] = (str(ply.position if ply else shown.start()) for ply in plies)
    elif form == "text":
        parts = _boards(shown, plies, chair, unicode=unicode)
    else:
        parts = _objects(shown, plies, form, every=every)
    _put(output, parts)


def _game(file: Path | None, game: str | None, options: tuple[str, ...], start_text: str | None) -> Any:  # noqa: ANN401
    """The game of a file, or one of that name in which nobody has moved."""
    from referee.game import GameFile, read

    if file is not None and (game or options or start_text is not None):
        raise click.UsageError("a FILE says its own game: leave --game, --option and --position out")
    if file is not None:
        return read(file)
    if game is None:
        raise click.UsageError("name a FILE, or a game with --game")
    return GameFile(game, options=chosen(options), start_text=start_text)


def seat(game: Any, view: str | None) -> str:  # noqa: ANN401 - a GameFile; the library is imported late
    """The side that was named with --view, or the first one."""
    sides: tuple[str, ...] = game.description.sides
    if view is not None and view not in sides:
        raise click.UsageError(f"--view must be {' or '.join(sides)}, not {view!r}")
    return view or sides[0]


def _boards(game: Any, plies: Iterator[Any], view: str, *, unicode: bool) -> Iterator[str]:  # noqa: ANN401
    from referee.draw import report as drawn

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
