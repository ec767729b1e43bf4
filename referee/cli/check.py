"""`referee check`: judge files, archives, folders."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Unpack

import click

from referee.archives.compare import Comparison, Earlier
from referee.archives.files.files import LeftOut, expand, size
from referee.archives.judge import CheckSettings
from referee.archives.printer import Printer
from referee.archives.run import Journal, run
from referee.archives.verdict import Summary
from referee.cli.shell.candidates import files
from referee.cli.shell.options import Where, executor_of, game_options, work_options
from referee.cli.shell.output import TextOutput, format_of, progress_of_bytes, refuse_input
from referee.cli.shell.parameters import format_option, game_option, output_option, position_option, setting_option
from referee.cli.shell.screen import screen
from referee.game import GameFile
from referee.terminal import counted, plain_pen

_INTERRUPTED = 130
_FORMATS = {".txt": "text", ".jsonl": "jsonl"}


@click.command("check")
@click.argument("names", nargs=-1, required=True, metavar="FILE...", shell_complete=files)
@game_option("The game of bare move lists.")
@setting_option("An option of that game.")
@position_option
@format_option(_FORMATS.values())
@click.option("--each", is_flag=True, help="A verdict for each game, not only for each file.")
@click.option("--trace", is_flag=True, help="With --each: a checksum of the position after every ply, too.")
@click.option("--suggest/--no-suggest", default=None, help="Look for moves to suggest in all games, or in none.")
@click.option("--repair", is_flag=True, help="Search for small changes after which a wrong game holds.")
@click.option("--summary/--no-summary", default=None, help="Sum up the run on the error output.")
@output_option("Write into this file; its suffix is the format.")
@click.option(
    "--against",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Print only what changed since these verdicts.",
)
@click.option(
    "--resume", type=click.Path(path_type=Path, dir_okay=False), help="A journal: continue where its run stopped."
)
@work_options
def check_command(
    names: tuple[str, ...],
    game: str | None,
    options: tuple[str, ...],
    start_text: str | None,
    form: str | None,
    each: bool,
    trace: bool,
    suggest: bool | None,
    repair: bool,
    summary: bool | None,
    output: Path | None,
    against: Path | None,
    resume: Path | None,
    **where: Unpack[Where],
) -> int:
    """Judge game files, move lists, archives and folders.

    A FILE is a game file (YAML or JSON), an archive of games (JSON Lines), a folder of them, or, with --game, a bare
    move list; - is the standard input. Names may end in .gz or .zst. Every move is judged, and all findings have line
    and column. The error output names the files of a folder that are left out.
    """
    if game is None and (options or start_text is not None):
        named = "--option" if options else "--position"
        raise click.UsageError(f"{named} is for bare move lists: give --game too")
    if against and (resume or each):
        raise click.UsageError("--against cannot be combined with --each or --resume")
    if repair and (resume or against):
        raise click.UsageError("--repair cannot be combined with --resume or --against")
    left, lists = LeftOut(), game is not None
    files = list(expand(names, lists=lists, leave=left.add))
    refuse_input(output, (*names, against, resume), files, lists=lists)
    refuse_input(resume, names, files, lists=lists)
    objects = format_of(output, form, _FORMATS, default="text") == "jsonl"
    if trace and not (each and objects):
        raise click.UsageError("--trace needs --each --format jsonl")
    earlier = Earlier(against) if against else None
    settings = CheckSettings(
        bare=None if game is None else GameFile(game, options=game_options(options), start_text=start_text),
        suggest=suggest,
        each=each or earlier is not None,
        trace=trace or (earlier is not None and earlier.traced),
        repair=repair,
    )
    journal = _journal(resume, files, settings, objects=objects) if resume else None
    executor = executor_of(**where)
    total, stopped = Summary(), False
    pen = screen().pen(sys.stdout) if output is None else plain_pen
    with ExitStack() as stack:
        text = stack.enter_context(closing(TextOutput(output, journal.size if journal else 0)))
        comparison = Comparison(text.put, earlier, objects=objects) if earlier else None
        printer = comparison or stack.enter_context(
            closing(Printer(text.put, pen, objects=objects, each=each, repair=repair))
        )
        try:
            with progress_of_bytes(size(files), "checking") as advance:
                totals = run(files, settings, executor, printer, flush=text.flush, journal=journal, progress=advance)
                for total in totals:  # noqa: B007 - the last one is printed
                    pass
            if comparison:
                comparison.end()
        except KeyboardInterrupt:
            stopped = True
        text.flush()
    if summary is None:
        summary = sys.stderr.isatty() and total.games > 1
    if stopped:
        click.echo("stopped; so far:", err=True)
    if summary or stopped:
        click.echo(json.dumps(total.as_json()) if objects else total.as_text(), err=True)
    if left:
        click.echo(left.as_text(), err=True)
    if comparison:
        click.echo(counted(comparison.changes, "change", "changes"), err=True)
    status = int(comparison.changes > 0) if comparison else total.exit_status
    return _INTERRUPTED if stopped else status


def _journal(path: Path, files: list[str], settings: CheckSettings, *, objects: bool) -> Journal:
    try:
        said = {name: getattr(settings, name) for name in ("suggest", "each", "trace")}
        bare = settings.bare or GameFile("")
        said |= {"game": bare.game or None, "options": dict(bare.options)}
        said |= {} if bare.start_text is None else {"start_text": bare.start_text}
        return Journal(path, {"files": files, "objects": objects, **said})
    except OSError as error:
        raise click.UsageError(f"{path} cannot be written: {(error.strerror or '').lower()}") from None
