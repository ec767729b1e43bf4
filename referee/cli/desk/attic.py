"""`referee desk attic`: move old letters from the store into files."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.cli.desk import desk_option, office_at
from referee.cli.shell.errors import WRONG
from referee.terminal import counted, visible

if TYPE_CHECKING:
    from referee.mail.office import Office

_DAY = click.DateTime(["%Y-%m-%d"])


@click.command("attic")
@desk_option
@click.option(
    "--before", type=_DAY, metavar="DAY", help="Move the letters from before this day in UTC, such as 2027-01-01."
)
@click.option("--check", is_flag=True, help="Read every letter that was moved, and compare its digest.")
def attic_command(folder: Path, before: datetime | None, check: bool) -> int:
    """Move the contents of old letters into files, or check those files.

    The files are ZIP files in the folder `attic` of the desk, with handled letters and with the drafts of sent ones.
    Each file is read again before anything leaves the store. Letters with acts in a game that is not over stay, and
    the last letter about a game to each player. `show` and `letters --export` also read these files. The desk may go
    on running.
    """
    if (before is None) != check:
        raise click.UsageError("name a day with --before, or check what was moved with --check")
    with office_at(folder) as office:
        if before is None:
            return _check(office)
        _move(office, before.replace(tzinfo=UTC))
        return 0


def _move(office: Office, before: datetime) -> None:
    if before > datetime.now(UTC):
        raise click.UsageError("--before is a day that has begun")
    moved = None
    for moved in office.desk.attic.put_away(before, f"until-{before:%Y-%m-%d}"):
        size = f"{moved.size / 1_000_000:,.1f} MB"
        click.echo(f"{visible(str(moved.file))}: {counted(moved.letters, 'letter', 'letters')}, {size} of the store")
    if moved is None:
        click.echo("no letter is that old and can leave the store")
        return
    click.echo("keep these files with the desk's backups: the store itself no longer has what is in them")


def _check(office: Office) -> int:
    found, strays = office.desk.attic.files(), office.desk.attic.strays()
    for shelf in found:
        says = f"wrong: {shelf.fault}" if shelf.fault else "all can be read"
        click.echo(f"{visible(str(shelf.file))}: {counted(shelf.letters, 'letter', 'letters')}; {visible(says)}")
    for path in strays:
        click.echo(f"{visible(str(path))}: the store needs nothing in it")
    if not found:
        click.echo("no letter has left the store")
    return WRONG if any(shelf.fault for shelf in found) else 0
