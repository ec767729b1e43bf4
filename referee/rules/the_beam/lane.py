r"""The fast lane of The Beam (rules/the-beam.md).

Squares are numbers, row by row from where the beam enters; a mirror is 1 for / and 2 for \\, and 0 is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from referee.rules.frozen import Frozen
from referee.rules.lane import Entries, LaneResult, Read
from referee.rules.outcome import Outcome, Termination
from referee.rules.the_beam.deal import ROUNDS
from referee.rules.the_beam.pieces import (
    GRID,
    POINTS,
    TEAM,
    Allocate,
    Move,
    Place,
    PlaceMirror,
    Slash,
    TurnMirror,
)
from referee.rules.the_beam.position import MIRRORS, TheBeamPosition

_NUMBER = {square: number for number, square in enumerate(GRID)}
_UP, _RIGHT, _DOWN, _LEFT = range(4)
_STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))
_AHEAD = tuple(
    tuple(_NUMBER.get(Place(row + up, column + right), -1) for row, column in GRID) for up, right in _STEPS
)
"""For each way and square, the square ahead, or -1."""

_TURNS = ((_UP, _RIGHT, _DOWN, _LEFT), (_RIGHT, _UP, _LEFT, _DOWN), (_LEFT, _DOWN, _RIGHT, _UP))
"""For each mirror, and for none: the new direction of a beam from each direction."""

_ALLOCATE, _PUT, _TURN, _TAKE = range(4)

_Entry = tuple[int, int, int, int]
"""A move: its kind; a mirror's row, its square, and which one is put there; or the cards of mirror and beam."""


class TheBeamLane:
    """The lane of the games with a deal."""

    def __init__(self, start: TheBeamPosition, read: Read) -> None:
        self._entries = _entries(read)
        self._cards = tuple(zip(*start.deal.decks, strict=False))[:ROUNDS]
        self._discs = {_NUMBER[square]: POINTS[colour] for square, colour in start.discs.items()}
        self._barriers = frozenset(map(_NUMBER.__getitem__, start.barriers))

    def run(self, texts: Sequence[str]) -> LaneResult | None:
        """As `Lane.run`."""
        mirrors, discs, cards = [0] * len(GRID), dict(self._discs), iter(self._cards)
        row, beam = 0, 0
        for text in texts:
            entry = self._entries[text]
            if entry is None:
                return None
            kind, first, second, mirror = entry
            if not row:
                pair = next(cards, None)
                if kind != _ALLOCATE or pair not in ((first, second), (second, first)):
                    return None
                row, beam = first, second
                continue
            if first != row or kind == _ALLOCATE:
                return None
            there = mirrors[second]
            if kind == _PUT:
                if there or second in discs or len(GRID) - mirrors.count(0) >= MIRRORS:
                    return None
                mirrors[second] = mirror
            elif not there:
                return None
            else:
                mirrors[second] = 3 - there if kind == _TURN else 0
            self._collect(beam, mirrors, discs)
            row = 0
        score = Frozen({TEAM: sum(self._discs.values()) - sum(discs.values())})
        is_over = len(texts) == 2 * ROUNDS
        return LaneResult(len(texts), Outcome(TEAM, Termination.SCORE, score) if is_over else None, score)

    def _collect(self, column: int, mirrors: Sequence[int], discs: dict[int, int]) -> None:
        """Take the discs on the way of a beam."""
        here, way, barriers = column - 1, _UP, self._barriers
        if here in barriers:
            return
        while here >= 0:
            discs.pop(here, None)
            way = _TURNS[mirrors[here]][way]
            there = _AHEAD[way][here]
            if (way == _UP and there in barriers) or (way == _DOWN and here in barriers):
                return
            here = there


@cache
def _entries(read: Read) -> Entries[_Entry]:
    """The moves of all deals."""
    return Entries(read, _entry)


def _entry(move: Move) -> _Entry | None:
    if isinstance(move, Allocate):
        return _ALLOCATE, move.mirror, move.beam, 0
    square = _NUMBER.get(move.square)
    if square is None:
        return None
    if isinstance(move, PlaceMirror):
        return _PUT, move.square.row, square, 1 if move.slash is Slash.RISING else 2
    return _TURN if isinstance(move, TurnMirror) else _TAKE, move.square.row, square, 0
