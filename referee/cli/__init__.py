"""The command `referee`: thin shells over the library, loaded when they run."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import StringIO, TextIOWrapper
from typing import Any

import click

from referee.cli.lazy import Entry, Lazy
from referee.errors import FileError, NotationError, RefereeError
from referee.terminal import visible_lines

WRONG, UNUSABLE = 1, 2

LOST = {"no-scheduler", "worker-lost"}
"""Codes of errors that say nothing about any game."""

COMMANDS = {
    "new": Entry("referee.cli.new:new", "Write a game file for a new game."),
    "check": Entry("referee.cli.check:check", "Judge game files, move lists, archives and folders."),
    "report": Entry("referee.cli.boards:report", "Show a position: board, counters and score."),
    "record": Entry("referee.cli.boards:record", "Make a page, a picture or a score sheet of a game."),
    "print": Entry("referee.cli.boards:print_", "Make a board and pieces to print."),
    "move": Entry("referee.cli.moves:move", "Judge a move and add it to a game file."),
    "legal": Entry("referee.cli.moves:legal", "List legal moves, or complete a move."),
    "seal": Entry("referee.cli.secrecy:seal", "Seal a move on your own machine."),
    "reveal": Entry("referee.cli.secrecy:reveal", "Reveal what the players may know of a game's secret."),
    "generate": Entry("referee.cli.archives:generate", "Make random legal games."),
    "convert": Entry("referee.cli.archives:convert", "Write games in another form."),
    "stats": Entry("referee.cli.archives:stats", "Count lengths, results, openings and pieces."),
    "desk": Entry("referee.cli.desk:desk", "Run whole correspondences by e-mail."),
    "audit": Entry("referee.cli.desk.audit:audit", "Check a game's whole log: digests, commitments, every verdict."),
}


class _Commands(Lazy):
    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - as click has it
        """Run a command; a reader that closes the pipe is no failure, as click would call it."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            sys.stdout = None
            raise click.exceptions.Exit(0) from None


@click.group(
    cls=_Commands,
    table=COMMANDS,
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
    if isinstance(sys.stdout, TextIOWrapper):
        # A character that the terminal lacks, or a file name that is no text, is shown by its number.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        status = cli.main(arguments, prog_name="referee", standalone_mode=False)
        sys.exit(status if isinstance(status, int) else 0)
    except click.exceptions.Abort:
        sys.exit(130)
    except click.ClickException as error:
        told_by_click = StringIO()
        error.show(told_by_click)
        click.echo(visible_lines(told_by_click.getvalue()), err=True, nl=False)
        sys.exit(UNUSABLE)
    except FileError as error:
        click.echo(error, err=True)
        sys.exit(UNUSABLE if error.unreadable else WRONG)
    except RefereeError as error:
        click.echo(told(error), err=True)
        sys.exit(UNUSABLE if error.code in LOST else WRONG)
    except OSError as error:
        # The library raises FileError for the files it reads: only the output is left.
        click.echo(f"the output cannot be written: {(error.strerror or '').lower()}", err=True)
        sys.stdout = None
        sys.exit(UNUSABLE)


def told(error: Exception) -> str:
    """An error for people: code and sentence, the text with a caret if a text was read, and what to try."""
    if isinstance(error, NotationError):
        return error.finding.as_text()
    suggestions = error.suggestions if isinstance(error, RefereeError) else ()
    return visible_lines("\n".join([str(error), *(f"    try: {suggestion}" for suggestion in suggestions)]))
