"""`referee audit` and `seal`: commands for which nobody has to trust the host."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from referee.cli.candidates import files
from referee.cli.desk import desk_option, end_text, office_at
from referee.cli.screen import screen
from referee.desk import seals
from referee.desk.audit import Audit, audit
from referee.desk.events import THIRD
from referee.desk.log import GAME_ID, log_lines, read_lines
from referee.errors import RefereeError
from referee.game.document import standard_input
from referee.notation import parse_move
from referee.rules import GAMES, game_named
from referee.terminal import counted


@click.command("audit")
@desk_option
@click.argument("what", metavar="FILE|GAME", shell_complete=files)
@click.option("--head", metavar="DIGEST", help="The log head of a letter: the log must reach at least that far.")
@click.pass_context
def audit_command(context: click.Context, folder: Path, what: str, head: str | None) -> None:
    """Check a game's whole log: digests, commitments, every verdict.

    The log is the exported one in FILE, or that of GAME on a desk; `-` is the standard input. The audit computes
    digests and commitments anew, judges moves by the rules and times by the clock, and needs neither the desk nor
    its key.

    A log that was cut short is whole in itself. To notice that, compare it with a letter: give the "log head" at
    the letter's foot as --head.
    """
    with _lines(folder, what) as log:
        report = audit(log, _digest(head))
    pen = screen().pen(sys.stdout)
    for finding in report.findings:
        click.echo(finding.as_text(what, pen))
    state = report.state
    if state is not None:
        how = end_text(state.outcome) if state.outcome else "the game is running"
        plies = counted(len(state.plies), "ply", "plies")
        click.echo(f"{state.id}: {_held(report)}, {plies}; {how}; head {state.head}")
        if state.log < THIRD:
            click.echo(f"the log has version {state.log}, in which no desk begins a game any more")
    if report.behind is not None:
        more = counted(report.behind, "entry", "entries") if report.behind else "no entry"
        click.echo(f"the letter's log head is in the log, and {more} came later")
    context.exit(1 if report.findings else 0)


def _held(report: Audit) -> str:
    """How much of a log is valid; one with findings is not, however far its game could be followed."""
    if report.findings:
        first = report.findings[0].line
        return f"this log is NOT valid: line {first} is the first that is wrong"
    return counted(report.entries, "entry is valid", "entries are valid")


def _digest(text: str | None, option: str = "--head") -> str | None:
    """A digest as a log has it; a usage error if it is not one."""
    digest = text and seals.digits(text)
    if text is not None and not digest:
        raise click.BadParameter("expected the 64 hexadecimal digits of a log head", param_hint=option)
    return digest


def _past(opening: str | None, head: str | None) -> seals.Past | None:
    """What a seal acknowledges; None in a game whose letters show nothing of the kind."""
    first, last = _digest(opening, "--opening"), _digest(head)
    if first is None or last is None:
        if first != last:
            raise click.UsageError("--opening and --head go together: copy both from the letter")
        return None
    return seals.Past(first, last)


@contextmanager
def _lines(folder: Path, what: str) -> Iterator[Iterable[str]]:
    """The lines of a file; or, if there is no such file, of the log of a game on the desk."""
    if what == "-":
        yield log_lines(standard_input(), what)
    elif Path(what).exists() or "/" in what or "." in what:
        with read_lines(Path(what)) as found:
            yield found
    else:
        with office_at(folder) as office:
            office.desk.state(what)
            yield (entry.as_line() for entry in office.store.log(what))


@click.command("seal")
@click.argument("game_id", metavar="GAME")
@click.argument("ply", type=click.IntRange(min=1))
@click.argument("side")
@click.argument("move", required=False)
@click.option(
    "--rules", default=f"{GAMES[0]} 1", show_default=True, help="Name and version of the rules, as in letters."
)
@click.option("--opening", metavar="DIGEST", help="The digest of the log's first entry, as in letters.")
@click.option("--head", metavar="DIGEST", help="The digest of the entry with which the ply began, as in letters.")
@click.option("--nonce", help="64 hexadecimal digits, if you have drawn your own.")
def seal_command(
    game_id: str,
    ply: int,
    side: str,
    move: str | None,
    rules: str,
    opening: str | None,
    head: str | None,
    nonce: str | None,
) -> None:
    """Seal a move on your own machine.

    This turns a move for a ply of GAME into a commitment, which tells nothing about the move and binds you to it.
    Each letter shows the whole command: a seal belongs to one beginning of one ply, which --opening and --head name.
    Only games whose letters show neither are sealed without them.

    Send the first line that is printed, and keep the second one to yourself until you are asked for it. Without
    MOVE you are asked for the move, so that it stays out of your shell's history.
    """
    if not GAME_ID.fullmatch(game_id):
        raise click.UsageError(f"GAME is the game's id as in letters, such as spring-7; not {game_id!r}")
    name, _, version = rules.partition(" ")
    description = game_named(name)
    if version not in map(str, description.versions):
        raise click.UsageError(f"--rules is a name and a version, such as '{name} {description.versions[-1]}'")
    if side not in description.sides:
        raise click.UsageError(f"there is no side {side!r}; the sides are: {', '.join(description.sides)}")
    text = str(parse_move(name, click.prompt("Your move", err=True) if move is None else move))
    drawn = seals.draw_nonce().hex() if nonce is None else seals.digits(nonce)
    if drawn is None:
        raise RefereeError("no-nonce", "expected a nonce of 64 hexadecimal digits")
    past = _past(opening, head)
    click.echo(f"seal {seals.commitment(game_id, ply, side, rules, text, bytes.fromhex(drawn), past)}")
    click.echo(f"reveal {text} {drawn}")
