"""`referee key`: players' own keys."""

from __future__ import annotations

from pathlib import Path

import click

from referee.cli.shell.groups import CommandGroup
from referee.desk import Signer, UseKey
from referee.desk.proof import private_keys
from referee.errors import RefereeError
from referee.terminal import visible

_A_LINE = 6
_SHORT = 8
"""Digits of a key for recognition by people."""


@click.group("key", cls=CommandGroup)
def own_key() -> None:
    """Make and keep a key of your own.

    Once your seat has a key, only the owner of the key's file can act for it; not even the host can.
    """


@own_key.command("new")
@click.argument("file", type=click.Path(path_type=Path))
def make_key(file: Path) -> None:
    """Make a key of your own.

    FILE must not exist, and only you can read it. The printed words make the same file again if you lose it: write
    them on paper, with the first digits of the key, and keep them secret.
    """
    signer = private_keys.drawn()
    words = private_keys.key_words(signer)
    private_keys.write_key(file, signer)
    click.echo(f"{visible(str(file))}: your key, which only you may have")
    click.echo("its words, to write down on paper:")
    for at in range(0, len(words), _A_LINE):
        line = "".join(f"{number:2}. {word:10}" for number, word in enumerate(words[at : at + _A_LINE], at + 1))
        click.echo(f"  {line.rstrip()}")
    click.echo(f"and next to them, to recognize the key: {signer.public[:_SHORT]}")
    _tell(signer)


@own_key.command("show")
@click.argument("file", type=click.Path(path_type=Path))
def show_key(file: Path) -> None:
    """Print the public half of a key.

    It is the line that gives your seat the key in FILE.
    """
    click.echo(UseKey(private_keys.read_key(file).public))


@own_key.command("restore")
@click.argument("file", type=click.Path(path_type=Path))
def restore_key(file: Path) -> None:
    """Make the file of a key again, from its words.

    The command asks for the words that `new` printed, in one or more lines. FILE must not exist. Compare the printed
    digits with those that you wrote with your words, or with the key in your letters: a slip can give another key.
    """
    signer = _signer_asked_for()
    private_keys.write_key(file, signer)
    click.echo(f"{visible(str(file))}: this is the key {signer.public[:_SHORT]}")
    click.echo("compare these digits with those next to your words, or with the key in your letters")
    _tell(signer)


def _signer_asked_for() -> Signer:
    """The key of the words that the person types, who is asked again after a slip."""
    words: list[str] = []
    slip: RefereeError | None = None
    while True:
        rest = f"{private_keys.KEY_WORDS - len(words)} more" if words else f"The {private_keys.KEY_WORDS}"
        try:
            words += private_keys.words_in(click.prompt(f"{rest} words", err=True))
            if len(words) >= private_keys.KEY_WORDS:
                return private_keys.from_words(" ".join(words))
        except RefereeError as error:
            if error.code != "key-words":
                raise
            slip = error
            words = words if len(words) < private_keys.KEY_WORDS else []
            click.echo(f"{error.message}\nwrite {'this line' if words else 'all of them'} again", err=True)
        except click.Abort:
            if words:
                private_keys.from_words(" ".join(words))
            if slip is not None:
                raise slip from None
            raise


def _tell(signer: Signer) -> None:
    click.echo("the line that gives your seat this key, in any letter to a game:")
    click.echo(UseKey(signer.public))
