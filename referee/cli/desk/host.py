"""`referee desk extend`, `adjudicate`, `reopen`, `replace`, `backup`, `renew` ...: what the host of a desk can do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.cli.desk.folder import desk_option, opened

if TYPE_CHECKING:
    from referee.desk import Order


@click.command(short_help="Give a side, or all who owe a move, more time.")
@desk_option
@click.argument("game")
@click.argument("hours", type=click.IntRange(min=1))
@click.option("--side", help="Only this one.")
def extend(folder: Path, game: str, hours: int, side: str | None) -> None:
    """Add HOURS to the time for what is owed in GAME."""
    from referee.desk.acts import Extend

    _order(folder, game, Extend(hours, side), f"{hours} more hours")


@click.command(short_help="Stop all clocks of a game.")
@desk_option
@click.argument("game")
@click.option("--reason", default="", help="It is told to the players.")
def pause(folder: Path, game: str, reason: str) -> None:
    """Stop all clocks of GAME; moves are welcome all the same."""
    from referee.desk.acts import Pause

    _order(folder, game, Pause(reason), "all clocks stand still")


@click.command(short_help="Let the clocks of a game go on.")
@desk_option
@click.argument("game")
def resume(folder: Path, game: str) -> None:
    """Let the clocks of GAME go on."""
    from referee.desk.acts import Resume

    _order(folder, game, Resume(), "the clocks go on")


@click.command(short_help="Decide a game against a side, or as a draw.")
@desk_option
@click.argument("game")
@click.option("--against", "by", metavar="SIDE", help="Who loses; without it the game is a draw.")
@click.option("--abandon", is_flag=True, help="End it without any decision.")
@click.option("--reason", default="", help="It is told to the players.")
def adjudicate(folder: Path, game: str, by: str | None, abandon: bool, reason: str) -> None:
    """End GAME by the host's decision."""
    from referee.desk.acts import Adjudicate, Close

    if abandon and (by or reason):
        raise click.UsageError("--abandon goes with nothing else")
    _order(folder, game, Close() if abandon else Adjudicate(by, reason), "the game is over")


@click.command(short_help="Take back the end of a game.")
@desk_option
@click.argument("game")
@click.option("--reason", required=True, help="It is told to the players.")
def reopen(folder: Path, game: str, reason: str) -> None:
    """Let GAME go on after an end that should not have been, such as a timeout by a wrong clock.

    The end has told the sealed moves of the round, so everybody makes theirs again. An end by the moves
    themselves, by agreement or by a repetition stays, and so does one that has told The Beam's seed.
    """
    from referee.desk.acts import Reopen

    _order(folder, game, Reopen(reason), "the game goes on")


@click.command(short_help="Give a side to another player.")
@desk_option
@click.argument("game")
@click.argument("side")
@click.argument("name")
@click.option("--address", help="The new player's; without it the side's address stays.")
def replace(folder: Path, game: str, side: str, name: str, address: str | None) -> None:
    """Let NAME play SIDE of GAME from now on; the keys of the one before are worth nothing any more."""
    from referee.desk.acts import Replace

    _order(folder, game, Replace(side, name, address), f"{name} plays {side}")


@click.command(short_help="Send players their last letter once more.")
@desk_option
@click.argument("game")
@click.option("--side", help="Only this one.")
def resend(folder: Path, game: str, side: str | None) -> None:
    """Queue the last letter to every side of GAME again; it keeps its message id."""
    with opened(folder) as office:
        from referee.mail.host import resend as again
        from referee.mail.office import now

        sides = again(office, game, side, now())
    click.echo(f"{game}: in the outbox again for {', '.join(sides) or 'nobody'}")


@click.command(short_help="Copy the desk's store to a file, for safekeeping.")
@desk_option
@click.argument("file", type=click.Path(path_type=Path))
def backup(folder: Path, file: Path) -> None:
    """Copy the store to FILE while the desk runs; nobody else may read it, and no file is ever overwritten."""
    with opened(folder) as office:
        office.store.backup(file)
    click.echo(f"{file}: a copy of the store; it holds the desk's key and the sealed moves")


@click.command(short_help="Draw a new key, after a restore from a backup or a fail-over.")
@desk_option
def renew(folder: Path) -> None:
    """Draw a new key for the desk: all keys of seats are worth nothing any more, and every player gets a new one."""
    with opened(folder) as office:
        from referee.mail import host
        from referee.mail.office import now

        letters = host.renew(office, now())
    click.echo(f"the desk has a new key; in the outbox: {letters} {'letter' if letters == 1 else 'letters'} with it")


@click.command(short_help="Try letters again that were set aside.")
@desk_option
@click.argument("digests", metavar="[LETTER]...", nargs=-1)
def retry(folder: Path, digests: tuple[str, ...]) -> None:
    """Let letters that were set aside be dealt with again: each LETTER as `status` shows it, or all of them."""
    with opened(folder) as office:
        from referee.mail import host
        from referee.mail.office import now

        number = host.retry(office, digests, now())
    click.echo(f"{number} {'letter waits' if number == 1 else 'letters wait'} again, for `serve` or `tick`")


def _order(folder: Path, game: str, wanted: Order, done: str) -> None:
    with opened(folder) as office:
        from referee.mail.host import order
        from referee.mail.office import now

        answer = order(office, game, wanted, now())
    click.echo(f"{game}: {done}{' (as before)' if answer.repeated else ''}; the players are told")
