"""`referee audit`, `seal` and `sign`: commands for which nobody has to trust the host."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.cli.candidates import files
from referee.cli.desk import desk_option, office_at
from referee.cli.desk.histories import letter_files, letter_heads
from referee.cli.screen import screen
from referee.desk import acts, attestations, private_keys, seals
from referee.desk.audit import audit
from referee.desk.heads import each_once
from referee.desk.log import GAME_ID, log_lines, read_lines
from referee.desk.signatures import Signer, act_text, key_text
from referee.desk.summary import audit_lines
from referee.errors import NotationError, RefereeError, Refusal
from referee.game.document import read_bytes, standard_input
from referee.mail.intake.grammar import parse_line
from referee.notation import parse_move
from referee.rules import GAMES, game_named
from referee.terminal import counted, visible

if TYPE_CHECKING:
    from referee.mail.evidence import LetterEvidence

_MOST_MISSING = 20
"""Maximum acts without a letter that are listed."""

HOUR = timedelta(hours=1)


@click.command("audit")
@desk_option
@click.argument("what", metavar="FILE|GAME", shell_complete=files)
@click.option("--head", metavar="DIGEST", help="The log head of a letter: the log must reach at least that far.")
@click.option(
    "--heads",
    "feet",
    multiple=True,
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="A letter, a mailbox, a folder of letters, or lines `GAME NUMBER DIGEST`; give it as often as you like. "
    "Every log head of this game in it must be in the log.",
)
@click.option(
    "--letters",
    "mailboxes",
    multiple=True,
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="Letters as `desk letters --export` writes them, or a folder of letters; give it as often as you like. "
    "Every act must stand in its letter.",
)
@click.option("--strict", is_flag=True, help="With --letters: an act of a player without its letter is an error.")
@click.option(
    "--keys",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The keys by which these letters are signed. [default: PATH.keys]",
)
@click.pass_context
def audit_command(
    context: click.Context,
    folder: Path,
    what: str,
    head: str | None,
    feet: tuple[Path, ...],
    mailboxes: tuple[Path, ...],
    strict: bool,
    keys: Path | None,
) -> None:
    """Check a game's whole log: digests, commitments, every verdict.

    The log is the exported one in FILE, or that of GAME on a desk; `-` is the standard input. The audit computes
    digests and commitments anew, judges moves by the rules and times by the clock, and needs neither the desk nor
    its key.

    A log that was cut short, or made for you alone, is whole in itself. To notice that, compare it with letters:
    give the "log head" at the foot of one as --head, or your letters as --heads.

    A host could say of a player what they never wrote. --letters reads the letters that brought the acts, lists those
    that are missing, and says who has signed the others, as the keys beside them tell; what you keep of the desk's
    own letters may lie among them, and counts as with --heads.
    """
    if (keys is not None or strict) and not mailboxes:
        raise click.UsageError("--keys and --strict are for the letters of --letters")
    shown = {path: letter_heads(path) for path in feet}
    witness = _witness(mailboxes, keys) if mailboxes else None
    heads = each_once(chain.from_iterable((*shown.values(), witness.heads if witness else ())))
    with _lines(folder, what) as log:
        report = audit(log, _digest(head), heads, witness)
    for path, found in shown.items():
        if report.state is not None and report.state.id not in {one.game for one in found}:
            raise Refusal("no-heads", f"{visible(str(path))} shows no log head of {report.state.id}")
    for line in audit_lines(report, what, heads=bool(heads), pen=screen().pen(sys.stdout)):
        click.echo(line)
    if witness is not None:
        for line in _letters_said(witness):
            click.echo(visible(line))
    lacking = strict and witness is not None and bool(witness.missing or witness.unsent)
    context.exit(1 if report.findings or lacking else 0)


def _witness(mailboxes: Iterable[Path], keys: Path | None) -> LetterEvidence:
    """The letters of files and folders, and the keys in the files beside or among them if no other is named."""
    from referee.mail.evidence import LetterEvidence
    from referee.mail.mailboxes import LARGEST_MAILBOX
    from referee.mail.signers import BESIDE, joined_keys, read_keys

    files = list(dict.fromkeys(file for path in mailboxes for file in letter_files(path)))
    letters = [file for file in files if file.suffix != BESIDE]
    beside = {file for one in letters if (file := one.with_name(f"{one.name}{BESIDE}")).exists()}
    sources = [keys] if keys is not None else sorted(beside.union(files).difference(letters))
    known = joined_keys(read_keys(read_bytes(file), str(file)) for file in sources)
    return LetterEvidence((read_bytes(file, LARGEST_MAILBOX) for file in letters), known)


def _letters_said(witness: LetterEvidence) -> Iterator[str]:
    """What the letters of a mailbox say about a log, in lines."""
    acts = counted(witness.acts, "act", "acts")
    has = "has its letter" if 1 in (witness.found, witness.acts) else "have their letter"
    yield f"{witness.found} of {acts} that came by letter {has} here"
    if witness.acts and not witness.found:
        yield "WARNING: no letter here has brought anything in this game, so nothing was compared"
    for one in witness.missing[:_MOST_MISSING]:
        yield f"entry {one.number}, {one.side} ({one.kind}): no letter here"
    if (more := len(witness.missing) - _MOST_MISSING) > 0:
        yield f"and {more:,} more"
    for side, number in sorted(Counter(one.side for one in witness.missing).items()):
        yield f"{side}: {counted(number, 'act has', 'acts have')} no letter here: ask the host for them"
    if witness.unsent:
        yield f"{counted(witness.unsent, 'act', 'acts')} came by no letter: nothing shows that a player wrote so"
    for name in witness.ambiguous:
        yield f"there are two keys under the name {name}: nobody can tell which is the sender's, so neither counts"
    for side, account in sorted(witness.accounts.items()):
        letters = counted(account.letters, "letter", "letters")
        signed = ", ".join(f"{said}: {number}" for said, number in account.signed.most_common())
        hours = int(account.longest / HOUR)
        way = f"; up to {counted(hours, 'hour', 'hours')} from the signature to the desk" if hours else ""
        yield f"{side}, {' and '.join(account.senders)}: {letters}; {signed}{way}"


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
    key: Path | None,
) -> None:
    """Seal a move on your own machine.

    This turns a move for a ply of GAME into a commitment, which tells nothing about the move and binds you to it.
    Each letter shows the whole command: a seal belongs to one beginning of one ply, which --opening and --head name.
    Only games whose letters show neither are sealed without them.

    Send the first line that is printed, and keep the second one to yourself until you are asked for it. Without
    MOVE you are asked for the move, so that it stays out of your shell's history.

    If your seat has a key, --sign prints each of the two lines with its signature below it: send both, and keep both.
    """
    name = _seat(game_id, side, rules)
    signer = None if key is None else private_keys.read_key(key)
    text = str(parse_move(name, click.prompt("Your move", err=True) if move is None else move))
    drawn = seals.draw_nonce().hex() if nonce is None else seals.digits(nonce)
    if drawn is None:
        raise RefereeError("no-nonce", "expected a nonce of 64 hexadecimal digits")
    past = _past(opening, head)
    if signer is not None and past is None:
        raise click.UsageError("--sign needs --opening and --head: copy both from the letter")
    for line in seals.seal_lines(game_id, ply, side, rules, text, bytes.fromhex(drawn), past):
        click.echo(line)
        if signer is not None and past is not None:
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
    your public key, or `key` with another one. Without it you are asked for it, so that a move stays out of your
    shell's history. Send all that is printed.
    """
    name, past = _seat(game_id, side, rules), _past(opening, head)
    if past is None:
        raise click.UsageError("--opening and --head are missing: copy both from the letter")
    signer = private_keys.read_key(file)
    act = _act(click.prompt("Your move, or another line", err=True) if line is None else line, name)
    if isinstance(act, acts.UseKey):
        text = key_text(game_id, past.head, side, act.key or None)
    else:
        text = act_text(game_id, past, ply, side, attestations.signed_words(act))
    click.echo(acts.MakeMove(act.text) if isinstance(act, acts.MakeMove) else act)
    _echo_signature(signer, text)


def _act(line: str, game: str) -> acts.Act:
    """What a line of a letter does that can be signed."""
    said = parse_line(line.strip(), game)
    if isinstance(said, NotationError):
        raise said
    if isinstance(said, tuple) and len(said) == 1 and isinstance(said[0], acts.Act):
        act = said[0]
        if isinstance(act, acts.Reveal):
            act = acts.Reveal(str(parse_move(game, act.move)), act.nonce)
        if isinstance(act, acts.UseKey) or attestations.signed_words(act):
            return act
    raise RefereeError("nothing-to-sign", "this is no move, and no line of a letter that needs a signature")


def _echo_signature(signer: Signer, text: str) -> None:
    """Print a signature in two halves, between which a mail program can break the line."""
    signature = signer.sign(text)
    half = len(signature) // 2
    click.echo(f"signed {signature[:half]} {signature[half:]}")


def _seat(game_id: str, side: str, rules: str) -> str:
    """The name of the game, if there can be such a seat; a usage error if not."""
    if not GAME_ID.fullmatch(game_id):
        raise click.UsageError(f"GAME is the game's id as in letters, such as spring-7; not {game_id!r}")
    name, _, version = rules.partition(" ")
    description = game_named(name)
    if version not in map(str, description.versions):
        raise click.UsageError(f"--rules is a name and a version, such as '{name} {description.versions[-1]}'")
    if side not in description.sides:
        raise click.UsageError(f"there is no side {side!r}; the sides are: {', '.join(description.sides)}")
    return name
