"""`referee audit`, `seal` and `sign`: commands that need no trust in the host."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.cli.desk import desk_option, office_at
from referee.cli.desk.histories import letter_files
from referee.cli.shell.candidates import files
from referee.cli.shell.errors import wrong_usage
from referee.cli.shell.screen import asked, screen
from referee.errors import NotationError, RefereeError, Refusal
from referee.rules import GAMES

if TYPE_CHECKING:
    from referee.desk import Act, Signer
    from referee.mail.evidence.signers import Keys


@click.command("audit")
@desk_option
@click.argument("what", metavar="FILE|GAME", shell_complete=files)
@click.option("--head", metavar="HEAD", help="The log head of a letter: the log must reach at least that far.")
@click.option(
    "--heads",
    "feet",
    multiple=True,
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="A letter, a mailbox, a folder of letters, or lines `GAME NUMBER DIGEST`; give it as often as you like. "
    "Every log head of this game that the desk has signed, or that you wrote down, must be in the log.",
)
@click.option(
    "--letters",
    "mailboxes",
    multiple=True,
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="Letters as `desk letters --export` writes them, or a folder of letters; give it as often as you like. "
    "Every act must be in its letter.",
)
@click.option(
    "--strict",
    is_flag=True,
    help="An act of a player is an error if no signed letter of --letters and no key of theirs shows it. So is a log "
    "head that is not in the log, in a letter that calls itself the desk's, whether signed or not.",
)
@click.option(
    "--keys",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The keys by which these letters are signed. [default: PATH.keys]",
)
def audit_command(
    folder: Path,
    what: str,
    head: str | None,
    feet: tuple[Path, ...],
    mailboxes: tuple[Path, ...],
    strict: bool,
    keys: Path | None,
) -> int:
    """Check a game's whole log: digests, commitments, every verdict.

    The log is the exported one in FILE, or that of GAME on a desk; `-` is the standard input. The audit recomputes
    digests and commitments, judges moves by the rules and times by the clock, and needs neither the desk nor its key.

    A log that was cut short, or made for you alone, has no fault in itself. To notice that, compare it with letters:
    give the "log head" at the foot of one as --head, or your letters as --heads. A head in a letter counts if the
    desk's key has signed it, or the provider of the desk's address the letter.

    A host could invent acts of a player. --letters reads the letters with the acts, lists missing ones, and reports
    who has signed the others, by the keys next to them; letters from the desk may be among them, and are used as with
    --heads.
    """
    if (keys is not None or strict) and not (mailboxes or feet):
        raise click.UsageError("--keys and --strict are for the letters of --letters and --heads")
    from referee.cli.shell.output import progress
    from referee.desk import audit
    from referee.desk.law.summary import audit_lines
    from referee.desk.proof.seat_terms import head_of

    with wrong_usage(Refusal):
        known = head_of(head or "")
    pen = screen().pen(sys.stdout)
    gauge = partial(progress, label="making the engines' moves again")
    with _lines(folder, what) as log:
        if mailboxes or feet:
            from referee.game import read_bytes
            from referee.mail.evidence.evidence import LetterEvidence
            from referee.mail.evidence.mailboxes import LARGEST_MAILBOX
            from referee.mail.evidence.testimony import audit_letters, shown_heads

            records = _keys([*feet, *mailboxes], keys)
            shown = {str(path): shown_heads(map(read_bytes, _letters([path])), str(path), records) for path in feet}
            contents = (read_bytes(file, LARGEST_MAILBOX) for file in _letters(mailboxes))
            witness = LetterEvidence(contents, records) if mailboxes else None
            found = audit_letters(
                log, what, head=known, shown=shown, witness=witness, strict=strict, pen=pen, gauge=gauge
            )
            lines, failed = found.lines, found.failed
        else:
            report = audit(log, known, gauge=gauge)
            lines, failed = tuple(audit_lines(report, what, pen=pen)), bool(report.findings)
    for line in lines:
        click.echo(line)
    return int(failed)


def _letters(paths: Iterable[Path]) -> list[Path]:
    from referee.mail.evidence.signers import BESIDE

    return list(dict.fromkeys(file for path in paths for file in letter_files(path) if file.suffix != BESIDE))


def _keys(paths: Sequence[Path], named: Path | None) -> Keys:
    """The keys of letters, by default from the files next to them or among them."""
    from referee.game import read_bytes
    from referee.mail.evidence.signers import BESIDE, read_keys

    beside = {file for one in _letters(paths) if (file := one.with_name(f"{one.name}{BESIDE}")).exists()}
    among = {file for path in paths for file in letter_files(path) if file.suffix == BESIDE}
    sources = [named] if named is not None else sorted(beside | among)
    return read_keys((str(file), read_bytes(file)) for file in sources)


@contextmanager
def _lines(folder: Path, what: str) -> Iterator[Iterable[str]]:
    """The lines of a file; or, if there is no such file, of the log of a game on the desk."""
    from referee.desk import log_lines
    from referee.desk.log.log import read_lines
    from referee.game.file.document import standard_input

    if what == "-":
        yield log_lines(standard_input(), what)
    elif Path(what).exists() or "/" in what or "." in what:
        with read_lines(Path(what)) as found:
            yield found
    else:
        with office_at(folder) as office:
            office.desk.state(what)
            yield (entry.as_line() for entry in office.desk.log(what))


_game = click.argument("game_id", metavar="GAME")
_ply = click.argument("ply", type=click.IntRange(min=1))
_side = click.argument("side")
_rules = click.option(
    "--rules", default=f"{GAMES[0]} 1", show_default=True, help="Name and version of the rules, as in letters."
)
_opening = click.option("--opening", metavar="DIGEST", help="The digest of the log's first entry, as in letters.")
_head = click.option(
    "--head", metavar="DIGEST", help="The digest of the entry with which the ply began, as in letters."
)


@click.command("seal")
@_game
@_ply
@_side
@click.argument("move", required=False)
@_rules
@_opening
@_head
@click.option("--nonce", help="64 hexadecimal digits, if you have drawn your own.")
@click.option("--ahead", metavar="PLY", type=click.IntRange(min=2), help="Seal your move of this later ply now.")
@click.option("--sign", "key", metavar="FILE", type=click.Path(path_type=Path), help="Sign both lines with this key.")
def seal_command(
    game_id: str,
    ply: int,
    side: str,
    move: str | None,
    rules: str,
    opening: str | None,
    head: str | None,
    nonce: str | None,
    ahead: int | None,
    key: Path | None,
) -> None:
    """Seal a move on your own machine.

    This turns a move for a ply of GAME into a commitment, which hides the move and binds you to it. A desk answers
    `seal` with the whole command: a seal belongs to one beginning of one ply, which --opening and --head name. Leave
    them out only if the desk names neither.

    Send the first printed line, and keep the second one secret until you are asked for it. Without MOVE the command
    asks for the move, so that it stays out of your shell's history.

    If your seat has a key, --sign prints each of the two lines with its signature below it: send both, and keep both.
    The line that reveals a move sealed --ahead is signed with `referee sign` when it is due.
    """
    from referee.desk import act_text
    from referee.desk.log import seals
    from referee.desk.proof import private_keys
    from referee.desk.proof.seat_terms import expect_seat, seat_past
    from referee.notation.moves import parse_move

    with wrong_usage(Refusal):
        name, past = expect_seat(game_id, side, rules), seat_past(opening or "", head or "")
    signer = None if key is None else private_keys.read_key(key)
    text = str(parse_move(name, asked("Your move") if move is None else move))
    drawn = seals.draw_nonce().hex() if nonce is None else seals.digits(nonce)
    if drawn is None:
        raise RefereeError("no-nonce", "expected a nonce of 64 hexadecimal digits")
    if signer is not None and past is None:
        raise click.UsageError("--sign needs --opening and --head: copy both from the letter")
    sealed, revealed = seals.seal_lines(game_id, ahead or ply, side, rules, text, bytes.fromhex(drawn), past)
    for line in (sealed if ahead is None else sealed.replace(" ", f" {ahead} ", 1), revealed):
        click.echo(line)
        if signer is not None and past is not None and (ahead is None or line is not revealed):
            _echo_signature(signer, act_text(game_id, past, ply, side, line))


@click.command("sign")
@_game
@_ply
@_side
@click.argument("line", required=False)
@click.option(
    "--key",
    "file",
    type=click.Path(path_type=Path),
    default="referee.key",
    envvar="REFEREE_KEY",
    show_default=True,
    metavar="FILE",
    help="The file of your key; REFEREE_KEY can name another one.",
)
@_rules
@_opening
@_head
def sign_command(
    game_id: str,
    ply: int,
    side: str,
    line: str | None,
    file: Path,
    rules: str,
    opening: str | None,
    head: str | None,
) -> None:
    """Sign a move, or another line of a letter, with your own key.

    Each letter to a seat with a key shows the whole command: a signature belongs to one ply of GAME. LINE is a move,
    `resign`, `offer draw`, `accept`, `claim timeout`, `abort`, `reveal` with what you keep, `accept with key` with
    your public key, or `key` with another one. Without it the command asks for it, so that a move stays out of your
    shell's history. Send all printed lines.
    """
    from referee.desk import act_text, acts, signed_words
    from referee.desk.log.signatures import key_text
    from referee.desk.proof import private_keys
    from referee.desk.proof.seat_terms import expect_seat, seat_past

    with wrong_usage(Refusal):
        name, past = expect_seat(game_id, side, rules), seat_past(opening or "", head or "")
    if past is None:
        raise click.UsageError("--opening and --head are missing: copy both from the letter")
    signer = private_keys.read_key(file)
    act = _act(asked("Your move, or another line") if line is None else line, name)
    if isinstance(act, acts.UseKey):
        text = key_text(game_id, past.head, side, act.key or None)
    else:
        text = act_text(game_id, past, ply, side, signed_words(act))
    click.echo(acts.MakeMove(act.text) if isinstance(act, acts.MakeMove) else act)
    _echo_signature(signer, text)


def _act(line: str, game: str) -> Act:
    """The act of a letter's line, which must be one that can be signed."""
    from referee.desk import acts, signed_words
    from referee.mail.intake.grammar import parse_line
    from referee.notation.moves import parse_move

    said = parse_line(line.strip(), game)
    if isinstance(said, NotationError):
        raise said
    if isinstance(said, tuple) and len(said) == 1 and isinstance(said[0], acts.Act):
        act = said[0]
        if isinstance(act, acts.Reveal):
            act = acts.Reveal(str(parse_move(game, act.move)), act.nonce)
        if isinstance(act, acts.UseKey) or signed_words(act):
            return act
    raise RefereeError("nothing-to-sign", "this is no move, and no line of a letter that needs a signature")


def _echo_signature(signer: Signer, text: str) -> None:
    """Print a signature in two halves, so that a mail program can break the line."""
    signature = signer.sign(text)
    half = len(signature) // 2
    click.echo(f"signed {signature[:half]} {signature[half:]}")
