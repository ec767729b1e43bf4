"""`referee puzzles`: positions of an archive in which one move wins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Unpack

import click

from referee.archive.files import LeftOut, expand, size
from referee.archive.forms import read_text
from referee.archive.shards import Shard, shards
from referee.cli.candidates import files
from referee.cli.options import Where, executor_of, work_options
from referee.cli.output import create, format_of, progress, put
from referee.engine.puzzles import Puzzle, puzzles_in
from referee.errors import FileError
from referee.game.dumper import dumps
from referee.terminal import visible


@click.command("puzzles")
@click.argument("names", nargs=-1, required=True, metavar="ARCHIVE...", shell_complete=files)
@click.option("--turns", type=click.IntRange(2, 3), default=2, show_default=True, help="In how many turns to win.")
@click.option(
    "-o", "--output", required=True, type=click.Path(path_type=Path), help="The new folder for the puzzles' files."
)
@click.option("--sheet", type=click.Path(path_type=Path), help="A new PDF with all boards to print.")
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True)
@work_options
@click.pass_context
def puzzles_command(
    context: click.Context,
    /,
    names: tuple[str, ...],
    turns: int,
    output: Path,
    sheet: Path | None,
    paper: str,
    **where: Unpack[Where],
) -> None:
    """Find puzzles in games.

    An ARCHIVE is an archive, a game file or a folder of them. A puzzle is a position in which one move wins, and no
    other wins as fast, whatever is answered: every reply has been looked at. Each becomes a game file that begins
    there, with the solution as its last comment. A win that one move would have brought in several plies of a game is
    asked for once. Games with findings are left out.
    """
    format_of(sheet, None, {".pdf": "pdf"}, default="pdf")
    if any(output.glob("puzzle-*.yaml")):
        raise click.UsageError(f"{visible(str(output))} has puzzles already: name another folder")
    left = LeftOut()
    sources = list(expand(names, leave=left.add))
    known: dict[str, Puzzle] = {}
    work = executor_of(**where)
    with progress(size(sources), "looking") as advance:
        for shard, more in work(partial(found_in, turns=turns), _one_by_one(shards(sources))):
            for one in more:
                known.setdefault(str(one.position), one)
            advance(shard.read)
    found = list(known.values())
    games = [one.as_game() for one in found]
    if games:
        output.mkdir(parents=True, exist_ok=True)
    for number, game in enumerate(games, 1):
        create(output / f"puzzle-{number}.yaml", dumps(game))
    if sheet is not None and games:
        from referee.draw.puzzle_sheet import puzzle_sheet

        put(sheet, puzzle_sheet(games, [str(one.solution) for one in found], paper=paper))
    click.echo(f"{len(games)} puzzle{'s' if len(games) != 1 else ''}" + (f" in {output}" if games else ""))
    if left:
        click.echo(left.as_text(), err=True)
    context.exit(0)


def _one_by_one(whole: Iterable[Shard]) -> Iterator[Shard]:
    """Shards of one game each: the games of a shard that checks in a moment can take minutes here."""
    for shard in whole:
        games = [part._replace(texts=(text,)) for part in shard.parts for text in part.texts]
        for game in games:
            yield Shard(shard.number, (game,), shard.read // len(games))


def found_in(shard: Shard, *, turns: int) -> list[Puzzle]:
    """The puzzles in the games of a shard; a game with findings has none."""
    found: list[Puzzle] = []
    for part in shard.parts:
        for text in part.texts:
            try:
                found += puzzles_in(read_text(part, text, suggest=False), turns)
            except FileError:
                continue
    return found
