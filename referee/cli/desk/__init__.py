"""`referee desk`: a correspondence service in a folder."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

import click

from referee.cli import LazyCommand, LazyGroup
from referee.extras import extra

if TYPE_CHECKING:
    from referee.mail.office import Office
    from referee.rules import Outcome

_Command = TypeVar("_Command", bound=Callable[..., Any])

DESK_COMMANDS: Mapping[str, LazyCommand] = MappingProxyType(
    {
        "init": LazyCommand("referee.cli.desk.games:init_command", "Create a desk in a folder."),
        "open": LazyCommand("referee.cli.desk.games:open_command", "Open a game and invite its players."),
        "status": LazyCommand(
            "referee.cli.desk.games:status_command", "Show where the games stand, and what the host has to do."
        ),
        "log": LazyCommand("referee.cli.desk.games:log_command", "Print a game's log."),
        "export": LazyCommand("referee.cli.desk.games:export_command", "Print a game as a game file."),
        "audit": LazyCommand(
            "referee.cli.desk.proof:audit_command", "Check a game's whole log: digests, commitments, every verdict."
        ),
        "clock": LazyCommand(
            "referee.cli.desk.games:clock_command", "Show the clocks of a game, now or at another time."
        ),
        "receive": LazyCommand(
            "referee.cli.desk.receive:receive_command",
            "Take letters in: one on the standard input, a Maildir, or by IMAP.",
        ),
        "serve": LazyCommand(
            "referee.cli.desk.host:serve_command", "Run the desk: take letters by LMTP, answer them, watch the clock."
        ),
        "tick": LazyCommand(
            "referee.cli.desk.host:tick_command", "Do what is due by the clock: reminders, and losses on time."
        ),
        "deliver": LazyCommand("referee.cli.desk.host:deliver_command", "Hand waiting letters to the mail server."),
        "extend": LazyCommand(
            "referee.cli.desk.host:extend_command", "Give a side, or all who owe a move, more time."
        ),
        "pause": LazyCommand("referee.cli.desk.host:pause_command", "Stop all clocks of a game."),
        "resume": LazyCommand("referee.cli.desk.host:resume_command", "Start the clocks of a game again."),
        "adjudicate": LazyCommand(
            "referee.cli.desk.host:adjudicate_command", "Decide a game against a side, or as a draw."
        ),
        "reopen": LazyCommand("referee.cli.desk.host:reopen_command", "Take back the end of a game."),
        "replace": LazyCommand("referee.cli.desk.host:replace_command", "Give a side to another player."),
        "resend": LazyCommand("referee.cli.desk.host:resend_command", "Send players their last letter once more."),
        "backup": LazyCommand(
            "referee.cli.desk.host:backup_command", "Copy the desk's store to a file, for safekeeping."
        ),
        "renew": LazyCommand(
            "referee.cli.desk.host:renew_command", "Draw a new key, after a restore from a backup or a fail-over."
        ),
        "retry": LazyCommand("referee.cli.desk.host:retry_command", "Try again with letters that were set aside."),
    }
)


@click.group("desk", cls=LazyGroup, table=DESK_COMMANDS, needs="mail")
def desk_command() -> None:
    """Run whole correspondences by e-mail.

    A desk keeps games, players, clocks and sealed moves in a folder. Commands work on the one named by --desk, or
    REFEREE_DESK, or the current folder.
    """


def desk_option(command: _Command) -> _Command:
    """Give a command the option `--desk DIR`, as its argument `folder`."""
    return click.option(
        "--desk",
        "folder",
        envvar="REFEREE_DESK",
        default=".",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="The desk's folder; by default REFEREE_DESK, or the current one.",
    )(command)


def trust_clock_option(command: _Command) -> _Command:
    """Give a command the option `--trust-clock`."""
    return click.option(
        "--trust-clock",
        is_flag=True,
        help="The machine's clock is right, though it has jumped or the desk has rested for more than a day.",
    )(command)


@contextmanager
def office_at(folder: Path) -> Iterator[Office]:
    """The desk in a folder.

    Raises:
        FileError: its settings cannot be read, or are wrong.
        RefereeError: `missing-extra`, or its store cannot be opened.
    """
    # Imported here, as `audit` of a file needs no extra, and `receive` must answer for a missing one.
    with extra("referee.mail.office", "mail").office_in(folder) as office:
        yield office


def say_on_stderr() -> None:
    """Make the desk's parts say what they do on the error output, a line each."""
    logging.basicConfig(format="referee: %(message)s", level=logging.WARNING)
    logging.getLogger("referee").setLevel(logging.INFO)
    # Of what aiosmtpd says, some is what a mail server sent.
    logging.getLogger("mail.log").setLevel(logging.CRITICAL)


def end_text(outcome: Outcome) -> str:
    """The end of a game on one line, as `status` and `audit` print it."""
    return f"over: {outcome.winner or 'nobody'} won ({outcome.termination})"
