"""`referee duel`: two players and no server; each keeps a file, and texts go from one to the other."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from referee.archives.files.compression import STANDARD
from referee.cli.shell.errors import WRONG
from referee.cli.shell.groups import CommandGroup
from referee.cli.shell.options import game_options
from referee.cli.shell.output import create
from referee.cli.shell.parameters import game_argument, output_option, setting_option
from referee.cli.shell.screen import screen
from referee.desk import acts
from referee.duel import status
from referee.duel.exchange import DuelRemark, Weight
from referee.duel.player import Duel, DuelReading, Intention, join_duel, open_duel, read_paste, respond, speak
from referee.duel.state_file import LARGEST_STATE, duel_from, state_text
from referee.duel.transcript import duel_game, read_transcript, transcript
from referee.errors import Finding, Refusal
from referee.game import decode_utf8, dumps, read_bytes, read_input
from referee.game.amend.gate import create_private, locked, replace_content
from referee.mail.intake.grammar import parse_line
from referee.rules import game_named
from referee.terminal import visible, visible_lines

_file = click.argument("file", type=click.Path(path_type=Path))
_name = click.option("--name", default="", help="Your name, for the other player and the game file.")
_new_file = click.option(
    "-o", "--output", "file", required=True, type=click.Path(path_type=Path), help="The new file, for your eyes only."
)


@click.group("duel", cls=CommandGroup)
def duel_group() -> None:
    """Play with a friend by messages alone.

    There is no server. Each player has their own file, and sends the printed texts by any messenger or by mail. Moves
    that are made at once are sealed, and each program checks all messages of the other side.
    """


@duel_group.command("new")
@game_argument
@setting_option("An option of the game.")
@click.option("--side", help="The side that you play.  [default: the first one]")
@_name
@_new_file
def new_duel(game: str, options: tuple[str, ...], side: str | None, name: str, file: Path) -> None:
    """Open a game, and print the text that invites the other.

    The first player who joins plays the other side. FILE must not exist. It contains your secrets: without it you
    cannot go on. Options that are `flip` are decided by a coin.
    """
    description, given = game_named(game), game_options(options)
    chosen = {**given, **description.flips(given)}
    made = open_duel(game, chosen, side or description.sides[0], secrets.token_bytes(32), name)
    create_private(file, state_text(made).encode())
    click.echo(status.text_to_send(made), nl=False)


@duel_group.command("join")
@click.argument("text", default=STANDARD)
@_name
@_new_file
def join_text(text: str, name: str, file: Path) -> int:
    """Take the other side of a game.

    TEXT is the file with the text that opens it; - is the standard input. If it is your move, your move joins.
    """
    reading = join_duel(_read(text), secrets.token_bytes(32), name)
    answered = respond(reading.duel)
    create_private(file, state_text(answered).encode())
    return _tell(text, reading, answered)


@duel_group.command("read")
@_file
@click.argument("text", default=STANDARD)
def read_messages(file: Path, text: str) -> int:
    """Read what the other side has sent.

    TEXT is a file with one or more messages, and any text around them; - is the standard input. An answer without a
    decision, such as the reveal of your last sealed move, is printed.
    """
    pasted = _read(text)
    with _changed(file) as change:
        reading = read_paste(change.before, pasted)
        change.after = respond(reading.duel)
    return _tell(text, reading, change.after)


@duel_group.command("play")
@_file
@click.argument("lines", nargs=-1, metavar="[LINE]...")
def play_lines(file: Path, lines: tuple[str, ...]) -> None:
    """Make a move, and print the text to send.

    Each LINE is a move, `offer draw`, `accept`, `resign` or `claim repetition`. A move that has to be secret is
    sealed. Without LINE this reveals your sealed move before you make the next one, or joins.
    """
    with _changed(file) as change:
        wishes = [_wish(line) for line in lines]
        change.after = speak(change.before, wishes)
    click.echo(status.text_to_send(change.after), nl=False)


@duel_group.command("again")
@_file
@click.option("--link", "page", metavar="ADDRESS", help="Print a link to the referee page at this address instead.")
def print_again(file: Path, page: str | None) -> None:
    """Print the text to send once more.

    It has every message that the other side has not acknowledged, in case one of your texts was lost.
    """
    here = _duel(file)
    if not here.unread:
        raise Refusal("nothing-to-say", "you have said nothing yet: make your move, or join with 'play' alone")
    if page is None:
        click.echo(status.text_to_send(here), nl=False)
    else:
        click.echo(status.link_to_send(here, page))


@duel_group.command("show")
@_file
def show_duel(file: Path) -> None:
    """Show the board, and the duties of both players."""
    here = _duel(file)
    board = status.last_position(here).text(here.side)
    screen().page([visible_lines(board), "", *map(visible, status.standing(here))])


@duel_group.command("export")
@_file
@output_option("The new file.")
@click.option("--messages", is_flag=True, help="All messages instead, for `referee duel check`.")
def export_duel(file: Path, output: Path | None, messages: bool) -> None:
    """Write the game file, or all messages.

    Neither has a secret: sealed moves stay sealed, and your key stays in FILE.
    """
    exchange = _duel(file).exchange
    create(output, transcript(exchange) if messages else dumps(duel_game(exchange)))


@duel_group.command("check")
@click.argument("text", default=STANDARD)
def check_messages(text: str) -> int:
    """Judge all messages of a game, without any secret.

    TEXT is a file with the messages that `export --messages` wrote, in any order; - is the standard input. A reported
    cheat is proved by the cheat's own signature.
    """
    taken = read_transcript(_read(text))
    _echo_remarks(text, taken.remarks)
    for line in status.transcript_lines(taken):
        click.echo(visible(line))
    return 0 if status.is_clean(taken) else WRONG


class _Change:
    """A duel before and after a command."""

    def __init__(self, before: Duel) -> None:
        self.before = self.after = before


@contextmanager
def _changed(file: Path) -> Iterator[_Change]:
    """A duel whose file is locked, and is rewritten before anything is printed."""
    file = Path(os.path.realpath(file))
    with locked(file):
        change = _Change(_duel(file))
        yield change
        if change.after != change.before:
            replace_content(file, state_text(change.after).encode())


def _duel(file: Path) -> Duel:
    return duel_from(decode_utf8(read_bytes(file, LARGEST_STATE), str(file)), str(file))


def _read(text: str) -> str:
    return decode_utf8(read_input(text), text)


def _wish(line: str) -> Intention:
    """The wish of a line, which is a move unless it is a command."""
    said = parse_line(line.strip(), None)
    act = said[0] if isinstance(said, tuple) and len(said) == 1 else None
    match act:
        case acts.Resign() | acts.OfferDraw() | acts.Claim():
            return act
        case acts.Accept():
            return acts.Accept()
        case _:
            return acts.MakeMove(line)


def _tell(text: str, reading: DuelReading, after: Duel) -> int:
    """Print what was read, the state of the game, and a new text to send, if any; return the exit status."""
    _echo_remarks(text, status.worthwhile_remarks(reading))
    for line in status.reading_lines(reading):
        click.echo(line)
    for line in status.standing(after):
        click.echo(visible(line))
    if after != reading.duel:
        click.echo(f"\n{status.text_to_send(after)}", nl=False)
    return WRONG if any(one.weight is not Weight.NOTE for one in reading.remarks) else 0


def _echo_remarks(text: str, remarks: Iterable[DuelRemark]) -> None:
    pen = screen().pen(sys.stdout)
    for one in remarks:
        click.echo(Finding(one.code, one.message, one.line).as_text(text, pen))
