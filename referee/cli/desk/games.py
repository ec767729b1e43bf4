"""`referee desk init`, `open`, `status`, `log`, `export`, `clock`: open games and show them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from referee.cli.desk import desk_option, office_at, person_named, taken_lines
from referee.cli.shell.candidates import games_or_files, no_game
from referee.cli.shell.parameters import setting_option
from referee.rules import all_games, game_fault, game_named
from referee.terminal import counted, visible, visible_json, visible_lines

if TYPE_CHECKING:
    from referee.desk.glances import Glance
    from referee.game import GameFile
    from referee.mail.host.nondelivery import Undelivered

_ENGINE = re.compile(r"(?P<side>[^=\s]+)=\s*(?:engine(?::(?P<level>\w+))?|(?P<program>program))\s*")
_PLAYER = re.compile(r"(?P<side>[^=\s]+)=\s*(?P<name>[^<>]*[^<>\s])\s*<(?P<email>[^<>\s]+)>\s*")
_LETTERS = {"waiting": "letters waiting", "aside": "set aside", "to-send": "to be sent", "unsent": "given up"}


@click.command("init")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--address", required=True, help="The address that players write to, such as desk@example.org.")
@click.option("--store", default="desk.sqlite", show_default=True, help="A file in the folder, or postgresql://...")
def init_command(folder: Path, address: str, store: str) -> None:
    """Create a desk in a folder.

    DIR gets the settings, commented, and the store.
    """
    from referee.mail.office import create_office
    from referee.mail.settings import read_settings

    path = create_office(folder, address, store)
    click.echo(f"{visible(str(path))}: the settings of the desk; please look through them")
    click.echo(f"public key: {read_settings(path).public_key}")


@click.command("open")
@desk_option
@click.argument("what", metavar="GAME|FILE", shell_complete=games_or_files)
@click.option(
    "--id", "name", help="The game's id: small letters, digits, hyphens. [default: the file's, or a new one]"
)
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="SIDE=NAME <ADDRESS>",
    help="The player of a side, or SIDE=engine:LEVEL for an engine (SIDE=engine: casual), or SIDE=program for the "
    "program of the settings; give one for each side.",
)
@setting_option("An option of the game.")
@click.option(
    "--clock",
    "terms",
    multiple=True,
    metavar="KEY=VALUE",
    help="A term of the clock, such as days=5, bank=48 or timeout=loss.",
)
@click.option("--no-clock", is_flag=True, help="Play without deadlines.")
@click.option(
    "--secret", type=click.Path(path_type=Path), help="A file with the secret that the game's file commits to."
)
def open_command(
    folder: Path,
    what: str,
    name: str | None,
    players: tuple[str, ...],
    options: tuple[str, ...],
    terms: tuple[str, ...],
    no_clock: bool,
    secret: Path | None,
) -> None:
    """Open a game and invite its players.

    The game is a name, as `referee new` lists them, or a game file, whose moves are kept.
    """
    from referee.cli.shell.options import game_options
    from referee.desk import Terms
    from referee.engine.levels import PROGRAM_LEVEL, USUAL_LEVEL, level_of
    from referee.game import decode_utf8, read_bytes
    from referee.mail.host.host import open_game, several_seats

    if no_clock and terms:
        raise click.UsageError("--clock and --no-clock cannot be combined")
    asked = [found for found in map(_ENGINE.fullmatch, players) if found]
    engines = {
        found["side"]: PROGRAM_LEVEL if found["program"] else level_of(found["level"] or USUAL_LEVEL).number
        for found in asked
    }
    people = (player for player in players if not _ENGINE.fullmatch(player))
    seats = {found["side"]: found for found in map(_player, people)}
    with office_at(folder) as office:
        game = _game(what, game_options(options), {side: found["name"] for side, found in seats.items()})
        state = open_game(
            office,
            name or game.id or _new_id(game.game, office.desk.catalogue.ids()),
            game,
            datetime.now(UTC),
            terms=None if no_clock else Terms.read({**office.settings.clock, **game_options(terms)}),
            addresses={side: found["email"] for side, found in seats.items()},
            secret=decode_utf8(read_bytes(secret), str(secret)).strip() if secret else None,
            engines=engines,
        )
        shared = several_seats(office, state.id)
    for sides in shared:
        click.echo(f"note: one person has the seats {' and '.join(sides)}")
    number = counted(len(state.players) - len(state.engines), "letter is", "letters are")
    click.echo(f"{state.id}: the game is open, and {number} in the outbox")


@click.command("status")
@desk_option
@click.argument("names", nargs=-1, metavar="[GAME]...")
@click.option("--all", "all_", is_flag=True, help="Show games that are over, too.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def status_command(folder: Path, names: tuple[str, ...], all_: bool, form: str) -> None:
    """Show the running games, and the duties of the host.

    The output has, for every running game, the round, the duties and deadlines; then the letters that need the host.
    A seat whose address the mail server refuses is shown with the reason.
    """
    from referee.desk import write_time
    from referee.desk.glances import glance_of
    from referee.mail.host.nondelivery import undelivered
    from referee.mail.office import FILED_KINDS

    with office_at(folder) as office:
        at = datetime.now(UTC)
        counts, aside = office.desk.upkeep.counts(), office.desk.inbox.aside()
        filed = office.desk.inbox.filed(FILED_KINDS)
        catalogue, given_up = office.desk.catalogue, set(office.desk.outbox.games_given_up())

        def unreached(game: str) -> Sequence[Undelivered]:
            return undelivered(office, game, at) if game in given_up else ()

        if form == "json":
            from referee.desk import public

            def shown(name: str) -> tuple[dict[str, Any], Sequence[Undelivered]]:
                return public(office.desk.state(name), at), unreached(name)

            found = [*(map(shown, names) if names else catalogue.each(catalogue.ids(running=not all_), shown))]
            seen = {
                "games": [one for one, _ in found],
                "letters": counts,
                "aside": [
                    {"letter": letter.digest, "received": write_time(letter.received), "note": note}
                    for letter, note in aside
                ],
                "filed": [{"letter": digest, "note": note} for digest, note in filed],
                "undelivered": [one._asdict() for _, refused in found for one in refused],
            }
            click.echo(visible_json(seen, indent=2))
            return
        named = [glance_of(office.desk.state(name)) for name in names]
        glances = named or office.desk.games.glances(running=not all_)
        lines = [visible(f"{one.code}: {one.message}") for one in catalogue.unplayable()]
        for glance in glances:
            if game_fault(glance.game) is not None:
                continue
            lines.append(visible_lines("\n".join(_standing(glance, at))))
            for one in unreached(glance.id):
                lines.append(visible(f"  NOT DELIVERED to {one.side}, {one.address}: {one.reason}"))
        click.echo("".join(f"{line}\n" for line in lines), nl=False)
        click.echo(", ".join(f"{number} {_LETTERS[kind]}" for kind, number in counts.items()))
        click.echo("".join(f"{line}\n" for line in taken_lines(office, at)), nl=False)
        for letter, note in aside:
            click.echo(
                f"set aside: letter {letter.digest[:12]} of {letter.received:%Y-%m-%d %H:%M} UTC: {visible(note)}"
            )
        for digest, note in filed:
            click.echo(f"filed: letter {digest[:12]}: {visible(note)}")


@click.command("log")
@desk_option
@click.argument("name", metavar="GAME")
def log_command(folder: Path, name: str) -> None:
    """Print a game's log.

    The log of GAME is one JSON object a line, without any secret; spec/log.md describes it.
    """
    with office_at(folder) as office:
        office.desk.state(name)
        for entry in office.desk.log(name):
            click.echo(entry.as_line())


@click.command("export")
@desk_option
@click.argument("name", metavar="GAME")
@click.option("--format", "form", type=click.Choice(["yaml", "json", "log"]), default="yaml", show_default=True)
def export_command(folder: Path, name: str, form: str) -> None:
    """Print a game as a game file.

    The file has the moves of GAME up to now, without sealed moves and addresses.
    """
    from referee.game import dumps, to_json

    with office_at(folder) as office:
        file = office.desk.state(name).as_file()
        if form == "log":
            text = "".join(f"{entry.as_line()}\n" for entry in office.desk.log(name))
        else:
            text = dumps(file) if form == "yaml" else to_json(file)
    click.echo(text, nl=not text.endswith("\n"))


@click.command("clock")
@desk_option
@click.argument("name", metavar="GAME")
@click.option(
    "--at", "when", metavar="TIME", help="Such as 2027-03-08T12:00 (in UTC unless it names a zone). [default: now]"
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def clock_command(folder: Path, name: str, when: str | None, form: str) -> None:
    """Show the clocks of a game, now or at another time.

    The clock of every side of GAME follows from the log alone.
    """
    from referee.desk import clock
    from referee.mail.letters.format.language import moment, span

    with office_at(folder) as office:
        state = office.desk.state(name)
        at = datetime.now(UTC) if when is None else _time(when)
        times = clock(office.desk.log(name), at)
        for side in (side for side in state.position.sides if side in times):
            time = times[side]
            if form == "json":
                until = time.deadline.isoformat(timespec="seconds") if time.deadline else None
                bank = int(time.bank.total_seconds())
                click.echo(json.dumps({"side": side, **asdict(time), "deadline": until, "bank": bank}))
                continue
            said = [f"until {moment(time.deadline)}" if time.deadline else "no deadline now"]
            said += ["overdue"] if time.overdue else []
            said += ["on vacation"] if time.away else []
            said.append(f"bank {span(time.bank)}" if time.bank else "no bank")
            click.echo(f"{side:8}{'; '.join([*said, f'{time.vacation} days of vacation left'])}")


def _player(text: str) -> dict[str, str]:
    found = _PLAYER.fullmatch(text)
    if found is None:
        raise click.UsageError(
            "a player is SIDE=NAME <ADDRESS>, such as 'south=Ada Lovelace <ada@example.org>', or SIDE=engine:LEVEL, "
            f"not {text!r}"
        )
    person_named(found["name"])
    return found.groupdict()


def _game(what: str, options: dict[str, Any], players: dict[str, str]) -> GameFile:
    """The game of a name, or of a file with its own options."""
    from referee.game import GameFile, Player, read

    if what in all_games():
        game = GameFile(what, options=options)
        game.start()
    elif options:
        raise click.UsageError("--option is for the name of a game; a file has its own options")
    elif not {".", "/"} & set(what) and not Path(what).exists():
        raise click.UsageError(no_game(what))
    else:
        game = read(what)
    named = {side: replace(game.players.get(side, Player(name)), name=name) for side, name in players.items()}
    if unknown := set(players) - set(game.description.sides):
        raise click.UsageError(
            f"there is no side {min(unknown)!r}; the sides are: {', '.join(game.description.sides)}"
        )
    return replace(game, players={**game.players, **named})


def _new_id(game: str, taken: list[str]) -> str:
    return next(name for number in range(1, len(taken) + 2) if (name := f"{game}-{number}") not in taken)


def _standing(glance: Glance, at: datetime) -> list[str]:
    from referee.desk.law.summary import end_text
    from referee.desk.log.terms import zone_named
    from referee.mail.letters.format.language import moment

    waits = "waits for a player to join" if glance.open else "waits for answers"
    stands = waits if glance.invited else f"round {glance.round}"
    ended = end_text(glance.outcome) if glance.outcome else stands
    title = game_named(glance.game).title
    lines = [f"{glance.id}  {title}, {ended}{', clocks stopped' if glance.paused else ''}"]
    for side, seat in glance.seats.items():
        late = ", OVERDUE" if seat.overdue(at) else ""
        key = f", signs with {seat.key[:12]}" if seat.key else ""
        who = "open to anyone" if seat.player is None else f"{seat.player}: {seat.standing.replace('-', ' ')}"
        # The deadline of a move is in the zone of the game's clock, that of an answer to an invitation is not.
        due = seat.due.astimezone(zone_named(glance.zone)) if seat.due and seat.deadline else seat.due
        until = f", until {moment(due)}" if due else ""
        lines.append(f"  {side:6} {who}{until}{late}{key}")
    return lines


def _time(text: str) -> datetime:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise click.BadParameter(
            f"expected a time such as 2027-03-08T12:00, not {text!r}", param_hint="--at"
        ) from None
    return at.replace(tzinfo=at.tzinfo or UTC)
