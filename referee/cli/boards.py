"""`referee report`, `record` and `print`: boards to look at, to keep, and to play on."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from referee.archives.files.compression import suffix
from referee.archives.files.files import expand
from referee.cli.shell.candidates import files, sides
from referee.cli.shell.options import game_options
from referee.cli.shell.output import format_of, is_standard, put, refuse_input
from referee.cli.shell.parameters import (
    format_option,
    game_argument,
    game_option,
    output_option,
    position_option,
    setting_option,
)
from referee.cli.shell.screen import screen, terminal_width
from referee.draw import RECORD_FORMS, drawing
from referee.draw.scenes.ink import painted
from referee.draw.scenes.scene import Paints
from referee.draw.text import NARROW_WIDTH, REPORT_WIDTH, report_lines
from referee.draw.words import words
from referee.game import GameFile, Ply, ply_at, read
from referee.terminal import colour_pen, join_words, plain_pen, visible_json

_POSITION_FORMATS = {".txt": "text", ".json": "json", ".jsonl": "jsonl", ".svg": "svg", ".png": "png"}
_LINE, _WORDS = "position", "words"
"""The formats of `report` that have no suffix: one line of text, and sentences."""

_PICTURES = ("svg", "png")
_RECORDS = {f".{form}": form for form in RECORD_FORMS}
_PAPERS = click.Choice(["a4", "letter", "a3"])

_view_option = click.option(
    "--view", metavar="SIDE", shell_complete=sides, help="The side whose view of the board is shown."
)


@click.command("report")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@game_option("Without FILE: show a position of this game.")
@setting_option("An option of that game.")
@position_option
@click.option("--ply", "number", type=click.IntRange(min=0), help="Show the position after this ply; 0 is the start.")
@click.option("--every", is_flag=True, help="Show the position after every ply.")
@format_option((*_POSITION_FORMATS.values(), _LINE, _WORDS))
@_view_option
@click.option(
    "--width",
    type=click.IntRange(min=NARROW_WIDTH),
    help="Columns of the text; below 78 boards are narrow.  [default: the terminal's, at most 78]",
)
@click.option("--unicode", is_flag=True, help="Draw with arrows and lines instead of plain ASCII.")
@output_option("Write into this file; its suffix is the format.", default="-")
def report_command(
    file: Path | None,
    game: str | None,
    options: tuple[str, ...],
    start_text: str | None,
    number: int | None,
    every: bool,
    form: str | None,
    view: str | None,
    width: int | None,
    unicode: bool,
    output: Path,
) -> None:
    """Show a position: board, counters and score.

    The position is that after the last ply of FILE, with the changes of that ply. With --game instead of FILE, it is
    the one of --position, or the start of that game. The format 'position' prints a position as such a line, and
    'words' describes it in sentences, for screen readers and braille.
    """
    refuse_input(output, [file])
    if form not in (_LINE, _WORDS):
        form = format_of(output, form, _POSITION_FORMATS, default="text")
    if every and (number is not None or form in _PICTURES):
        raise click.UsageError("--every cannot be combined with --ply or a picture")
    shown = _game(file, game, options, start_text)
    chair = _chair(shown, view)
    plies = shown.replay() if every else iter((ply_at(shown, number),))
    if form in _PICTURES:
        from referee.draw.picture import picture

        put(output, picture(next(plies), form, view=chair))
        return
    if form == _LINE:
        parts: Iterator[str] = (str(ply.position) for ply in plies)
    elif form == _WORDS:
        parts = _apart("\n".join(words(ply.position, chair, ply.events, outcome=ply.outcome)) for ply in plies)
    elif form == "text":
        usual = max(NARROW_WIDTH, terminal_width(REPORT_WIDTH)) if is_standard(output) else REPORT_WIDTH
        width, paints = width or usual, _paints(shown, chair, output)
        reports = (report_lines(shown, ply, view=chair, unicode=unicode, width=width) for ply in plies)
        parts = _apart("\n".join(painted(lines, paints, colour_pen)) for lines in reports)
    else:
        parts = _objects(plies, form, every=every)
    if is_standard(output):
        screen().page(parts)
    else:
        put(output, "".join(f"{part}\n" for part in parts).encode("utf-8", "backslashreplace"))


def _game(file: Path | None, game: str | None, options: tuple[str, ...], start_text: str | None) -> GameFile:
    if file is not None and (game or options or start_text is not None):
        raise click.UsageError("a FILE names its own game: leave --game, --option and --position out")
    if file is not None:
        return read(file)
    if game is None:
        raise click.UsageError("name a FILE, or a game with --game")
    return GameFile(game, options=game_options(options), start_text=start_text)


def _chair(game: GameFile, view: str | None) -> str:
    """The side that --view names, or the first one."""
    sides = game.description.sides
    if view is not None and view not in sides:
        raise click.UsageError(f"--view must be {join_words(sides, 'or')}, not {view!r}")
    return view or sides[0]


def _apart(texts: Iterable[str]) -> Iterator[str]:
    """Texts with an empty line between them."""
    return (f"\n{text}" if place else text for place, text in enumerate(texts))


def _paints(game: GameFile, view: str, output: Path) -> Paints:
    """The paints of a game's scenes; none if the output has no colours."""
    has_colours = is_standard(output) and screen().pen(sys.stdout) is not plain_pen
    return drawing(game.game).scene(game.start(), view=view).paints if has_colours else {}


def _objects(plies: Iterator[Ply], form: str, *, every: bool) -> Iterator[str]:
    objects = (ply.as_json() for ply in plies)
    if form == "jsonl":
        yield from (visible_json(one) for one in objects)
    else:
        yield visible_json(list(objects) if every else next(objects), indent=2)


@click.command("record")
@click.argument("names", nargs=-1, required=True, metavar="FILE...", shell_complete=files)
@output_option("The new file; - is the standard output.", required=True)
@click.option(
    "--format", "form", type=click.Choice(tuple(_RECORDS.values())), help="What to make, if the output has no suffix."
)
@_view_option
@click.option("--paper", type=_PAPERS, help="The paper of a PDF.  [default: a4]")
@click.option("--animated", is_flag=True, help="Let the picture step through the game.")
def record_command(
    names: tuple[str, ...], output: Path, form: str | None, view: str | None, paper: str | None, animated: bool
) -> None:
    """Make a page, a picture, a score sheet or a book of games.

    The record of the whole game in FILE is, by its format, a page to step through, a score sheet, a picture, data or
    text. Several files, an archive or a folder make a book, as a page or a PDF: a section for each game, with a board
    where a comment is 'diagram', and indexes of players and openings.
    """
    sources = list(expand(names))
    refuse_input(output, names, sources)
    form = format_of(output, form, _RECORDS)
    if animated and form not in _PICTURES:
        raise click.UsageError("--animated is for pictures: name a file that ends in .svg or .png")
    if paper and form != "pdf":
        raise click.UsageError("--paper is for a PDF: name a file that ends in .pdf")
    if sources != [*names] or len(sources) > 1 or suffix(sources[0]) == ".jsonl":
        if form not in ("html", "pdf") or view is not None:
            raise click.UsageError(
                "several games are a book, .html or .pdf, without --view; for others name one FILE"
            )
        from referee.archives.archive import archive
        from referee.draw.paper.book import book_page
        from referee.draw.paper.book_pdf import book_pdf

        games = [one.game for source in sources for one in archive(source)]
        put(output, book_pdf(games, paper=paper or "a4") if form == "pdf" else book_page(games).encode())
        return
    game = read(sources[0])
    from referee.draw.record import moving_record, record

    chair = _chair(game, view)
    if animated:
        put(output, moving_record(game, form, view=chair))
    else:
        put(output, record(game, form, view=chair, paper=paper or "a4"))


@click.command("print")
@game_argument
@setting_option("An option of the game.")
@click.option("--paper", type=_PAPERS, default="a4", show_default=True)
@click.option(
    "--part",
    "parts",
    multiple=True,
    type=click.Choice(["board", "pieces", "setup", "rules", "sheet"]),
    help="Only this part; can be repeated.  [default: all]",
)
@click.option("--black", is_flag=True, help="For a printer in black and white.")
@output_option("The new PDF; - is the standard output.", required=True)
def print_command(
    game: str, options: tuple[str, ...], paper: str, parts: tuple[str, ...], black: bool, output: Path
) -> None:
    """Make a set to print and play with, at true size.

    It has the empty board on as many sheets as it needs, pieces to cut out, a card with the set-up, the rules on a
    sheet to fold, and an empty score sheet. Print it without scaling.
    """
    format_of(output, None, {".pdf": "pdf"}, default="pdf")
    from referee.draw.paper.print_set import PARTS, print_set

    chosen = game_options(options)
    put(output, print_set(game, paper=paper, options=chosen, parts=parts or PARTS, black=black))
