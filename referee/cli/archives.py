"""`referee generate`, `convert` and `stats`: make archives, convert them, and count their games."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, Unpack

import click

from referee.archives.conversion import GAME_FORMS, convert_shard
from referee.archives.files.compression import STANDARD, suffix, writer
from referee.archives.files.files import LeftOut, expand, size
from referee.archives.files.shards import shards
from referee.archives.frames import parquet_rows, rows_shard
from referee.archives.generate import LONGEST_GAME, Generation, generate_batch, random_game
from referee.archives.page import as_page
from referee.archives.stats import Stats, stats_shard
from referee.cli.shell.candidates import files
from referee.cli.shell.errors import UNUSABLE, WRONG, wrong_usage
from referee.cli.shell.options import Where, executor_of, game_options, work_options
from referee.cli.shell.output import create, format_of, progress, progress_of_bytes, refuse_existing, refuse_input
from referee.cli.shell.parameters import format_option, game_argument, game_option, number_option, setting_option
from referee.errors import OptionError
from referee.game import GameFile
from referee.terminal import visible, visible_json, visible_lines

_STATS_FORMATS = {".txt": "text", ".json": "json", ".html": "html"}

_PARQUET = "parquet"
_WORTH_A_BAR = 1000


@click.command("generate")
@game_argument
@number_option("-n", "--games", default=1, says="How many games.")
@click.option("--seed", default="0", show_default=True, help="The same seed gives the same games, everywhere.")
@setting_option("An option of the game.")
@number_option("--plies", default=LONGEST_GAME, low=0, says="Leave a game unfinished after this number of plies.")
@click.option(
    "-o",
    "--output",
    default="-",
    shell_complete=files,
    help="The archive (.jsonl); .gz or .zst after it compresses it.",
)
@work_options
def generate_command(
    game: str, games: int, seed: str, options: tuple[str, ...], plies: int, output: str, **where: Unpack[Where]
) -> None:
    """Make random legal games.

    The games of GAME are written as an archive. Each move is a random legal one. Game number N depends only on the
    seed, the options and N.
    """
    refuse_existing(output)
    format_of(output, None, {".jsonl": "jsonl"}, default="jsonl", compressed=True)
    generation = Generation(game, seed, game_options(options), plies)
    with wrong_usage(OptionError):
        random_game(generation, 1)
    work = executor_of(**where)
    with progress(games if games >= _WORTH_A_BAR else 0, "generating") as advance, writer(output) as file:
        for (first, end), lines in work(partial(generate_batch, generation), generation.batches(games)):
            file.write(lines.encode())
            advance(end - first)


@click.command("convert")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...", shell_complete=files)
@click.argument("target", shell_complete=files)
@click.option(
    "--to", "form", type=click.Choice(GAME_FORMS), help="The form of the files in a folder.  [default: yaml]"
)
@game_option("The game of bare move lists.")
@setting_option("An option of that game.")
@work_options
def convert_command(
    sources: tuple[str, ...],
    target: str,
    form: str | None,
    game: str | None,
    options: tuple[str, ...],
    **where: Unpack[Where],
) -> int:
    """Write games in another form.

    The games of SOURCE... go into TARGET, in their order, with all their content. A SOURCE is a game file, an
    archive, a move list, or a folder of them. TARGET is an archive if its name ends in .jsonl (.gz and .zst may
    follow) or is -, a single game if it ends in .yaml, .json or .moves, a table with one row for each ply of judged
    games if it ends in .parquet, else a folder.
    """
    if options and game is None:
        raise click.UsageError("--option is for bare move lists: give --game too")
    if not target:
        raise click.UsageError("the TARGET has no name")
    archive, single = _kind(target)
    made = "json" if archive else single or form or "yaml"
    if form is not None and form != made:
        raise click.UsageError(f"{visible(target)} gets {made}: leave --to {form} out, or name a folder")
    if archive or made == _PARQUET:
        refuse_existing(target)
    left = LeftOut()
    files = list(expand(sources, lists=game is not None, leave=left.add))
    bare = None if game is None else GameFile(game, options=game_options(options))
    status = 0

    def converted() -> Iterator[Any]:
        nonlocal status
        work = executor_of(**where)
        conversion = partial(convert_shard, form=made, bare=bare)
        if made == _PARQUET:
            conversion = partial(rows_shard, bare=bare)
        with progress_of_bytes(size(files), "converting") as advance:
            for shard, games in work(conversion, shards(files, lists=bare is not None)):
                for one in games:
                    if one.fault:
                        click.echo(one.fault, err=True)
                        status = max(status, UNUSABLE if one.unreadable else WRONG)
                    else:
                        yield one.content
                advance(shard.read)

    rest = converted()
    first = [*islice(rest, 1)]
    if first or not status:  # without any game there is no target, which would be in the way of another try
        write = _archive if archive else _table if made == _PARQUET else _one if single else partial(_each, form=made)
        write(Path(target), chain(first, rest))
    if left:
        click.echo(left.as_text(), err=True)
    return status


def _kind(target: str) -> tuple[bool, str]:
    """True for an archive, and the form of a single file, or "" for none."""
    if target == STANDARD or suffix(target) == ".jsonl":
        return True, ""
    single = Path(target).suffix.removeprefix(".").replace("yml", "yaml")
    if not single or Path(target).is_dir():
        return False, ""
    if single in ("gz", "zst"):
        raise click.UsageError(
            f"{visible(target)}: only an archive can be compressed: its name ends in .jsonl.gz or .jsonl.zst"
        )
    if single not in (*GAME_FORMS, _PARQUET):
        raise click.UsageError(
            f"{visible(target)}: no form has the suffix .{single}; "
            "expected .jsonl, .yaml, .json or .moves, .parquet for a table, or a folder, which has none"
        )
    return False, single


def _archive(target: Path, texts: Iterator[str]) -> None:
    with writer(str(target)) as file:
        for text in texts:
            file.write(text.encode())


def _table(target: Path, batches: Iterator[Any]) -> None:
    with parquet_rows(str(target)) as table:
        for rows in batches:
            table.add(rows)


def _one(target: Path, texts: Iterator[str]) -> None:
    text = next(texts, None)
    if text is None:
        return
    if next(texts, None) is not None:
        raise click.UsageError(f"{target} takes one game, and there are more: name a folder, or an archive (.jsonl)")
    create(target, text)


def _each(folder: Path, texts: Iterator[str], form: str) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"{folder} cannot be created: {(error.strerror or '').lower()}") from None
    for number, text in enumerate(texts, 1):
        create(folder / f"{number:06}.{form}", text)


@click.command("stats")
@click.argument("names", nargs=-1, required=True, metavar="ARCHIVE...", shell_complete=files)
@format_option(_STATS_FORMATS.values())
@number_option("--opening", default=2, says="The plies of an opening.")
@number_option("--most", default=10, low=0, says="How many openings to show.")
@click.option(
    "-o", "--output", default="-", shell_complete=files, help="Write into this file; its suffix is the format."
)
@work_options
def stats_command(
    names: tuple[str, ...],
    form: str | None,
    opening: int,
    most: int,
    output: str,
    **where: Unpack[Where],
) -> int:
    """Count lengths, results, openings and pieces.

    An ARCHIVE is an archive, a game file or a folder of them. Games with findings are left out; the output has their
    number, the reasons and the files.
    """
    left = LeftOut()
    files = list(expand(names, leave=left.add))
    refuse_input(output, names, files)
    form = format_of(output, form, _STATS_FORMATS, default="text", compressed=True)
    counts = Stats()
    with progress_of_bytes(size(files), "counting") as advance:
        work, count = executor_of(**where), partial(stats_shard, opening=opening)
        for shard, one in work(count, shards(files)):
            counts.add(one)
            advance(shard.read)
    if form == "json":
        text = visible_json(counts.as_json(most), indent=2) + "\n"
    else:
        text = as_page(counts, most) if form == "html" else visible_lines(counts.as_text(most)) + "\n"
    if output == STANDARD:
        click.echo(text, nl=False)
    else:
        if counts.games or not counts.left.games:
            with writer(output) as file:
                file.write(text.encode("utf-8", "backslashreplace"))
        if counts.left.games:
            click.echo("\n".join(counts.left.as_text()), err=True)
    if left:
        click.echo(left.as_text(), err=True)
    return counts.left.exit_status
