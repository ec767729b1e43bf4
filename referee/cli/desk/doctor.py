"""`referee desk doctor` and `metrics`: what is wrong with a desk and around it, and what it does in numbers."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.cli.desk import desk_option, office_at
from referee.cli.shell.errors import UNUSABLE, WRONG
from referee.cli.shell.parameters import number_option
from referee.errors import FileError
from referee.terminal import counted, visible, visible_json

if TYPE_CHECKING:
    from referee.mail.host.checks import Diagnosis

_INDENT = " " * 16


@click.command("doctor")
@desk_option
@click.option("--no-letter", is_flag=True, help="Send no letter, and leave the mail server out.")
@number_option("--wait", default=60, high=3600, metavar="SECONDS", says="How long the letter may take.")
@click.option("--format", "form", type=click.Choice(["text", "jsonl"]), default="text", show_default=True)
def doctor_command(folder: Path, no_letter: bool, wait: int, form: str) -> int:
    """Check the desk and the mail servers around it. Each finding has a remedy.

    It checks the settings, the folder, the store, the clock, the names in DNS, the port and the mail server. Then the
    desk sends itself a letter through that server, and waits for it. Exit status: 0 if nothing is wrong, 1 if
    something is, 2 if the settings cannot be read.
    """
    from referee.mail.host.checks import Severity
    from referee.mail.host.checks.doctor import examine, unreadable_settings

    found, unusable = 0, False
    try:
        for one in examine(folder, datetime.now(UTC), wait=None if no_letter else wait):
            found += one.level is Severity.WRONG
            _say(one, form)
    except FileError as error:
        unusable, faults = True, unreadable_settings(error)
        found += len(faults)
        for one in faults:
            _say(one, form)
    if form == "text":
        click.echo("nothing is wrong" if not found else counted(found, "thing is wrong", "things are wrong"))
    return UNUSABLE if unusable else WRONG if found else 0


def _say(one: Diagnosis, form: str) -> None:
    remedy = f"\n{_INDENT}{visible(one.remedy)}" if one.remedy else ""
    said = f"{one.level:6}{one.about:10}{visible(one.says)}{remedy}"
    click.echo(visible_json(asdict(one)) if form == "jsonl" else said)


@click.command("metrics")
@desk_option
def metrics_command(folder: Path) -> None:
    """Print what the desk does as numbers for Prometheus.

    They are in Prometheus' text format, without addresses, names and secrets. With a port under `metrics` in the
    settings, `serve` answers with the same at http://127.0.0.1:PORT/metrics.
    """
    from referee.mail.host.metrics import exposition

    with office_at(folder) as office:
        click.echo(exposition(office, datetime.now(UTC)), nl=False)
