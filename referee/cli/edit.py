"""`referee edit` and `diff`: amend a game file, and keep everything else in it unchanged; compare two versions."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from referee.cli.shell.candidates import files, keys, named_values, one_of, places, sides
from referee.cli.shell.errors import UNUSABLE, WRONG
from referee.cli.shell.groups import CommandGroup
from referee.cli.shell.options import game_of, value_of
from referee.cli.shell.parameters import Command
from referee.cli.shell.screen import screen
from referee.errors import FileError
from referee.game.amend.amendments import TEXTS, add_comment, set_end, set_key, set_mark, take_back
from referee.game.amend.difference import difference
from referee.game.amend.gate import Revision
from referee.game.amend.move_lines import MARKS
from referee.game.file.header import ENDINGS
from referee.terminal import visible, visible_json, visible_lines

_ROUND = re.compile(r"[0-9]{1,6}")
_TEXT_OF_A_PLAYER = re.compile(r"players\.[^.]+\.(?:name|email)")

_dry_run_option = click.option("--dry-run", is_flag=True, help="Print what would change, and change nothing.")


def _remove_option(what: str) -> Callable[[Command], Command]:
    return click.option("--remove", is_flag=True, help=f"Take {what} away.")


_pass_file = click.make_pass_decorator(Path)


class _EditGroup(CommandGroup):
    """A group that takes its options after FILE too."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the options between FILE and the command before FILE."""
        options = [one for one in self.params if one.param_type_name == "option"]
        parser = click.Command("options", params=options).make_parser(ctx)
        parser.allow_interspersed_args = False
        _, words, _ = parser.parse_args([*args])
        _, after, _ = parser.parse_args(words[1:])
        before, between = args[: len(args) - len(words)], words[1 : len(words) - len(after)]
        return super().parse_args(ctx, [*between, *before, *words[:1], *after])


@click.group("edit", cls=_EditGroup)
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_context
def edit_command(context: click.Context, file: Path) -> None:
    """Amend a game file.

    Everything else in FILE stays unchanged, to the byte. An edit that would make the game wrong is refused.
    """
    context.obj = file


@edit_command.command("set")
@click.argument("key", shell_complete=keys)
@click.argument("value", required=False, shell_complete=named_values)
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


@edit_command.command("end")
@click.argument("how", metavar="[HOW]", type=click.Choice([str(one) for one in ENDINGS]), required=False)
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

    HOW is resignation, agreement, repetition, timeout or adjudication: an end that the moves do not show.
    """
    if (how is None) is not remove or (remove and by is not None):
        raise click.UsageError("say HOW the game ended, with --by SIDE if it needs one, or --remove")
    made = set_end(file, how, by, write=not dry_run)
    said = "taken away" if how is None else how + (f" by {by}" if by else "")
    _tell(file, made, f"end: {said}", dry_run=dry_run)


@edit_command.command("undo")
@_dry_run_option
@_pass_file
def undo_command(file: Path, dry_run: bool) -> None:
    """Take the last ply back, with its marks and comments.

    The end and the result of the game go too.
    """
    ply, made = take_back(file, write=not dry_run)
    moves = "; ".join(f"{side} {one.move}" for side, one in ply.annotated.items())
    comments = (text for one in ply.annotated.values() for text in one.comments)
    notes = [f"    ; {text}" if "}" in text else f"    {{{text}}}" for text in comments]
    said = "\n".join([f"round {ply.round}, ply {ply.number} taken back: {moves}", *notes])
    _tell(file, made, said, dry_run=dry_run)


@edit_command.command("comment")
@click.argument("place", metavar="ROUND[/SIDE]", shell_complete=places)
@click.argument("words", metavar="TEXT", nargs=-1, required=True)
@_dry_run_option
@_pass_file
def comment_command(file: Path, place: str, words: tuple[str, ...], dry_run: bool) -> None:
    """Add a comment to a move, or to a round.

    With SIDE the comment follows that side's move; without it, it is on a line above the round.
    """
    number, side, rest = _place(place, words, 1)
    if len(rest) != 1:
        raise click.UsageError("after ROUND/SIDE comes one TEXT: put it in quotes")
    made = add_comment(file, number, side, rest[0], write=not dry_run)
    _tell(file, made, f"{_name(number, side)}: {rest[0]}", dry_run=dry_run)


def _sides_and_marks(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The marks, or the sides after a round without one."""
    is_side = "/" not in str(context.params.get("place")) and not context.params.get("words")
    return (sides if is_side else one_of(MARKS))(context, parameter, incomplete)


@edit_command.command("annotate")
@click.argument("place", metavar="ROUND/SIDE", shell_complete=places)
@click.argument("words", metavar="[MARK]", nargs=-1, shell_complete=_sides_and_marks)
@_remove_option("the mark")
@_dry_run_option
@_pass_file
def annotate_command(file: Path, place: str, words: tuple[str, ...], remove: bool, dry_run: bool) -> None:
    """Mark a move as good, bad or doubtful.

    MARK is !, ?, !!, ??, !? or ?!. It replaces the mark that the move has.
    """
    wanted = 0 if remove else 1
    number, side, marks = _place(place, words, wanted)
    if side is None or number == 0:
        raise click.UsageError(
            f"a mark is for the move of a side: expected ROUND/SIDE, such as 3/SIDE, not {place!r}"
        )
    if len(marks) != wanted or not set(marks) <= set(MARKS):
        raise click.UsageError(f"after ROUND/SIDE comes a MARK ({' '.join(MARKS)}), or --remove")
    made = set_mark(file, number, side, "".join(marks), write=not dry_run)
    _tell(file, made, f"{_name(number, side)}: {''.join(marks) or 'no mark'}", dry_run=dry_run)


def _place(place: str, words: tuple[str, ...], wanted: int) -> tuple[int, str | None, tuple[str, ...]]:
    """The round and the side of some words, and the `wanted` words after them; `2 red` means `2/red`."""
    line, slash, side = place.partition("/")
    if not _ROUND.fullmatch(line) or (slash and not side):
        raise click.UsageError(f"expected ROUND/SIDE, such as 3/SIDE, not {place!r}")
    if not slash and len(words) > wanted:
        side, *rest = words
        return int(line), side, tuple(rest)
    return int(line), side or None, words


def _name(number: int, side: str | None) -> str:
    return f"{number}/{side}" if side else str(number)


def _tell(file: Path, made: Revision, said: str, *, dry_run: bool) -> None:
    if not dry_run:
        click.echo(f"{visible(str(file))}: {visible_lines(said)}")
    elif diff := made.diff(str(file)):
        click.echo(visible_lines(diff))


@click.command("diff")
@click.argument("first", shell_complete=files)
@click.argument("second", shell_complete=files)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def diff_command(first: str, second: str, form: str) -> int:
    """Show how two versions of a game differ.

    The output has the changes of the header and of the notes, the place where the moves part, and the number of moves
    after it. A file called - is the standard input. Exit status: 0 the same; 1 different; 2 a file cannot be read as
    a game.
    """
    if first == second == "-":
        raise click.UsageError("only one of the two can come from the standard input")
    try:
        found = difference(game_of(first), game_of(second))
    except FileError as error:
        click.echo(error.as_text(screen().pen(sys.stderr)), err=True, color=True)
        return UNUSABLE
    if form == "json":
        click.echo(visible_json(found.as_json(), indent=2))
    else:
        click.echo(visible_lines(found.as_text((first, second))))
    return WRONG if found else 0
