"""`referee page`: the whole referee as one HTML file."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli.shell.output import format_of, is_standard, put
from referee.cli.shell.parameters import output_option
from referee.terminal import visible
from referee.web.onepage.one_page import differences, one_page, page_digest, read_page
from referee.web.onepage.parts import page_parts


@click.command("page")
@click.option(
    "--pyodide",
    "folder",
    required=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="The folder of the npm package pyodide.",
)
@output_option("The new page; - is the standard output.")
@click.option(
    "--verify",
    "page",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Compare a page with the one that this installation makes.",
)
def page_command(folder: Path, output: Path | None, page: Path | None) -> int:
    """Make the referee in one page, or check one.

    The page is one HTML file that opens from disk. It judges games, audits logs, shows and plays games, and seals
    moves; it needs no network and no server. Python runs in it as WebAssembly, by the npm package pyodide.

    With --verify a page is compared with that of this installation; the exit status is 1 if anything differs.
    """
    if (output is None) == (page is None):
        raise click.UsageError("name the new page with -o, or a page to compare with --verify")
    if output is not None:
        format_of(output, None, {".html": "html"}, default="html")
    parts = page_parts(folder)
    if output is not None:
        content = one_page(parts).encode()
        put(output, content)
        if not is_standard(output):
            said = f"{len(content) / 1e6:.1f} MB, {len(parts)} parts, digest {page_digest(parts)}"
            click.echo(f"{visible(str(output))}: {said}")
        return 0
    assert page is not None
    found = [*differences(read_page(page), parts)]
    for one in found:
        click.echo(f"{visible(str(page))}: {one.name} {one.reason}")
    if not found:
        digest = page_digest(parts)
        click.echo(f"{visible(str(page))}: the page is the one that this installation makes, digest {digest}")
    return 1 if found else 0
