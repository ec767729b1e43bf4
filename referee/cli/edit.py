"""`referee edit`: a game file amended, with all else in it left as people wrote it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from referee.cli import LazyGroup, lazy_commands
from referee.cli.candidates import sides
from referee.cli.options import value_of
from referee.game.amendments import TEXTS, add_comment, set_end, set_key, set_mark, take_back
from referee.game.gate import Revision
from referee.game.header import ENDINGS
from referee.game.move_lines import MARKS
from referee.terminal import visible, visible_lines

_Command = TypeVar("_Command", bound=Callable[..., Any])

_PLACE = re.compile(r"(?P<round>[0-9]{1,6})(?:/(?P<side>.+))?")
_TEXT_OF_A_PLAYER = re.compile(r"players\.[^.]+\.(?:name|email)")


def _dry_run_option(command: _Command) -> _Command:
    says = "Print what would change, and change nothing."
    return click.option("--dry-run", is_flag=True, help=says)(command)


def _remove_option(what: str) -> Callable[[_Command], _Command]:
    return click.option("--remove", is_flag=True, help=f"Take {what} away.")


EDIT_COMMANDS = lazy_commands(
    "referee.cli",
    {
        "edit": {
            "set": "Give a key of the header a value.",
            "end": "Say how the game ended.",
            "undo": "Take the last ply back, with its marks and comments.",
            "comment": "Add a comment to a move, or to a round.",
            "annotate": "Mark a move as good, bad or doubtful.",
        }
    },
)

_pass_file = click.make_pass_decorator(Path)


@click.group("edit", cls=LazyGroup, table=EDIT_COMMANDS)
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_context
def edit_command(context: click.Context, file: Path) -> None:
    """Amend a game file.

    All else in FILE stays as it is, to the byte. An edit after which the game would be wrong is refused.
    """
    context.obj = file


@click.command("set")
@click.argument("key")
@click.argument("value", required=False)
@_remove_option("the key")
@_dry_run_option
@_pass_file
def set_command(file: Path, key: str, value: str | None, remove: bool, dry_run: bool) -> None:
    """Give a key of the header a value.

    KEY is one of id, date, event, rules, start, players.SIDE.name, players.SIDE.email, options.NAME and result.SIDE.
    """
    if (value is None) is not remove:
        raise click.UsageError("after KEY comes its VALUE, or --remove")
    is_text = key in TEXTS or _TEXT_OF_A_PLAYER.fullmatch(key)
    meant = value if value is None or is_text else value_of(key, value)
    made = set_key(file, key, meant, write=not dry_run)
    _tell(file, made, f"{key}: {'taken away' if value is None else value}", dry_run=dry_run)


@click.command("end")
@click.argument("how", type=click.Choice([str(one) for one in ENDINGS]), required=False)
@click.option(
    "--by",
    metavar="SIDE",
    shell_complete=sides,
    help="Who resigned, ran out of time, claimed it, or lost by adjudication.",
)
@_remove_option("the end")
@_dry_run_option
@_pass_file
def end_command(file: Path, how: str | None, by: str | None, remove: bool, dry_run: bool) -> None:
    """Say how the game ended.

    HOW is for an end that the moves do not show.
    """
    if (how is None) is not remove or (remove and by is not None):
        raise click.UsageError("say HOW the game ended, with --by SIDE if it needs one, or --remove")
    made = set_end(file, how, by, write=not dry_run)
    said = "taken away" if how is None else how + (f" by {by}" if by else "")
    _tell(file, made, f"end: {said}", dry_run=dry_run)


@click.command("undo")
@_dry_run_option
@_pass_file
def undo_command(file: Path, dry_run: bool) -> None:
    """Take the last ply back, with its marks and comments."""
    ply, made = take_back(file, write=not dry_run)
    moves = "; ".join(f"{side} {one.move}" for side, one in ply.annotated.items())
    notes = [f"    {{{text}}}" for one in ply.annotated.values() for text in one.comments]
    said = "\n".join([f"round {ply.round}, ply {ply.number} taken back: {moves}", *notes])
    _tell(file, made, said, dry_run=dry_run)


@click.command("comment")
@click.argument("place", metavar="ROUND[/SIDE]")
@click.argument("text")
@_dry_run_option
@_pass_file
def comment_command(file: Path, place: str, text: str, dry_run: bool) -> None:
    """Add a comment to a move, or to a round.

    With SIDE the comment stands behind that side's move, without it on a line above the round.
    """
    match = _PLACE.fullmatch(place)
    if match is None:
        raise click.UsageError(f"a comment is for a ROUND or a ROUND/SIDE, such as 3 or 3/SIDE, not {place!r}")
    made = add_comment(file, int(match["round"]), match["side"], text, write=not dry_run)
    _tell(file, made, f"{place}: {text}", dry_run=dry_run)


@click.command("annotate")
@click.argument("number", metavar="ROUND", type=click.IntRange(min=1))
@click.argument("side", shell_complete=sides)
@click.argument("mark", type=click.Choice(MARKS), required=False)
@_remove_option("the mark")
@_dry_run_option
@_pass_file
def annotate_command(file: Path, number: int, side: str, mark: str | None, remove: bool, dry_run: bool) -> None:
    """Mark a move as good, bad or doubtful.

    MARK takes the place of one that SIDE's move in ROUND has.
    """
    if (mark is None) is not remove:
        raise click.UsageError(f"after SIDE comes a MARK ({' '.join(MARKS)}), or --remove")
    made = set_mark(file, number, side, mark or "", write=not dry_run)
    _tell(file, made, f"{number}/{side}: {mark or 'no mark'}", dry_run=dry_run)


def _tell(file: Path, made: Revision, said: str, *, dry_run: bool) -> None:
    """Print what was done, or what would change."""
    if not dry_run:
        click.echo(f"{visible(str(file))}: {visible_lines(said)}")
    elif diff := made.diff(str(file)):
        click.echo(visible_lines(diff))
