"""`referee desk serve`, `tick`, `deliver`: the desk as a daemon, or step by step for cron."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli.desk.folder import desk_option, opened, say_on_stderr, trust_clock_option
from referee.mail import daemon, host
from referee.mail.office import now
from referee.mail.transport import smtp
from referee.mail.watch import confirm
from referee.terminal import counted


@click.command()
@desk_option
@trust_clock_option
def serve(folder: Path, trust_clock: bool) -> None:
    """Run the desk: take letters by LMTP, answer them, watch the clock.

    It runs until SIGTERM or SIGINT; the settings say where it listens.
    """
    say_on_stderr()
    with opened(folder) as office:
        daemon.serve(office, trust_clock=trust_clock)


@click.command()
@desk_option
@trust_clock_option
def tick(folder: Path, trust_clock: bool) -> None:
    """Let time pass: reminders, and losses by time.

    For cron; `serve` does this by itself.
    """
    say_on_stderr()
    with opened(folder) as office:
        confirm(office.store, now(), trusted=trust_clock)
        click.echo(counted(host.tick_games(office, now()), "entry", "entries"))


@click.command()
@desk_option
def deliver(folder: Path) -> None:
    """Hand the letters that wait to the mail server.

    For cron; `serve` does this by itself.
    """
    say_on_stderr()
    with opened(folder) as office:
        click.echo(counted(smtp.deliver(office, now()), "letter", "letters"))
