"""The command `referee`: thin shells over the library, each of them in a file of its own."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import StringIO, TextIOWrapper
from typing import Any

import click

from referee.cli.check import check
from referee.cli.convert import convert
from referee.cli.desk import audit, desk
from referee.cli.generate import generate
from referee.cli.legal import legal
from referee.cli.move import move
from referee.cli.new import new
from referee.cli.print import print_
from referee.cli.record import record
from referee.cli.report import report
from referee.cli.reveal import reveal
from referee.cli.seal import seal
from referee.cli.stats import stats
from referee.terminal import visible_lines

WRONG, UNUSABLE = 1, 2

LOST = {"no-scheduler", "worker-lost"}
"""The codes of errors that say nothing about any game."""


class _Commands(click.Group):
    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - as click has it
        """Run a command; whoever read its output may have enough of it, which click would call a failure."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            sys.stdout = None
            raise click.exceptions.Exit(0) from None


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="referee", prog_name="referee")
def cli() -> None:
    """Referee abstract board games by notation: judge, apply and report moves.

    Exit status: 0 all is well; 1 a game, a move or a list is wrong; 2 wrong usage, or a file that cannot be
    read.
    """


for command in (
    *(new, check, report, move, legal, reveal, record, print_),
    *(generate, convert, stats),
    *(desk, seal, audit),
):
    cli.add_command(command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command, tell errors to people, and leave with the exit status."""
    from referee.errors import FileError, RefereeError

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
        # The library tells of files as FileError: only the output is left.
        click.echo(f"the output cannot be written: {(error.strerror or '').lower()}", err=True)
        sys.stdout = None
        sys.exit(UNUSABLE)


def told(error: Exception) -> str:
    """An error for people: code and sentence, the text with a caret if a text was read, and what to try."""
    from referee.errors import NotationError, RefereeError

    if isinstance(error, NotationError):
        return error.finding.as_text()
    suggestions = error.suggestions if isinstance(error, RefereeError) else ()
    return visible_lines("\n".join([str(error), *(f"    try: {suggestion}" for suggestion in suggestions)]))
