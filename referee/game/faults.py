"""What is wrong with the moves of a list: one finding for each cause, with the number of moves that share it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from referee.errors import Finding, RefereeError
from referee.game.draft import Unread
from referee.game.gamefile import GameFile
from referee.notation import parse_move
from referee.notation.habits import Habit
from referee.rules import all_games
from referee.terminal import counted

_FEWEST, _LOOKED_AT = 4, 40
"""Moves from which on a list may be one of another game, and the number of those that are read as its moves."""

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
        """What it has in common with others; None if each is told for itself."""
        if self.habit is not None:
            return self.habit.cause
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
    least = "" if whole else "at least "
    what = (
        counted(more, "more move is", "more moves are")
        if fault.habit
        else counted(more, "more round is", "more rounds are")
    )
    said = f"{fault.finding.message}; {least}{what} like this"
    return fault._replace(finding=replace(fault.finding, message=said))


def of_another_game(game: GameFile, faults: Sequence[MoveFault]) -> MoveFault | None:
    """One fault for a list whose moves are all of another game."""
    moves = [one.move for each in game.rounds for one in each.moves]
    unread = [move.text for move in moves if isinstance(move, Unread)]
    if len(unread) < max(_FEWEST, len(moves)):
        return None
    for other in all_games():
        if other != game.game and all(_reads(other, text) for text in unread[:_LOOKED_AT]):
            first = next(fault for fault in faults if fault.text is not None)
            message = (
                f"this is no move of {game.game}, but one of {other}, like {counted(len(unread) - 1, 'more', 'more')}"
            )
            return first._replace(
                finding=replace(first.finding, message=message), habit=Habit("game", message, f"game: {other}")
            )
    return None


def _reads(game: str, text: str) -> bool:
    try:
        parse_move(game, text)
    except RefereeError:
        return False
    return True
