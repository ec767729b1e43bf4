"""The moves of a draft in the order of play, and their places; repairs begin with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from referee.game import GameFile
from referee.game.file.gamefile import line_of
from referee.rules import Frozen, Move

_MOST_MISSING = 2
"""Maximum rounds in a gap of the numbers; a wider one is a slip in a number."""


class MovePlace(NamedTuple):
    """A move of a list: its round and its column, both from 0."""

    round: int
    column: int


@dataclass(frozen=True)
class DraftMoves:
    """The moves of a draft in the order of play, and the place of each."""

    moves: tuple[Move, ...]
    places: tuple[MovePlace, ...]
    size: int
    holes: Mapping[int, MovePlace]
    """Places in rounds that are too short: the move before which one may be missing -> its place."""
    short: frozenset[int]
    """The rounds, the last one aside, that have fewer moves than they should."""
    misnumbered: tuple[int, ...]
    """The rounds whose written number is not the next one, from 0."""
    missing: Mapping[int, int]
    """Gaps in the numbers: the move before which rounds are missing -> the number of rounds."""

    @classmethod
    def of(cls, draft: GameFile) -> DraftMoves:
        """The sheet of a draft."""
        size = draft.description.moves_per_round
        moves, places, begins = list[Move](), list[MovePlace](), list[int]()
        holes: dict[int, MovePlace] = {}
        for number, each in enumerate(draft.rounds):
            begins.append(len(moves))
            moves += [one.move for one in each.moves]
            places += [MovePlace(number, column) for column in range(len(each.moves))]
            if len(each.moves) < size:
                holes[len(moves) - len(each.moves)] = MovePlace(number, 0)
                holes[len(moves)] = MovePlace(number, max(0, len(each.moves) - 1))
        short = frozenset(place.round for place in holes.values()) - {len(draft.rounds) - 1}
        numbers = _numbers(draft)
        missing = {begins[place]: rounds for place, rounds in _left_out(numbers)}
        misnumbered = tuple(place for place, (before, now) in enumerate(pairwise([0, *numbers])) if now != before + 1)
        return cls(tuple(moves), tuple(places), size, Frozen(holes), short, misnumbered, Frozen(missing))

    def place(self, at: int) -> MovePlace:
        """The place of a move; past the last one, that of the last."""
        return self.places[min(at, len(self.places) - 1)] if self.places else MovePlace(0, 0)

    def round_at(self, at: int) -> int:
        """The place where the round of a move begins."""
        return at - self.places[at].column


def _numbers(draft: GameFile) -> list[int]:
    """The number of each round as it is written, or else the next one; nothing if the text is not known."""
    if draft.source is None:
        return []
    numbers: list[int] = []
    for text in draft.source.moves.split("\n"):
        line = line_of(text, draft.description.moves_per_round)
        if line.moves:
            following = numbers[-1] + 1 if numbers else 1
            numbers.append(following if line.number is None else line.number)
    return numbers if len(numbers) == len(draft.rounds) else []


def _left_out(numbers: list[int]) -> list[tuple[int, int]]:
    """The rounds before which others are missing, and how many: no round has their numbers, and later ones go on."""
    known, found = set(numbers), []
    for place, (before, now) in enumerate(pairwise([0, *numbers])):
        goes_on = place + 1 == len(numbers) or numbers[place + 1] > now
        if 1 < now - before <= _MOST_MISSING + 1 and goes_on and known.isdisjoint(range(before + 1, now)):
            found.append((place, now - before - 1))
    return found
