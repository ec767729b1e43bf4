"""`referee puzzles`: positions of an archive in which one move wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Unpack

import click

from referee.archives.files.files import LeftOut, expand, size
from referee.archives.files.forms import read_text
from referee.archives.files.shards import Shard, shards
from referee.archives.valid_games import LeftOutGames
from referee.cli.shell.candidates import files
from referee.cli.shell.options import Where, executor_of, work_options
from referee.cli.shell.output import create, format_of, progress, put
from referee.cli.shell.parameters import number_option, output_option
from referee.engine.puzzles import Puzzle, puzzles_in
from referee.errors import FileError
from referee.game import dumps
from referee.rules import game_named
from referee.terminal import counted, visible


@click.command("puzzles")
@click.argument("names", nargs=-1, required=True, metavar="ARCHIVE...", shell_complete=files)
@number_option("--turns", default=2, low=2, high=3, says="In how many turns to win.")
@output_option("The new folder for the puzzles' files.", required=True)
@click.option("--sheet", type=click.Path(path_type=Path), help="A new PDF with all boards to print.")
@click.option("--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True)
@work_options
def puzzles_command(
    names: tuple[str, ...],
    turns: int,
    output: Path,
    sheet: Path | None,
    paper: str,
    **where: Unpack[Where],
) -> int:
    """Find puzzles in games.

    An ARCHIVE is an archive, a game file or a folder of them. A puzzle is a position in which one move wins, and no
    other wins as fast, proved over every reply. Each becomes a game file that begins there, with the solution as its
    last comment. A move that would have won in several plies of a game makes only one puzzle. Games with findings are
    left out and counted; games for a team have no puzzles.
    """
    if sheet is not None:
        format_of(sheet, None, {".pdf": "pdf"})
    if output.exists() and not output.is_dir():
        raise click.UsageError(f"{visible(str(output))} is a file: name a new folder for the puzzles")
    if any(output.glob("puzzle-*.yaml")):
        raise click.UsageError(f"{visible(str(output))} has puzzles already: name another folder")
    files_left, left, teams = LeftOut(), LeftOutGames(), 0
    sources = list(expand(names, leave=files_left.add))
    known: dict[str, Puzzle] = {}
    work = executor_of(**where)
    with progress(size(sources), "looking") as advance:
        for shard, (puzzles, more, number) in work(partial(found_in, turns=turns), _one_by_one(shards(sources))):
            for one in puzzles:
                known.setdefault(str(one.position), one)
            left.add(more)
            teams += number
            advance(shard.read)
    found = list(known.values())
    games = [one.as_game() for one in found]
    if games:
        output.mkdir(parents=True, exist_ok=True)
    for number, game in enumerate(games, 1):
        create(output / f"puzzle-{number}.yaml", dumps(game))
    if sheet is not None and games:
        from referee.draw.paper.puzzle_sheet import puzzle_sheet

        put(sheet, puzzle_sheet(games, [str(one.solution) for one in found], paper=paper))
    where_to = f" in {visible(str(output))}" if games else ", so nothing is written"
    click.echo(counted(len(games), "puzzle", "puzzles") + where_to)
    if teams:
        click.echo(f"no puzzles in games for a team: {counted(teams, 'game', 'games')}", err=True)
    if left.games:
        click.echo("\n".join(left.as_text()), err=True)
    if files_left:
        click.echo(files_left.as_text(), err=True)
    return left.exit_status


def _one_by_one(whole: Iterable[Shard]) -> Iterator[Shard]:
    """Shards of one game each, because the search for puzzles in a whole shard can take minutes."""
    for shard in whole:
        games = [part._replace(texts=(text,)) for part in shard.parts for text in part.texts]
        for game in games:
            yield Shard(shard.number, (game,), shard.read // len(games))


def found_in(shard: Shard, *, turns: int) -> tuple[list[Puzzle], LeftOutGames, int]:
    """The puzzles in the games of a shard, the games left out with findings, and the number of those for a team."""
    puzzles, left, teams = list[Puzzle](), LeftOutGames(), 0
    for part in shard.parts:
        for text in part.texts:
            try:
                game = read_text(part, text, suggest=False)
                puzzles += puzzles_in(game, turns)
                teams += bool(game_named(game.game).scored)
            except FileError as error:
                left.add(LeftOutGames(int(error.unreadable), Counter([error.code]), Counter([part.file])))
    return puzzles, left, teams
