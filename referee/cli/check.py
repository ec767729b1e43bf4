"""`referee check`: judge files, archives, folders."""

from __future__ import annotations

import json
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import click

from referee.cli.options import chosen, game_option, position_option
from referee.cli.output import kept_apart
from referee.cli.suffixes import format_of
from referee.cli.working import Text, engine_of, progress_of_bytes, work_options

INTERRUPTED = 130
FORMATS = {".txt": "text", ".jsonl": "jsonl"}


@click.command(short_help="Judge game files, move lists, archives and folders.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--game", callback=game_option, help="Bare move lists are of this game.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of that game.")
@position_option
@click.option(
    "--format",
    "form",
    type=click.Choice(tuple(FORMATS.values())),
    help="[default: the suffix of the output, or text]",
)
@click.option("--each", is_flag=True, help="A verdict for each game, not only for each file.")
@click.option("--trace", is_flag=True, help="With --each: a checksum of the position after every ply, too.")
@click.option("--suggest/--no-suggest", default=None, help="Look for moves to suggest in all games, or in none.")
@click.option("--summary/--no-summary", default=None, help="What came out in all, on the error output.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Write into this file; its suffix is the format."
)
@click.option(
    "--against",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Tell only what changed since these verdicts.",
)
@click.option(
    "--resume", type=click.Path(path_type=Path, dir_okay=False), help="A journal: go on where its run stopped."
)
@work_options
@click.pass_context
def check(context: click.Context, /, files: tuple[str, ...], **values: Any) -> None:  # noqa: ANN401 - the options
    """Judge every move of game files, move lists, archives, and folders of them.

    A FILE is a game file (YAML or JSON), an archive of games (JSON Lines), or, with --game, a bare move list;
    - is the standard input. Names may end in .gz or .zst. All findings are told with line and column. Of a
    folder, what is left out is told on the error output.
    """
    if values["game"] is None and (values["options"] or values["start_text"] is not None):
        named = "--option" if values["options"] else "--position"
        raise click.UsageError(f"{named} belongs to a bare move list: say --game too")
    if values["against"] and (values["resume"] or values["each"]):
        raise click.UsageError("--against goes with neither --each nor --resume")
    context.exit(_checked(files, values))


def _checked(names: tuple[str, ...], values: dict[str, Any]) -> int:
    """Run, and say what came out; the exit status."""
    from referee.archive import files as named
    from referee.archive import run
    from referee.archive.compare import Comparison, Earlier
    from referee.archive.judge import Settings
    from referee.archive.omissions import LeftOut
    from referee.archive.printer import Printer
    from referee.archive.summary import Summary

    left, lists = LeftOut(), values["game"] is not None
    files = list(named.found(names, lists=lists, leave=left.add))
    kept_apart(values["output"], (*names, values["against"], values["resume"]), files, lists=lists)
    kept_apart(values["resume"], names, files, lists=lists)
    objects = format_of(values["output"], values["form"], FORMATS, default="text") == "jsonl"
    if values["trace"] and not (values["each"] and objects):
        raise click.UsageError("--trace belongs to --each --format jsonl")
    earlier = Earlier(values["against"]) if values["against"] else None
    settings = Settings(
        game=values["game"],
        options=chosen(values["options"]),
        suggest=values["suggest"],
        each=values["each"] or earlier is not None,
        trace=values["trace"] or (earlier is not None and earlier.traced),
        start_text=values["start_text"],
    )
    journal = _journal(values["resume"], files, settings, objects=objects)
    engine = engine_of(values["jobs"], values["engine"], values["scheduler"])
    summary, stopped = Summary(), False
    with ExitStack() as stack:
        output = stack.enter_context(Text(values["output"], journal.written if journal else 0))
        comparison = Comparison(output.put, earlier, objects=objects) if earlier else None
        printer = comparison or stack.enter_context(Printer(output.put, objects=objects, each=values["each"]))
        if journal:
            stack.enter_context(closing(journal))
        try:
            with progress_of_bytes(named.size(files), "checking") as bar:
                for summary in run.check(  # noqa: B007 - the last one is told
                    files, settings, engine, printer, flush=output.flush, journal=journal, progress=bar.update
                ):
                    pass
            if comparison:
                comparison.end()
        except KeyboardInterrupt:
            stopped = True
        output.flush()
    _summed_up(summary, values["summary"], objects=objects, stopped=stopped)
    if left:
        click.echo(left.as_text(), err=True)
    if comparison:
        click.echo(f"{comparison.changes:,} {'change' if comparison.changes == 1 else 'changes'}", err=True)
    if stopped:
        return INTERRUPTED
    return int(comparison.changes > 0) if comparison else summary.exit_status


def _journal(path: Path | None, files: list[str], settings: Any, *, objects: bool) -> Any:  # noqa: ANN401 - a Journal
    from dataclasses import asdict

    from referee.archive.journal import Journal

    if path is None:
        return None
    try:
        said = {name: value for name, value in asdict(settings).items() if name != "start_text" or value is not None}
        return Journal(path, {"files": files, "objects": objects, **said})
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written: {(error.strerror or '').lower()}") from None


def _summed_up(summary: Any, wanted: bool | None, *, objects: bool, stopped: bool) -> None:  # noqa: ANN401
    """The summary, on the error output, if it is wanted: on a terminal, and always if the run was stopped."""
    import sys

    if wanted is None:
        wanted = sys.stderr.isatty() and summary.games > 1
    if stopped:
        click.echo("stopped; so far:", err=True)
    if wanted or stopped:
        told = json.dumps(summary.as_json()) if objects else summary.as_text()
        click.echo(told, err=True)
