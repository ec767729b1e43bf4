"""`referee stats`: what the games of an archive are like."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from referee.cli.output import kept_apart
from referee.cli.suffixes import format_of
from referee.cli.working import engine_of, progress_of_bytes, work_options
from referee.terminal import visible_json, visible_lines

FORMATS = {".txt": "text", ".json": "json", ".html": "html"}


@click.command(short_help="Count lengths, results, openings, pieces.")
@click.argument("files", nargs=-1, required=True, metavar="ARCHIVE...")
@click.option(
    "--format",
    "form",
    type=click.Choice(tuple(FORMATS.values())),
    help="[default: the suffix of the output, or text]",
)
@click.option("--opening", type=click.IntRange(min=1), default=2, show_default=True, help="The plies of an opening.")
@click.option("--most", type=click.IntRange(min=0), default=10, show_default=True, help="How many openings to show.")
@click.option("-o", "--output", default="-", help="Write into this file; its suffix is the format.")
@work_options
@click.pass_context
def stats(
    context: click.Context,
    /,
    files: tuple[str, ...],
    form: str | None,
    opening: int,
    most: int,
    output: str,
    **where: Any,  # noqa: ANN401 - the options of the engine
) -> None:
    """Count the games of archives, game files and folders: lengths, results by option, openings, pieces used.

    Games with findings are left out; how many, why, and from which files is told.
    """
    from referee.archive import files as named
    from referee.archive.compression import writing
    from referee.archive.omissions import LeftOut
    from referee.archive.page import as_page
    from referee.archive.shards import shards
    from referee.archive.stats import Stats, as_text, stats_shard

    left = LeftOut()
    found = list(named.found(files, leave=left.add))
    kept_apart(output, files, found)
    form = format_of(output, form, FORMATS, default="text", compressed=True)
    counted = Stats()
    with progress_of_bytes(named.size(found), "counting") as bar:
        for shard, one in engine_of(**where)(partial(stats_shard, opening=opening), shards(found)):
            counted.add(one)
            bar.update(shard.read)
    if form == "json":
        text = visible_json(counted.as_json(most), indent=2) + "\n"
    else:
        text = as_page(counted, most) if form == "html" else visible_lines(as_text(counted, most)) + "\n"
    if output == "-":
        click.echo(text, nl=False)
    else:
        with writing(output) as file:
            file.write(text.encode("utf-8", "backslashreplace"))
    if left:
        click.echo(left.as_text(), err=True)
    context.exit(counted.exit_status)
