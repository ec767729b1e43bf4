"""`referee gossip` and `fork`: compare the histories of a game that two people were shown."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee.cli.shell.candidates import files
from referee.cli.shell.errors import wrong_usage
from referee.errors import Refusal
from referee.terminal import counted, visible

if TYPE_CHECKING:
    from referee.desk import Head
    from referee.desk.proof.histories import Evidence, Fork

_KEEP = "keep them both, because they prove it to anyone"
_UNCHECKED = "give the desk's public key with --key to check who signed them"
_UNSIGNED = "the desk has signed neither, so nothing shows whose they are"
_OTHERWISE_SIGNED = (
    "there are signatures, but not with {}, so nothing shows whose they are: compare the key with your first letter "
    "from the desk"
)
_ONE_SIGNED = (
    "the second head is signed with the key {}, the first is not: a letter with a later head of that history would "
    "prove that it is the desk's too"
)


@click.command("gossip")
@click.argument("mine", metavar="LOG|LETTER|LINE", shell_complete=files)
@click.argument("theirs", metavar="[LINE]", required=False)
def gossip_command(mine: str, theirs: str | None) -> int:
    """Print the one line that two players compare.

    The line has the game, the number and the digest of the newest entry in an exported log, a letter, or the line of
    a letter; a mailbox with several games has a line for each. Send it to the other player in your own way, not
    through the desk. With the other's LINE the command compares it with your history of that game. Exit status:
    0 nothing contradicts; 1 the histories differ.
    """
    from referee.desk.log.heads import told_head

    known = read_history(mine)
    if theirs is None:
        for game in known.games:
            click.echo(str(known.of(game).newest))
        return 0
    with wrong_usage(Refusal):
        told = told_head(theirs)
    if told.game not in known.games:
        raise Refusal("other-game", f"the other line is of {told.game}, and yours of {', '.join(known.games)}")
    own = known.of(told.game)
    click.echo(str(own.newest))
    status, said = _comparison(own, told)
    click.echo(said)
    return status


@click.command("fork")
@click.argument("one", metavar="A", shell_complete=files)
@click.argument("other", metavar="B", shell_complete=files)
@click.option("--key", metavar="HEX", help="The desk's public key, as the invitation names it.")
def fork_command(one: str, other: str, key: str | None) -> int:
    """Prove that a desk has shown two histories of one game.

    A and B are letters, mailboxes, texts with the feet of letters, or exported logs. Two heads that one key has
    signed for the same number of the same game are a proof that anyone can check. Without --key the keys of the
    logs are used. A quoted head counts only if such a key has signed it. Exit status: 0 nothing contradicts; 1 the
    histories differ.
    """
    from referee.desk import digits
    from referee.desk.proof.histories import counting, fork_of

    if key is not None and digits(key) is None:
        raise click.BadParameter("expected the 64 hexadecimal digits of a public key", param_hint="--key")
    histories = read_history(one), read_history(other)
    keys = [key.strip().lower()] if key is not None else []
    found = fork_of(*histories, keys)
    heads = {head for history in histories for head in history.heads}
    counts = counting(*histories, keys)
    if found is None:
        shown = counted(len(counts), "head", "heads")
        click.echo(f"nothing here contradicts: {shown} of letters compared")
    else:
        for head in (found.first, found.second):
            first = histories[0]
            is_first = head in first.heads or (first.chain is not None and first.chain.holds(head))
            click.echo(f"{head} in {named(one if is_first else other)}")
        _tell(found, vouched=bool(keys), checked=bool(keys or any(history.keys for history in histories)))
    if quoted := len(heads) - len(counts):
        are = counted(quoted, "quoted log head does not count", "quoted log heads do not count")
        click.echo(f"{are}: no key that you gave, or that a log here names, has signed it")
    return 0 if found is None else 1


def _tell(fork: Fork, *, vouched: bool, checked: bool) -> None:
    """Print the meaning of a fork, with signatures `checked`, and the key for them `vouched` for by the user."""
    game, number = fork.second.game, fork.second.number
    if not fork.proven:
        signatures = any(head.signature for head in (fork.first, fork.second))
        with_ = "the key that you gave" if vouched else "a key that the log names"
        neither = _OTHERWISE_SIGNED.format(with_) if signatures else _UNSIGNED
        why = _ONE_SIGNED.format(fork.key) if fork.key else neither if checked else _UNCHECKED
        click.echo(f"two histories of {game} differ at entry {number}, or before; {why}")
        return
    whose = "" if vouched else ", which the log names: compare it with your first letter from the desk"
    click.echo(f"both are signed with the key {fork.key}{whose}")
    way = ": the log leads to the first head by another entry than the second" if fork.joined else ""
    click.echo(f"this proves that the desk has shown two different entries {number} of {game}{way}; {_KEEP}")


def _comparison(mine: Evidence, theirs: Head) -> tuple[int, str]:
    """The exit status, and the result of comparing the other's head with your own history."""
    own = mine.newest
    digest = mine.at(theirs.number)
    if digest is not None and digest != theirs.digest:
        return 1, f"the histories differ at entry {theirs.number}, or before; {_KEEP}"
    further = theirs.number - own.number
    if further > 0:
        more = counted(further, "entry", "entries")
        return 0, f"theirs goes on by {more}: compare again once your letters have come that far"
    if digest is None:
        more = counted(-further, "entry", "entries")
        return 0, f"yours goes on by {more}: compare their line with your letter of entry {theirs.number}, or a log"
    behind = f", and yours goes on by {counted(-further, 'entry', 'entries')}" if further else ""
    return 0, f"the same up to entry {theirs.number}{behind}"


def named(what: str) -> str:
    """The name in a sentence for the argument of `read_history`."""
    from referee.desk import heads_in

    if heads_in(what.casefold()):
        return "the line that you gave"
    return "the standard input" if what == "-" else visible(what)


def letter_files(path: Path) -> list[Path]:
    """The file of that name, or all visible files of a folder and of the folders in it."""
    if not path.is_dir():
        return [path]
    return sorted(one for one in path.rglob("*") if one.is_file() and not one.name.startswith("."))


def read_history(what: str) -> Evidence:
    """The heads in a file or a line; FileError if it cannot be read, RefereeError `no-heads` if there is none."""
    from referee.desk import heads_in, log_lines
    from referee.desk.proof.histories import Evidence, chain_of
    from referee.game import read_input

    if heads := heads_in(what.casefold()):
        return Evidence(heads)
    content = read_input(what)
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return Evidence(chain=chain_of(log_lines(BytesIO(content), what)))
    from referee.mail.evidence.mailboxes import heads_of

    found = heads_of(content)
    if not found:
        raise Refusal("no-heads", f"{visible(what)} shows no log head: expected a letter of a game, or a log")
    return Evidence(found)
