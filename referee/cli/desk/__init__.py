"""`referee desk`: a correspondence service that is kept in a folder."""

from __future__ import annotations

import click

from referee.cli.desk.audit import audit
from referee.cli.desk.games import clock, export, init, log, open_, status
from referee.cli.desk.host import adjudicate, backup, extend, pause, renew, reopen, replace, resend, resume, retry
from referee.cli.desk.post import deliver, receive, serve, tick

__all__ = ["audit", "desk"]


@click.group(short_help="Run whole correspondences by e-mail.")
def desk() -> None:
    """Run whole correspondences by e-mail: games, players, clocks, sealed moves.

    A desk is a folder. Commands work on the one named by --desk, or REFEREE_DESK, or the current folder.
    """


for command in (
    *(init, open_, status, log, export, audit, clock),
    *(receive, serve, tick, deliver),
    *(extend, pause, resume, adjudicate, reopen, replace, resend),
    *(backup, renew, retry),
):
    desk.add_command(command)
