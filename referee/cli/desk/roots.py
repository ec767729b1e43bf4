"""`referee desk root` and `referee proof`: prove the state of a game at the end of a day, without a desk."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.cli.desk import desk_option, office_at
from referee.cli.desk.histories import named, read_history
from referee.cli.shell.candidates import files
from referee.errors import Refusal
from referee.terminal import counted

if TYPE_CHECKING:
    from referee.desk.log.roots import Inclusion

_output = click.option("-o", "--output", type=click.Path(path_type=Path), help="The new file.")
_day = click.option(
    "--date", "day", type=click.DateTime(["%Y-%m-%d"]), metavar="DATE", help="A day in UTC, such as 2027-03-01."
)


@click.command("root")
@desk_option
@_day
@_output
def root_command(folder: Path, day: datetime | None, output: Path | None) -> None:
    """Print the line that binds the heads of all games at the end of a day.

    The day is the last one in UTC that is over, or that of --date. A root is made once and never changes; `serve` and
    `tick` make that of each day after midnight. Publish it for the players, or write it into a file with --output and
    `stamp` that: then a log made later than that day cannot pass for older. `referee proof GAME` proves that a game
    is in it.
    """
    from referee.cli.shell.output import create
    from referee.desk.log.roots import last_day

    at = datetime.now(UTC)
    with office_at(folder) as office:
        root = office.desk.days.root(day.date() if day else last_day(at), at)
    if output is not None:
        create(output, f"{root}\n")
    click.echo(str(root))


@click.command("proof")
@desk_option
@click.argument("what", metavar="GAME|FILE", shell_complete=files)
@click.argument("history", metavar="[LOG|LETTER|LINE]", required=False, shell_complete=files)
@_day
@click.option("--root", "line", metavar="LINE", help="The root as it was published: the proof must lead to this one.")
@_output
def proof_command(
    folder: Path,
    what: str,
    history: str | None,
    day: datetime | None,
    line: str | None,
    output: Path | None,
) -> int:
    """Prove, or check, that a day's root covers a game.

    For a GAME on a desk this prints a proof, for the newest root or that of --date. For a FILE with a proof it needs
    no desk: it checks that the proof leads from the game's log head to the root, that this is the one of --root, and
    that your log, letter, or line of a letter shows the same head. Exit status: 0 all holds; 1 something contradicts.
    """
    from referee.cli.shell.output import create
    from referee.desk.log.roots import read_inclusion
    from referee.game import decode_utf8, read_input

    if what != "-" and not Path(what).exists() and "/" not in what and "." not in what:
        if history is not None or line is not None:
            raise click.UsageError("a proof is checked from its file: --output writes one")
        with office_at(folder) as office:
            office.desk.state(what)
            text = f"{office.desk.days.inclusion(what, day and day.date())}\n"
        create(output, text)
        return 0
    if day is not None or output is not None:
        raise click.UsageError("--date and --output are for a GAME on a desk")
    return _checked(read_inclusion(decode_utf8(read_input(what), what)), line, history)


def _checked(proof: Inclusion, line: str | None, history: str | None) -> int:
    """Print the check of a proof against its root, the published one, and the user's history; return the status."""
    from referee.desk.log.roots import read_root

    root = proof.root if line is None else read_root(line)
    click.echo(f"{proof.head}\n{proof.root}")
    if not proof.holds or root != proof.root:
        which = "the root that was published" if proof.holds else "its root"
        click.echo(f"this proof does NOT lead to {which}")
        return 1
    games = counted(root.games, "game", "games")
    click.echo(f"the head is under the root of {root.day}, which covers {games}")
    if history is None:
        return 0
    held, head = read_history(history), proof.head
    name = named(history)
    if head.game not in held.games:
        raise Refusal("other-game", f"{name} is not of {head.game}")
    digest = held.of(head.game).at(head.number)
    if digest is None:
        raise Refusal("no-heads", f"{name} does not show entry {head.number}: a log that reaches it does")
    same = digest == head.digest
    click.echo(f"entry {head.number} is {'the same' if same else 'ANOTHER one'} in {name}")
    return 0 if same else 1
