"""`referee stats`: what the games of an archive are like."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from referee.cli.output import kept_apart
from referee.cli.working import engine_of, progress_of_bytes, work_options
from referee.terminal import visible_json, visible_lines


@click.command(short_help="Count lengths, results, openings, pieces.")
@click.argument("files", nargs=-1, required=True, metavar="ARCHIVE...")
@click.option("--format", "form", type=click.Choice(["text", "json", "html"]), default="text", show_default=True)
@click.option("--opening", type=click.IntRange(min=1), default=2, show_default=True, help="The plies of an opening.")
@click.option("--most", type=click.IntRange(min=0), default=10, show_default=True, help="How many openings to show.")
@click.option("-o", "--output", default="-", help="Write into this file.")
@work_options
def stats(
    files: tuple[str, ...],
    form: str,
    opening: int,
    most: int,
    output: str,
    **where: Any,  # noqa: ANN401 - the options of the engine
) -> None:
    """Count the games of archives, game files and folders: lengths, results by option, openings, pieces used.

    Games with findings are counted as such and left out.
    """
    from referee.archive import files as named
    from referee.archive.compression import writing
    from referee.archive.page import as_page
    from referee.archive.shards import shards
    from referee.archive.stats import Stats, as_text, stats_shard

    found = list(named.found(files))
    kept_apart(output, files, found)
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
        return
    with writing(output) as file:
        file.write(text.encode())
