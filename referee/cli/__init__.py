"""The command `referee`: thin shells over the library, loaded when they run."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Mapping, Sequence
from copy import copy
from importlib import import_module
from io import StringIO, TextIOWrapper
from types import MappingProxyType
from typing import Any, NamedTuple

import click
from click.shell_completion import CompletionItem

from referee.cli.shell.screen import Screen, fitted, terminal_options
from referee.errors import FileError, NotationError, RefereeError
from referee.extras import extra
from referee.terminal import Pen, plain_pen, visible_lines

WRONG, UNUSABLE = 1, 2

COMPLETION_VARIABLE = "_REFEREE_COMPLETE"
"""The environment variable in which a shell asks how to complete a line."""

_LOST = {"no-scheduler", "worker-lost"}
"""Codes of errors that say nothing about any game."""


_MANY_OBJECTS = 200_000
"""New objects after which garbage is looked for; what a command imports makes many of them, and no garbage."""


class LazyCommand(NamedTuple):
    """A command of a group: where it is, as `module:attribute`, and what its group's help says of it."""

    place: str
    short_help: str


class LazyGroup(click.Group):
    """A group that imports a command's module only to run that command; its own help comes from the table."""

    def __init__(
        self,
        *args: Any,  # noqa: ANN401 - as click has it
        table: Mapping[str, LazyCommand],
        needs: str = "",
        synonyms: Mapping[str, str] | None = None,
        **attributes: Any,  # noqa: ANN401 - as click has it
    ) -> None:
        """Name the commands, and the extra of the package that their modules need, if they do.

        `synonyms` are other words for some of them, which work but are in no list.
        """
        super().__init__(*args, **attributes)
        self._synonyms = synonyms or {}
        self.table = table
        self._needs = needs

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands."""
        return sorted(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, imported now.

        Raises:
            RefereeError: `missing-extra`, if its module needs a library that is not installed.
        """
        name = self._synonyms.get(cmd_name, cmd_name)
        if name not in self.table:
            return None
        module, _, attribute = self.table[name].place.partition(":")
        home = extra(module, self._needs) if self._needs else import_module(module)
        command: click.Command = copy(getattr(home, attribute))
        command.params = [*command.params, *terminal_options(hidden=True)]
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands and options that begin like this; no command is imported."""
        found = [
            CompletionItem(name, help=entry.short_help)
            for name, entry in sorted(self.table.items())
            if name.startswith(incomplete)
        ]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.table[name].short_help) for name in self.list_commands(ctx)])


def lazy_commands(
    home: str, modules: Mapping[str, Mapping[str, str]], **others: LazyCommand
) -> Mapping[str, LazyCommand]:
    """The table of a group: its modules below `home` with their commands, each with its short help.

    The command `check` is `check_command` in its module, and `drop-key` is `drop_key_command`. `others` have other
    names in their modules.
    """
    return MappingProxyType(
        others
        | {
            name: LazyCommand(f"{home}.{module}:{name.replace('-', '_')}_command", short_help)
            for module, commands in modules.items()
            for name, short_help in commands.items()
        }
    )


TOP_COMMANDS = lazy_commands(
    "referee.cli",
    {
        "games": {
            "new": "Write a game file for a new game.",
            "move": "Judge a move and add it to a game file.",
            "legal": "List legal moves, or complete a move.",
            "reveal": "Reveal what the players may know of a game's secret.",
        },
        "notes": {"import": "Make a game file from notes as people keep them."},
        "edit": {"edit": "Amend a game file."},
        "diff": {"diff": "Show how two versions of a game differ."},
        "explain": {"explain": "Explain a code, with an example."},
        "check": {"check": "Judge game files, move lists, archives and folders."},
        "boards": {
            "report": "Show a position: board, counters and score.",
            "record": "Make a page, a picture or a score sheet of a game.",
            "print": "Make a board to print, and pieces if a game has them.",
        },
        "archives": {
            "generate": "Make random legal games.",
            "convert": "Write games in another form.",
            "stats": "Count lengths, results, openings and pieces.",
        },
        "explore": {"explore": "Make a page of opening moves with results."},
        "puzzles": {"puzzles": "Find puzzles in games."},
        "play": {"play": "Play against an engine."},
        "match": {"match": "Let two players meet in many games."},
        "page": {"page": "Make the referee in one page, or check one."},
        "completion": {"completion": "Print the script with which a shell completes commands."},
        "manual": {"man": "Print a manual page, or write all of them."},
        "desk": {"desk": "Run whole correspondences by e-mail."},
        "desk.proof": {
            "audit": "Check a game's whole log: digests, commitments, every verdict.",
            "seal": "Seal a move on your own machine.",
            "sign": "Sign a move, or another line of a letter, with your own key.",
        },
        "desk.histories": {
            "gossip": "Print the one line that two players compare.",
            "fork": "Prove that a desk has shown two histories of one game.",
        },
        "desk.roots": {"proof": "Prove, or check, that a day's root covers a game."},
    },
    serve=LazyCommand("referee.cli.serve:serve_api", "Answer other programs over HTTP."),
    key=LazyCommand("referee.cli.keys:own_key", "Make and keep a key of your own."),
    annotate=LazyCommand("referee.cli.play.annotate:annotate_game", "Let an engine comment a game."),
    duel=LazyCommand("referee.cli.play.duel:duel_group", "Play with a friend by messages alone."),
)


class _Welcome(click.ClickException):
    """`referee` alone: what to do first."""

    def show(self, file: Any = None) -> None:  # noqa: ANN401 - as click has it
        """Say it without the word "error"."""
        click.echo(self.message, file=file)


class _Commands(LazyGroup):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Without any argument, say what to do first."""
        if not args and not ctx.resilient_parsing:
            raise _Welcome(import_module("referee.cli.shell.welcome").welcome_text())
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - as click has it
        """Run a command; a reader that closes the pipe is not a failure, as click would say."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            sys.stdout = None
            raise click.exceptions.Exit(0) from None


@click.group(
    cls=_Commands,
    table=TOP_COMMANDS,
    params=terminal_options(hidden=False),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="referee", prog_name="referee")
def cli() -> None:
    """Referee abstract board games by notation: judge, apply and report moves.

    Exit status: 0 all is well; 1 a game, a move or a list is wrong; 2 wrong usage, or a file that cannot be
    read.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command, print errors for people, and leave with the exit status."""
    gc.set_threshold(_MANY_OBJECTS)
    # At the end nobody looks for garbage among all that was imported: the process gives it back in one piece.
    atexit.register(gc.freeze)
    if isinstance(sys.stdout, TextIOWrapper):
        # A character that the terminal lacks, or one that is not text in a file name, is shown by its number.
        sys.stdout.reconfigure(errors="backslashreplace")
    if COMPLETION_VARIABLE in os.environ:
        import_module("referee.cli.shell.completion").answer(cli)
    screen = Screen()
    try:
        status = cli.main(arguments, prog_name="referee", standalone_mode=False, obj=screen)
        sys.exit(status if isinstance(status, int) else 0)
    except click.exceptions.Abort:
        sys.exit(130)
    except click.ClickException as error:
        told_by_click = StringIO()
        error.show(told_by_click)
        said = visible_lines(told_by_click.getvalue())
        said = said.replace("Error:", screen.pen(sys.stderr)("Error:", "error"), 1)
        click.echo(fitted(said, sys.stderr), err=True, nl=False, color=True)
        sys.exit(UNUSABLE)
    except FileError as error:
        click.echo(fitted(error.as_text(screen.pen(sys.stderr)), sys.stderr), err=True, color=True)
        sys.exit(UNUSABLE if error.unreadable else WRONG)
    except RefereeError as error:
        click.echo(fitted(told(error, screen.pen(sys.stderr)), sys.stderr), err=True, color=True)
        sys.exit(UNUSABLE if error.code in _LOST else WRONG)
    except OSError as error:
        # The library raises FileError for the files it reads: only the output is left.
        click.echo(f"the output cannot be written: {(error.strerror or '').lower()}", err=True)
        sys.stdout = None
        sys.exit(UNUSABLE)


def told(error: Exception, pen: Pen = plain_pen) -> str:
    """An error for people: code and sentence, the text with a caret if a text was read, and what to try."""
    if isinstance(error, NotationError):
        return error.finding.as_text(pen=pen)
    if not isinstance(error, RefereeError):
        return visible_lines(str(error))
    if isinstance(error, FileError):
        text = error.as_text(pen)
    else:
        text = f"{pen(error.code, 'error')}: {visible_lines(error.message)}"
    return "\n".join([text, *(f"    try: {pen(visible_lines(one), 'hint')}" for one in error.suggestions)])
