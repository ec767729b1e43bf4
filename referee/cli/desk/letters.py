"""`referee desk letters`, `show` and `deliver`: letters in and out with their results, and letters to hand over."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.cli.desk import desk_option, office_at, say_on_stderr, taken_lines
from referee.cli.shell.parameters import number_option
from referee.terminal import counted, visible, visible_json, visible_lines

if TYPE_CHECKING:
    from referee.mail.host.register import RegisteredLetter

_COLUMNS = ("time (UTC)", "", "game", "who", "letter", "what became of it")


@click.command("letters")
@desk_option
@click.argument("game", required=False)
@number_option("--last", "most", default=20, says="How many.")
@click.option("--all", "all_", is_flag=True, help="All of them.")
@click.option("--format", "form", type=click.Choice(["text", "jsonl"]), default="text", show_default=True)
@click.option(
    "--export",
    "target",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the letters that have done something in GAME, as they came, into a new mailbox.",
)
@click.option("--side", help="With --export: the letters of this side alone, before the end as well.")
@click.option("--unseal", is_flag=True, help="With --export: also those with moves that are sealed still.")
def letters_command(
    folder: Path,
    game: str | None,
    most: int,
    all_: bool,
    form: str,
    target: Path | None,
    side: str | None,
    unseal: bool,
) -> None:
    """List letters in and out, and what became of them.

    The newest is last. With GAME, only its letters are listed. `show` prints one of them.

    --export writes letters in, for a check of the game's log with them (`referee audit --letters`), and the keys of
    their signatures into FILE.keys. Once the game is over it writes those of all sides.
    """
    from referee.desk import write_time
    from referee.mail.host import register

    if target is not None:
        if game is None:
            raise click.UsageError("--export needs the GAME whose letters it writes")
        _export(folder, game, target, side, unseal=unseal)
        return
    if side is not None or unseal:
        raise click.UsageError("--side and --unseal are for --export")
    with office_at(folder) as office:
        found = register.letters(office, game, None if all_ else most)
    if form == "jsonl":
        for one in found:
            click.echo(visible_json({**asdict(one), "at": write_time(one.at)}))
        return
    rows = [_COLUMNS, *map(_row, found)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_COLUMNS) - 1)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        click.echo("  ".join([*cells, row[-1]]).rstrip())


@click.command("deliver")
@desk_option
def deliver_command(folder: Path) -> None:
    """Hand waiting letters to the mail server.

    Then DNS is asked for the keys of players' mail providers. For cron; `serve` does this automatically.
    """
    from referee.mail.evidence import domain_keys
    from referee.mail.transport import smtp

    say_on_stderr()
    with office_at(folder) as office:
        click.echo(counted(smtp.deliver(office, datetime.now(UTC)), "letter", "letters"))
        click.echo("".join(f"{line}\n" for line in taken_lines(office, datetime.now(UTC))), nl=False)
        domain_keys.look_up(office, datetime.now(UTC))


@click.command("show")
@desk_option
@click.argument("digest", metavar="LETTER")
@click.option("--unseal", is_flag=True, help="Show it even if it may hold a move that is sealed still.")
def show_command(folder: Path, digest: str, unseal: bool) -> None:
    """Print the text of one letter, in or out.

    Name the LETTER by the first digits of its digest, as `letters` and `status` show it. Seat keys are left out.
    """
    from referee.mail.host import register

    with office_at(folder) as office:
        line, text = register.letter_text(office, digest, unseal=unseal)
    way, shown = "from" if line.incoming else "to", line.digest[: register.SHORT]
    click.echo(visible(f"letter {shown} {way} {line.who}, {line.at:%Y-%m-%d %H:%M} UTC: {line.verdict}"))
    click.echo(visible_lines(text), nl=False)


def _export(folder: Path, game: str, target: Path, side: str | None, *, unseal: bool) -> None:
    """Write the letters of a game into a mailbox, if there are any, and print its content."""
    from referee.mail.evidence import handover
    from referee.mail.evidence.signers import BESIDE

    with office_at(folder) as office:
        found = handover.letters_to_give(office, game, side, unseal=unseal)
        keys = handover.write(office, target, found.letters) if found.letters else 0
    name = visible(str(target))
    if found.letters:
        written = counted(len(found.letters), "letter", "letters")
        click.echo(f"{name}: {written}; {name}{BESIDE}: {counted(keys, 'key', 'keys')}")
    else:
        click.echo("there is no letter to hand over: nothing is written")
    if found.sealed:
        click.echo(f"{counted(found.sealed, 'letter', 'letters')} left out, with moves that are sealed still")
    if found.acting:
        why = "with addresses by which others could still write for a player"
        click.echo(f"{counted(found.acting, 'letter', 'letters')} left out, {why}")
    if found.lost:
        click.echo(f"{counted(found.lost, 'letter', 'letters')} of the log not in the store")


def _row(one: RegisteredLetter) -> tuple[str, ...]:
    from referee.mail.host.register import SHORT

    way = "in" if one.incoming else "out"
    cells = (f"{one.at:%Y-%m-%d %H:%M}", way, one.game or "-", one.who, one.digest[:SHORT], one.verdict)
    return tuple(map(visible, cells))
