"""`referee explore`: the first moves of an archive as a page with boards and results."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Unpack

import click

from referee.archives.explorer import explorer_page
from referee.archives.files.files import LeftOut, expand, size
from referee.archives.files.shards import shards
from referee.archives.tree import DATE, Explorer, Wanted, first_steps
from referee.archives.valid_games import DRAW, RUNNING
from referee.cli.shell.candidates import files
from referee.cli.shell.options import Where, executor_of, work_options
from referee.cli.shell.output import format_of, progress_of_bytes, put, refuse_input
from referee.cli.shell.parameters import number_option, output_option
from referee.extras import extra
from referee.rules import games
from referee.terminal import join_words

_MOST_PLACES = 500
"""Maximum places on a page, each with its board."""


def _date(_context: click.Context, _option: click.Parameter, text: str) -> str:
    if text and not DATE.fullmatch(text):
        raise click.BadParameter(f"expected a year, a month or a day, such as 2026-05, not {text!r}")
    return text


def _result(_context: click.Context, _option: click.Parameter, text: str) -> str:
    if not text:
        return text
    known = (*dict.fromkeys(winner for game in games() for winner in game.scores), DRAW, RUNNING)
    if text.casefold().removesuffix(" wins") not in known:
        raise click.BadParameter(f"expected {join_words(known, 'or')}, not {text!r}")
    return text


@click.command("explore")
@click.argument("names", nargs=-1, required=True, metavar="ARCHIVE...", shell_complete=files)
@number_option("--depth", default=10, high=50, says="How many plies of each game to follow.")
@number_option("--least", default=2, says="How many games a move needs to be shown.")
@click.option("--player", default="", metavar="NAME", help="Only games of this player, in any case.")
@click.option(
    "--since", default="", metavar="DATE", callback=_date, help="Only games from this year, month or day on."
)
@click.option("--until", default="", metavar="DATE", callback=_date, help="Only games until this year, month or day.")
@click.option(
    "--result", default="", callback=_result, help="Only games that ended so: a winner, 'draw' or 'not over'."
)
@click.option(
    "--beside", metavar="ARCHIVE", shell_complete=files, help="Show the same of a second archive beside it."
)
@output_option("The new page; - is the output.", required=True)
@work_options
def explore_command(
    names: tuple[str, ...],
    depth: int,
    least: int,
    beside: str | None,
    output: Path,
    player: str,
    since: str,
    until: str,
    result: str,
    **where: Unpack[Where],
) -> int:
    """Make a page of opening moves with results.

    An ARCHIVE is an archive, a game file or a folder of them. The page is a tree of the first moves, with the number
    of games and their results. Moves that are made at once are one step. Games with findings are left out. The page
    shows at most the 500 most frequent positions.
    """
    extra("jinja2", "pictures")
    left = LeftOut()
    sources = list(expand(names, leave=left.add))
    others = list(expand([beside] if beside else [], leave=left.add))
    refuse_input(output, [*names, beside], [*sources, *others])
    format_of(output, None, {".html": "html"}, default="html")
    explorer, wanted = Explorer(), Wanted(player, since, until, result)
    with progress_of_bytes(size([*sources, *others]), "exploring") as advance:
        work, steps = executor_of(**where), partial(first_steps, depth=depth, wanted=wanted)
        for read, second in ((sources, False), (others, True)):
            for shard, more in work(steps, shards(read)) if read else ():
                explorer.add(more, beside=second)
                advance(shard.read)
    explorer.cut(least, _MOST_PLACES)
    if explorer.left.exit_status and not explorer.games:
        click.echo("\n".join(explorer.notes()), err=True)
        return explorer.left.exit_status
    shown = [Path(name).name.partition(".")[0] or name for name in (names[0], beside)] if beside else []
    page = explorer_page(
        explorer.openings(),
        least=least if explorer.games else 1,  # where no game is wanted, none is too rare
        notes=explorer.notes(),
        names=shown,
        wanted=wanted.as_text(),
    )
    put(output, page.encode())
    if lines := explorer.left_out():
        click.echo("\n".join(lines), err=True)
    if left:
        click.echo(left.as_text(), err=True)
    return explorer.left.exit_status
