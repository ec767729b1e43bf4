"""Completion of a letter where its writer has left something to the desk."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

from referee.desk import Act, State, acts
from referee.mail.intake.commands import CommandLine, Reading
from referee.mail.intake.letter import Letter
from referee.mail.intake.requests import NewGame

MOST_COMMANDS, MOST_FAILED = 20, 3
"""Maximum commands of a letter to carry out, and lines to explain: both may take long."""


def word_of(letter: Letter) -> str:
    """The default word for chance: the digest of the letter's message id.

    Copies of a letter have the same one, whatever mail servers have added on their way.
    """
    return sha256((letter.message_id or letter.digest).encode(errors="replace")).hexdigest()


def correction(reading: Reading) -> CommandLine | None:
    """The one new game in the answer to a question, next to the word that confirms."""
    rest = [said for said in reading.commands if said.command != acts.Accept()]
    clear = reading.question is None or reading.question.code == "apart"
    return rest[0] if clear and len(rest) == 1 and isinstance(rest[0].command, NewGame) else None


def in_full(state: State, letter: Letter, act: Act) -> Act:
    """An act with what its writer left to the desk: a word for chance, and the side of a player they name."""
    match act:
        case acts.Accept(word="", key="") if state.invitation is not None:
            return acts.Accept(word_of(letter))
        case acts.Give(hours, str(who)) if who not in state.players:
            names = ((side, name.casefold()) for side, name in state.players.items())
            named = [side for side, name in names if who in (name, *name.split())]
            return acts.Give(hours, named[0]) if len(named) == 1 else act
        case _:
            return act


def within_limits(reading: Reading) -> Reading:
    """The reading, cut to the maximum of commands and failed lines; the reply lists the others."""
    over = [said.line for said in reading.commands[MOST_COMMANDS:]]
    over += [failed.line for failed in reading.failed[MOST_FAILED:]]
    return replace(
        reading,
        commands=reading.commands[:MOST_COMMANDS],
        failed=reading.failed[:MOST_FAILED],
        unknown=(*reading.unknown, *over),
    )
