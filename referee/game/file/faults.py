"""What is wrong with the moves of a list: one finding for each cause, with the number of moves that share it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from referee.errors import Finding, RefereeError
from referee.game.file.draft import Unread
from referee.game.file.gamefile import GameFile
from referee.notation.habits import Habit
from referee.notation.moves import parse_move
from referee.rules import usable_games
from referee.terminal import counted

_FEWEST, _LOOKED_AT = 4, 40
"""Moves from which on a list may be one of another game, and the number of those that are read as its moves."""

_JOIN = ": write the moves of a round on one line, divided by bars"

_FOLDED = frozenset(("half-round",))
"""Codes of which one finding is enough, as the rest follow from it or have the same cause."""


class MoveFault(NamedTuple):
    """A finding about a move list; for an unparsable move also its text, round and place, and its habit."""

    finding: Finding
    text: str | None = None
    round: int = 0
    place: int = 0
    habit: Habit | None = None

    @property
    def cause(self) -> str | None:
        """What it has in common with others, such as the same text; None if each is told for itself."""
        if self.habit is not None:
            return self.habit.cause
        if self.text is not None:
            return f"{self.text}: {self.finding.message}"
        return self.finding.code if self.finding.code in _FOLDED else None


def told_once(faults: Sequence[MoveFault], *, whole: bool) -> list[MoveFault]:
    """The faults, those with the same cause as an earlier one left out and counted.

    `whole` is false if the list was not read to its end: there may be more then.
    """
    times = Counter(fault.cause for fault in faults if fault.cause)
    folded: list[MoveFault] = []
    seen: set[str] = set()
    for fault in faults:
        if fault.cause is None:
            folded.append(fault)
        elif fault.cause not in seen:
            seen.add(fault.cause)
            folded.append(_counted(fault, times[fault.cause] - 1, whole=whole))
    return folded


def _counted(fault: MoveFault, more: int, *, whole: bool) -> MoveFault:
    if not more:
        return fault
    one, many = ("move is", "moves are") if fault.text is not None else ("round is", "rounds are")
    said = f"{'' if whole else 'at least '}{counted(more, f'more {one}', f'more {many}')} like this"
    if fault.text is None:
        said += _JOIN
    return fault._replace(finding=replace(fault.finding, message=f"{fault.finding.message}; {said}"))


def of_another_game(game: GameFile, faults: Sequence[MoveFault]) -> Finding | None:
    """The one finding about a list whose moves are all of another game."""
    moves = [one.move for each in game.rounds for one in each.moves]
    unread = [move.text for move in moves if isinstance(move, Unread)]
    if len(unread) < max(_FEWEST, len(moves)):
        return None
    first = next(fault.finding for fault in faults if fault.text is not None)
    for other in (one.name for one in usable_games()):
        if other != game.game and all(_reads(other, text) for text in unread[:_LOOKED_AT]):
            message = f"this and all other moves are moves of {other}, not of {game.game}"
            return replace(first, message=message, suggestions=(f"game: {other}",))
    return None


def _reads(game: str, text: str) -> bool:
    try:
        parse_move(game, text)
    except RefereeError:
        return False
    return True
