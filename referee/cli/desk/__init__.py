"""`referee desk`: a correspondence service in a folder.

Each module holds the commands of one subject, and takes the office of a desk from here. `histories` and `pages` stand
below `proof`, `roots` and `host`, and `host` below `continuity`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.cli.shell.groups import LazyGroup, lazy_commands

if TYPE_CHECKING:
    from referee.mail.office import Office

DESK_COMMANDS = lazy_commands(
    "referee.cli.desk",
    {
        "Letters": {
            "pages try": "Try a desk here: two mailboxes, the game and the host on one page.",
            "host serve": "Run the desk: take letters by LMTP, answer them, watch the clock.",
            "receive receive": "Take letters in: one on the standard input, a Maildir, or by IMAP.",
            "letters deliver": "Hand waiting letters to the mail server.",
            "letters letters": "List letters in and out, and what became of them.",
            "letters show": "Print the text of one letter, in or out.",
            "host resend": "Send players their last letter once more.",
            "host retry": "Try again with letters that were set aside.",
            "host acknowledge": "Take filed and given-up letters off the status.",
        },
        "Games": {
            "games open": "Open a game and invite its players.",
            "games status": "Show the running games, and the duties of the host.",
            "games clock": "Show the clocks of a game, now or at another time.",
            "games log": "Print a game's log.",
            "games export": "Print a game as a game file.",
            "proof audit": "Check a game's whole log: digests, commitments, every verdict.",
            "host tick": "Do what is due by the clock: reminders, and losses on time.",
            "host pause": "Stop all clocks of a game.",
            "host resume": "Start the clocks of a game again.",
            "host extend": "Give a side, or all who owe a move, more time.",
            "host adjudicate": "Decide a game against a side, or as a draw.",
            "host reopen": "Take back the end of a game; also called undo.",
            "pages pages": "Serve the web pages of the games, without the mail.",
        },
        "People": {
            "host replace": "Give a side to another player.",
            "host drop-key": "Take the key of a side away.",
            "pages unpair": "Take back the browsers that may move for ADDRESS.",
        },
        "Upkeep": {
            "games init": "Create a desk in a folder.",
            "doctor doctor": "Check the desk and the mail servers around it.",
            "continuity backup": "Copy the desk's store to a file, for safekeeping.",
            "continuity restore": "Make a desk from a backup, with a new key.",
            "continuity move relocate_command": "Give the desk a new address, and notify its players.",
            "host renew": "Draw a new key, after a restore from a backup or a fail-over.",
            "host key": "Show the desk's public key, or draw a new one.",
            "attic attic": "Move the contents of old letters into files, or check those files.",
            "doctor metrics": "Print what the desk does as numbers for Prometheus.",
            "roots root": "Print the line that binds the heads of all games at the end of a day.",
            "stamps stamp": "Stamp the roots of days with OpenTimestamps.",
        },
    },
)


@click.group("desk", cls=LazyGroup, table=DESK_COMMANDS, needs="mail", synonyms={"undo": "reopen"})
def desk_command() -> None:
    """Run whole correspondences by e-mail.

    A desk keeps games, players, clocks and sealed moves in a folder. Commands work on the one named by --desk, or
    REFEREE_DESK, or the current folder.
    """
    try:
        import_module("fcntl")
    except ImportError:
        raise click.UsageError("the desk needs a POSIX system, such as Linux, macOS or a BSD") from None


desk_option = click.option(
    "--desk",
    "folder",
    envvar="REFEREE_DESK",
    default=".",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The desk's folder; by default REFEREE_DESK, or the current one.",
)

trust_clock_option = click.option(
    "--trust-clock",
    is_flag=True,
    help="The machine's clock is right, though it is more than 100 days from when the desk last looked.",
)


def office_at(folder: Path) -> AbstractContextManager[Office]:
    """The desk in a folder; FileError for its settings, RefereeError `missing-extra` or for its store."""
    # Imported here, because `audit` of a file needs no extra, and `receive` must answer for a missing one.
    from referee.mail.office import office_in

    return office_in(folder)


def run_server(folder: Path, serve: Callable[[Office], bool]) -> None:
    """Run a server of the desk in a folder until SIGTERM or SIGINT; restart if it returns True."""
    from referee.cli.shell.options import running_long, stop_when_told
    from referee.mail.host.shutdown import begin_again

    say_on_stderr()
    stop_when_told()
    with suppress(KeyboardInterrupt):
        with running_long(), office_at(folder) as office:
            again = serve(office)
        if again:
            begin_again()


def taken_lines(office: Office, at: datetime) -> Iterator[str]:
    """A line about the letters that another process is sending, or was sending when it ended, if any."""
    number, until = office.desk.outbox.taken(at)
    if until is not None:
        being = "1 letter is" if number == 1 else f"{number} letters are"
        yield f"{being} being sent; if the process that does it has ended, others go on by {until:%H:%M:%S} UTC"


def person_named(name: str) -> str:
    """The name of a person; click.UsageError if it reads as that of an engine."""
    from referee.desk.state.engagements import reads_as_engine

    if reads_as_engine(name):
        raise click.UsageError(
            f"{name!a} would be taken for an engine: give a person another name; an engine takes a seat only when a "
            "game is opened, with --player SIDE=engine:LEVEL"
        )
    return name


def say_on_stderr() -> None:
    """Send the desk's log to the error output."""
    logging.basicConfig(format="referee: %(message)s", level=logging.WARNING)
    logging.getLogger("referee").setLevel(logging.INFO)
    # The log of aiosmtpd contains text that a mail server sent.
    logging.getLogger("mail.log").setLevel(logging.CRITICAL)
