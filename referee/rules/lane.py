"""The fast lane of archives: whole games judged as integers, as far as nothing in them is doubtful.

A game's lane knows the moves of a game by their texts. It says yes, with the outcome, or None: then the usual way
judges the game and explains its faults. So a lane may leave out rare cases, and accepts nothing wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from referee.rules.outcome import Outcome

Read = Callable[[str], Any]
"""The move of a game in a text; None if it has none, or more than a move."""

_REMEMBERED = 1 << 14
"""Maximum texts of moves that are remembered; marks make several texts of one move."""

EntryT = TypeVar("EntryT")


class LaneResult(NamedTuple):
    """The result of a game whose moves are all legal: its plies, its outcome if it is over, and its score.

    All plies have the same number of moves.
    """

    plies: int
    outcome: Outcome | None
    score: Mapping[str, int]


class Lane(Protocol):
    """A game's lane, from one start: options and all that follows from them are known."""

    def run(self, texts: Sequence[str]) -> LaneResult | None:
        """Judge the moves of a game in the order of its move list; None if one is wrong or doubtful."""


class Entries(dict[str, EntryT | None]):
    """The moves of one side by their texts, as integers; None for a text that is no move, or one never possible."""

    def __init__(self, read: Read, entry: Callable[[Any], EntryT | None]) -> None:
        super().__init__()
        self._read, self._entry = read, entry

    def __missing__(self, text: str) -> EntryT | None:
        move = self._read(text)
        found = None if move is None else self._entry(move)
        if len(self) < _REMEMBERED:
            self[text] = found
        return found
