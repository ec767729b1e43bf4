"""`referee desk serve`, `tick`, `extend`, `adjudicate`, `renew` ...: the work of a desk's host."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.cli.desk import desk_option, office_at, person_named, run_server, say_on_stderr, trust_clock_option
from referee.cli.desk.pages import pages_beside
from referee.errors import Refusal
from referee.terminal import counted, visible

if TYPE_CHECKING:
    from referee.desk import Answer, Order, Replace, State
    from referee.mail.office import Office

_NAMED = 5
"""Maximum games named in a line."""


@click.command("serve")
@desk_option
@trust_clock_option
def serve_command(folder: Path, trust_clock: bool) -> None:
    """Run the desk: take letters by LMTP, answer them, watch the clock.

    It listens at the address of the settings until SIGTERM or SIGINT. After SIGHUP it restarts with the new settings,
    unless these are wrong.
    """
    from referee.mail.host import daemon

    run_server(folder, lambda office: daemon.serve(office, trust_clock=trust_clock, beside=pages_beside))


@click.command("tick")
@desk_option
@trust_clock_option
@click.option("--all", "all_", is_flag=True, help="Look at every running game, and note again when each is due.")
def tick_command(folder: Path, trust_clock: bool, all_: bool) -> None:
    """Do what is due by the clock: reminders, and losses on time.

    Engines make the moves that they owe. If something needs the host, they get a letter, at most one a day. For
    cron; `serve` does this automatically.

    The desk stores the next due time and the last known state of each game, which follow from its log; --all
    computes them again.
    """
    from referee.mail.host import host
    from referee.mail.host.checks.concerns import write_to_host
    from referee.mail.host.outages import confirm

    say_on_stderr()
    with office_at(folder) as office:
        confirm(office, datetime.now(UTC), trusted=trust_clock)
        if all_:
            office.desk.games.rebuild()
        entries = host.tick_games(office, datetime.now(UTC))
        if office.desk.engine_turns.owed(datetime.now(UTC)):
            from referee.mail.host.engine_room import EngineRoom, play_on

            with EngineRoom(office.settings.engines.cores) as room:
                entries += play_on(room, office)
        click.echo(counted(entries, "entry", "entries"))
        write_to_host(office, datetime.now(UTC))


@click.command("extend")
@desk_option
@click.argument("game")
@click.argument("hours", type=click.IntRange(min=1))
@click.option("--side", help="Only this side.")
@click.option("--reason", default="", help="The reason, which the letters to the players say.")
def extend_command(folder: Path, game: str, hours: int, side: str | None, reason: str) -> None:
    """Give a side, or all who owe a move, more time.

    HOURS are added to the time for the move in GAME.
    """
    from referee.desk.log.acts import Extend

    def said(office: Office, answer: Answer) -> str:
        state = office.desk.state(game)
        deadlines = (f"{one} {_deadline(state, one)}" for one in answer.data["sides"])
        return f"{counted(hours, 'more hour', 'more hours')}: {', '.join(deadlines)}"

    _order(folder, game, Extend(hours, side), said, reason)


def _deadline(state: State, side: str) -> str:
    from referee.mail.letters.format.language import moment

    due = state.clock.deadline(side)
    if due is None:
        return "has no deadline while its clock does not run"
    return f"until {moment(due.astimezone(state.clock.zone))}"


@click.command("pause")
@desk_option
@click.argument("game")
@click.option("--reason", default="", help="The reason, for the players.")
def pause_command(folder: Path, game: str, reason: str) -> None:
    """Stop all clocks of a game.

    Moves in GAME are still welcome.
    """
    from referee.desk.log.acts import Pause

    _order(folder, game, Pause(reason), "all clocks are stopped")


@click.command("resume")
@desk_option
@click.argument("game")
def resume_command(folder: Path, game: str) -> None:
    """Start the clocks of a game again."""
    from referee.desk.log.acts import Resume

    _order(folder, game, Resume(), "the clocks are running")


@click.command("adjudicate")
@desk_option
@click.argument("game")
@click.option("--against", "by", metavar="SIDE", help="The side that loses.")
@click.option("--draw", is_flag=True, help="The game is a draw.")
@click.option("--abandon", is_flag=True, help="End it without any decision.")
@click.option("--reason", default="", help="The reason, for the players.")
def adjudicate_command(folder: Path, game: str, by: str | None, draw: bool, abandon: bool, reason: str) -> None:
    """Decide a game against a side, or as a draw.

    GAME ends with exactly one of --against SIDE, --draw and --abandon.
    """
    from referee.desk import Close
    from referee.desk.law.summary import end_text
    from referee.desk.log.acts import Adjudicate

    if (by is not None) + draw + abandon != 1:
        raise click.UsageError("say how the game ends: --against SIDE, --draw, or --abandon for no decision at all")
    if abandon and reason:
        raise click.UsageError("--abandon cannot be combined with --reason")

    def said(office: Office, _: Answer) -> str:
        outcome = office.desk.state(game).outcome
        assert outcome is not None
        return end_text(outcome)

    _order(folder, game, Close() if abandon else Adjudicate(by, reason), said)


@click.command("reopen")
@desk_option
@click.argument("game")
@click.option("--reason", required=True, help="The reason, for the players.")
def reopen_command(folder: Path, game: str, reason: str) -> None:
    """Take back the end of a game; also called undo.

    GAME goes on after a wrong end, such as a timeout by a wrong clock. The end has revealed the sealed moves of the
    round, so all players make theirs again. An end by the moves themselves, by agreement or by a repetition stays,
    and so does one that has revealed the game's secret.
    """
    from referee.desk import Reopen

    _order(folder, game, Reopen(reason), "the game goes on")


@click.command("replace")
@desk_option
@click.argument("game")
@click.argument("side")
@click.argument("name")
@click.option("--address", help="The new player's; without it the side's address stays.")
@click.option("--key", metavar="KEY", help="The new player's public key, if they have one.")
@click.option("--old", metavar="SIGNATURE", help="The signature by which the former player's key gives the seat up.")
@click.option("--reason", default="", help="The reason, which the letters to the players say.")
def replace_command(
    folder: Path,
    game: str,
    side: str,
    name: str,
    address: str | None,
    key: str | None,
    old: str | None,
    reason: str,
) -> None:
    """Give a side to another player.

    NAME plays SIDE of GAME from now on; the former player's reply addresses are void. If SIDE has its own key, its
    player provides --old: the digits after `signed` that `referee sign ... 'key KEY'` prints, with 'key none' if the
    new player has no key. Without it, remove the key first with `drop-key`.
    """
    from referee.desk import Replace

    signature = old and "".join(old.split()).casefold()
    wanted = Replace(side, person_named(name), address, key and key.strip().casefold(), signature)
    where = f"at {address}" if address else "at the same address as before"
    try:
        _order(folder, game, wanted, f"{name} plays {side}, and gets letters {where}", reason)
    except Refusal as refusal:
        if refusal.code != "unsigned":
            raise
        raise _old_missing(folder, game, wanted) from None


def _old_missing(folder: Path, game: str, wanted: Replace) -> Refusal:
    """The refusal to replace a player with a key, with the host's possible ways."""
    from referee.desk.law.attestations import NO_KEY, command

    with office_at(folder) as office:
        sign = command(office.desk.state(game), wanted.side)
    message = (
        f"{wanted.side} has a key: its player runs the first of these commands and gives you the signature for "
        "--old, or you take the key away, with a reason for all players"
    )
    ways = f"{sign} 'key {wanted.key or NO_KEY}'", f"referee desk drop-key {game} {wanted.side} --reason 'why'"
    return Refusal("unsigned", message, suggestions=ways)


@click.command("drop-key")
@desk_option
@click.argument("game")
@click.argument("side")
@click.option("--reason", required=True, help="The reason, for the players.")
def drop_key_command(folder: Path, game: str, side: str, reason: str) -> None:
    """Take the key of a side away.

    This is for a player who has lost theirs. Anyone with the side's reply address can act for SIDE of GAME again.
    All players get a letter about it, and the log shows it permanently.
    """
    from referee.desk.log.acts import DropKey

    _order(folder, game, DropKey(side, reason), f"{side} no longer has a key")


@click.command("resend")
@desk_option
@click.argument("game")
@click.option("--side", help="Only this side.")
@click.option("--reason", default="", help="The reason, which the letters to the players say.")
def resend_command(folder: Path, game: str, side: str | None, reason: str) -> None:
    """Send players their last letter once more.

    The last letter to every side of GAME goes into the outbox again, with the same message id.
    """
    from referee.mail.host import host

    with office_at(folder) as office:
        sides = host.resend(office, game, side, datetime.now(UTC), reason=reason)
        players = office.desk.state(game).players
    letters = (f"{players[one]} ({one})" for one in sides)
    click.echo(f"{game}: in the outbox again for {visible(', '.join(letters)) or 'nobody'}")


@click.command("renew")
@desk_option
def renew_command(folder: Path) -> None:
    """Draw a new key, after a restore from a backup or a fail-over.

    All keys of seats are void, and every player gets a new one.
    """
    from referee.mail.host import host

    with office_at(folder) as office:
        letters = host.renew_key(office, datetime.now(UTC))
        click.echo(f"the desk has a new key; in the outbox: {counted(letters, 'letter', 'letters')} with it")
        say_foreseen(office)


def say_foreseen(office: Office) -> None:
    """Print the running games with engines whose seeds others may know, because a new key changes no seed."""
    states = office.desk.catalogue.each_running(office.desk.state)
    games = [state.id for state in states if state.engine_sides]
    if games:
        click.echo(
            f"{counted(len(games), 'running game has', 'running games have')} an engine; anyone with another copy of "
            f"the store, or who has seen such a game end, can predict its moves: {', '.join(games[:_NAMED])}"
            + (f" and {len(games) - _NAMED:,} more" if len(games) > _NAMED else "")
        )


@click.command("key")
@desk_option
@click.option("--new", is_flag=True, help="Draw a new key; every player gets a new reply address.")
@click.option("--reason", default="", help="The reason for the new key, for the logs and the players.")
def key_command(folder: Path, new: bool, reason: str) -> None:
    """Show the desk's public key, or draw a new one.

    With it anyone can check the desk's signatures on the log heads at the foot of letters. The old key signs the new
    one in the log of every running game.
    """
    from referee.mail.host import host
    from referee.mail.settings import FILE

    if new != bool(reason):
        raise click.UsageError("--new and --reason go together: players want to know why the desk has another key")
    with office_at(folder) as office:
        letters = host.renew_key(office, datetime.now(UTC), reason=reason) if new else 0
        key, named = office.desk.key.signer.public, office.settings.public_key
    click.echo(key)
    if new:
        click.echo(f"in the outbox: {counted(letters, 'letter', 'letters')} with new reply addresses")
    if named != key:
        click.echo(f"next: set public-key in {visible(str(folder / FILE))}")


@click.command("retry")
@desk_option
@click.argument("digests", metavar="[LETTER]...", nargs=-1)
def retry_command(folder: Path, digests: tuple[str, ...]) -> None:
    """Try again with letters that were set aside.

    Name each LETTER as `status` shows it, or none for all of them.
    """
    from referee.mail.host import host

    with office_at(folder) as office:
        number = host.retry(office, digests, datetime.now(UTC))
    click.echo(f"{counted(number, 'letter waits', 'letters wait')} again, for `serve` or `tick`")


@click.command("acknowledge")
@desk_option
@click.argument("digests", metavar="[LETTER]...", nargs=-1)
def acknowledge_command(folder: Path, digests: tuple[str, ...]) -> None:
    """Take filed and given-up letters off the status.

    Name each filed LETTER as `status` shows it; without a name, this is for all of them, and all given-up letters.
    Nothing is deleted: `letters` still lists them, and a seat that no letter reaches stays in the status.
    """
    from referee.mail.host import host

    with office_at(folder) as office:
        filed, given_up = host.acknowledge(office, digests, datetime.now(UTC))
    click.echo(f"acknowledged: {counted(filed, 'filed letter', 'filed letters')}, {given_up} given up")


def _order(
    folder: Path, game: str, wanted: Order, done: str | Callable[[Office, Answer], str], reason: str = ""
) -> None:
    from referee.mail.host import host

    say_on_stderr()
    with office_at(folder) as office:
        answer = host.order_by_host(office, game, wanted, datetime.now(UTC), reason=reason)
        said = done if isinstance(done, str) else done(office, answer)
    click.echo(f"{game}: {visible(said)}{' (as before)' if answer.repeated else '; the players are notified'}")
