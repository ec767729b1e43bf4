"""`referee desk backup`, `restore` and `move`: move a desk to another disk, machine or address."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.cli.desk import desk_option, office_at
from referee.cli.desk.host import say_foreseen
from referee.terminal import counted, visible

if TYPE_CHECKING:
    from referee.desk.records import AtticFile


@click.command("backup")
@desk_option
@click.argument("file", type=click.Path(path_type=Path))
def backup_command(folder: Path, file: Path) -> None:
    """Copy the desk's store to a file, for safekeeping.

    The desk may go on running. Only you can read FILE, and no file is overwritten. The copy is checked as by
    `restore`: if it is damaged, there is no FILE, and the exit status is 1.
    """
    from referee.mail.host import backups

    with office_at(folder) as office:
        backups.back_up(office, file, datetime.now(UTC))
        shelves = office.desk.attic.files(whole=False)
    click.echo(f"{visible(str(file))}: a copy of the store; it holds the desk's key and the sealed moves")
    if shelves:
        where = visible(str(shelves[0].file.parent))
        click.echo(f"not in it: {counted(len(shelves), 'file', 'files')} with old letters; copy {where}, too")
    _say_missing(one for one in shelves if one.fault)


@click.command("restore")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
def restore_command(file: Path, folder: Path) -> None:
    """Make a desk from a backup, with a new key.

    DIR must have no store; it keeps its settings, or gets those of the backup FILE. Stop the old desk first: every
    player of a running game gets a letter with a new reply address, and letters to the old desk do nothing here.
    """
    from referee.mail.host import backups
    from referee.mail.letters.format.language import moment
    from referee.mail.settings import FILE

    done = backups.restore(file, folder, datetime.now(UTC))
    click.echo(f"{visible(str(folder))}: the desk is restored, with a new key")
    if done.asleep is not None:
        click.echo(f"it last looked at its clock on {moment(done.asleep)}")
    click.echo(f"in the outbox: {counted(done.letters, 'letter', 'letters')} with new reply addresses")
    for path in done.passwords:
        click.echo(f"missing: {visible(str(path))}, a password of the settings")
    _say_missing(done.attic)
    with office_at(folder) as office:
        say_foreseen(office)
    click.echo(f"next: look through {visible(str(folder / FILE))}, and run 'referee desk doctor'")


def _say_missing(shelves: Iterable[AtticFile]) -> None:
    for one in shelves:
        click.echo(f"missing: {visible(str(one.file))}, with {counted(one.letters, 'old letter', 'old letters')}")


@click.command("move")
@desk_option
@click.argument("address")
def relocate_command(folder: Path, address: str) -> None:
    """Give the desk a new address, and notify its players.

    The settings get ADDRESS, and the former address under `formerly`, so that letters to it still arrive. Every
    player of a running game or an invitation gets a letter from the new address. The mail server must hand over
    letters for both. Stop `serve` first, and start it again afterwards.
    """
    from referee.mail.host import relocation

    letters = relocation.move(folder, address, datetime.now(UTC))
    click.echo(f"the desk's address is {address}; in the outbox: {counted(letters, 'letter', 'letters')} about it")
    click.echo("next: have the mail server hand over letters for both addresses, and start 'referee desk serve'")
