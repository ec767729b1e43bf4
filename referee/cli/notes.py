"""`referee import`: a game file made of people's notes."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from referee.cli.shell.candidates import files
from referee.cli.shell.options import game_options
from referee.cli.shell.output import create, expect_yaml
from referee.cli.shell.parameters import game_option, output_option, setting_option
from referee.cli.shell.screen import screen
from referee.errors import OptionError, cut
from referee.extras import extra
from referee.game import read_input
from referee.notes import Doubt, Imported, NoteLine, game_file, import_notes, note_lines
from referee.notes.reader.encodings import notes_text
from referee.notes.reader.lines import remarked
from referee.rules import game_named
from referee.terminal import Pen, counted, visible

_LETTERS, _TABLES = (".eml", ".mbox"), (".xlsx", ".csv")


@click.command("import")
@click.argument("names", nargs=-1, required=True, metavar="FILE...", shell_complete=files)
@output_option("The new game file (.yaml).")
@game_option("The game; without it, the one that they fit best.")
@setting_option("An option of that game.")
@click.option("--ask", is_flag=True, help="Ask on the terminal about everything that is unsure.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="Form of the report.")
def import_command(
    names: tuple[str, ...],
    output: Path | None,
    game: str | None,
    options: tuple[str, ...],
    ask: bool,
    form: str,
) -> int:
    """Make a game file from notes as people keep them.

    A FILE is text in any layout, a table (.csv, .xlsx), or letters (.eml, .mbox); - is the standard input. Several
    files are read as one. The game file goes to the standard output, or to a new file with --output; the report on
    the readings goes to the error output. Exit status: 0 nothing is unsure; 1 something is unsure, and marked in the
    file, or a move is wrong; 2 there is no game in the notes.
    """
    expect_yaml(output)
    if options and game is None:
        raise click.UsageError("--option belongs to a game: say --game too")
    chosen = game_options(options)
    if game is not None:
        try:
            game_named(game).completed(chosen)
        except OptionError as error:
            raise click.BadParameter(error.message, param_hint="--option") from None
    contents = [(name, read_input(name)) for name in names]
    found = _same(contents, game, chosen)
    if found is None:
        lines = [line for name, content in contents for line in lines_of(name, content)]
        found = import_notes(lines, game, chosen, _answer if ask else None)
    create(output, found.text)
    written = str(output) if output is not None else "the game file"
    told = json.dumps(found.as_json()) if form == "json" else _as_text(found, written, screen().pen(sys.stderr))
    click.echo(told, err=True, color=True)
    return 0 if found.is_sure else 1


def _same(contents: Sequence[tuple[str, bytes]], game: str | None, options: Mapping[str, Any]) -> Imported | None:
    """The game of a single file, if it is a game file already."""
    if len(contents) > 1:
        return None
    name, content = contents[0]
    is_text = Path(name).suffix.casefold() not in (*_LETTERS, *_TABLES)
    return game_file(notes_text(content, name).text, name, game, options) if is_text else None


def lines_of(name: str, content: bytes) -> tuple[NoteLine, ...]:
    """The lines of a file of notes, by its suffix; FileError, or RefereeError `missing-extra` for a workbook."""
    match Path(name).suffix.casefold():
        case suffix if suffix in _LETTERS:
            thread: tuple[NoteLine, ...] = extra("referee.cli.letters", "mail").thread_lines(content, name)
            return thread
        case ".xlsx":
            return tuple(_sheets(name, content))
        case suffix:
            text, told = notes_text(content, name)
            if suffix == ".csv":
                from referee.notes.reader.sheets import rows_of_csv  # most notes are no tables

                text = rows_of_csv(text)
            return remarked(note_lines(text, name), told)


def _sheets(name: str, content: bytes) -> Iterator[NoteLine]:
    from referee.notes.reader.sheets import rows_of_workbook  # most notes are no tables

    sheets = rows_of_workbook(content, name)
    for sheet in sheets:
        place = name if len(sheets) == 1 else f"{name} ({sheet.title})"
        yield from remarked(note_lines(sheet.rows, place), "" if len(sheets) == 1 else "a sheet of the workbook")


def _answer(doubt: Doubt) -> int:
    click.echo(visible(f"{doubt.place}: {doubt.message}" if doubt.place else doubt.message), err=True)
    for number, choice in enumerate(doubt.choices, 1):
        click.echo(visible(f"  {number}. {choice}"), err=True)
    try:
        picked: int = click.prompt("which one", type=click.IntRange(1, len(doubt.choices)), default=1, err=True)
    except click.Abort:
        raise click.UsageError("--ask needs answers, and the input has ended") from None
    return picked - 1


def _as_text(found: Imported, written: str, pen: Pen) -> str:
    """The report for people: remarks on readings, then unsure ones, then findings in the file."""
    lines = [f"{one.place or 'notes'}: {one.kind}: {one.message}" for one in found.remarks]
    for one in found.doubts:
        choices = " | ".join(one.choices)
        lines.append(f"{one.place or 'notes'}: unsure: {one.message}: {choices}; the first one is taken")
    text = "\n".join(cut(visible(line), 400) for line in lines)
    findings = "\n".join(finding.as_text(written, pen) for finding in found.findings)
    title = found.game.description.title
    moves = counted(sum(len(one.moves) for one in found.game.rounds), "move", "moves")
    state = "nothing is unsure" if found.is_sure else "look at what is unsure or wrong"
    return "\n".join(part for part in (text, findings, f"{title}, {moves}: {state}") if part)
