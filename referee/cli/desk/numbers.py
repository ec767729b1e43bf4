"""`referee desk metrics`: the numbers of a desk for Prometheus."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli.desk import desk_option, office_at
from referee.mail.host.metrics import exposition
from referee.mail.office import now


@click.command("metrics")
@desk_option
def metrics_command(folder: Path) -> None:
    """Print what the desk does as numbers for Prometheus.

    They are in Prometheus' text format, without addresses, names and secrets. With a port under `metrics` in the
    settings, `serve` answers with the same at http://127.0.0.1:PORT/metrics.
    """
    with office_at(folder) as office:
        click.echo(exposition(office, now()), nl=False)
