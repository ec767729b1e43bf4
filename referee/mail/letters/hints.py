"""Hints for lines that were not understood: the desk asks about them, and never acts on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from referee.desk import State
from referee.desk.log import acts
from referee.errors import RefereeError
from referee.mail.intake.grammar import command_of
from referee.mail.intake.message.phrases import command_meant, without_please
from referee.mail.intake.requests import Join, SetTaste
from referee.notation.moves import parse_move

_MOST_WORDS = 16
"""Maximum words of a line that is searched for a move; a longer one is prose."""

_FEW_WORDS = 6
"""Maximum words of a line that is searched for a command, and of a move."""

_LONGEST_COMMAND = 60
"""Maximum characters of a command that is asked about."""

_SIGNS = "[](){}<>\"'*_.,:;!? "
"""Signs around words that belong to no move and to no command."""

_UNFINISHED = (Join, SetTaste, acts.Try)
"""Commands that take any word next to theirs."""


def hint(line: str, state: State, side: str) -> str:
    """The legal move of a side, or the command, within a line; empty if there is none."""
    words = line.split()
    if len(words) > _MOST_WORDS:
        return ""
    can_move = state.closed is None and not state.undrawn and side not in state.seals
    moves = (_legal(text, state, side) for text in _runs(words)) if can_move else ()
    commands = map(_command, _ends(words)) if len(words) <= _FEW_WORDS else ()
    found = next(filter(None, chain(moves, commands)), "") or command_meant(line.strip(_SIGNS))
    answers = isinstance(command_of(found), acts.Accept | acts.Decline)
    is_asked = state.agreed - {side} or not any(side in ply for ply in state.plies)
    return "" if answers and not is_asked else found


def _runs(words: Sequence[str]) -> Iterator[str]:
    """All runs of adjacent words, the longest first."""
    for length in range(min(len(words), _FEW_WORDS), 0, -1):
        for at in range(len(words) - length + 1):
            yield " ".join(words[at : at + length]).strip(_SIGNS)


def _ends(words: Sequence[str]) -> Iterator[str]:
    """The words that a line ends with, and those that it begins with, the fewest first."""
    for length in range(1, len(words) + 1):
        yield " ".join(words[-length:]).strip(_SIGNS)
        yield " ".join(words[:length]).strip(_SIGNS)


def _legal(text: str, state: State, side: str) -> str:
    try:
        move: Any = parse_move(state.game, text)
        state.position.check(side, move)
    except RefereeError:
        return ""
    return str(move)


def _command(text: str) -> str:
    command = command_of(text) if len(text) <= _LONGEST_COMMAND else None
    return "" if command is None or isinstance(command, _UNFINISHED) else without_please(text).casefold()
