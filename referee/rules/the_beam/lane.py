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
from referee.rules.the_beam.pieces import GRID, POINTS, SIZE, TEAM, Allocate, Move, Place, PlaceMirror, TurnMirror
from referee.rules.the_beam.position import TheBeamPosition

_NUMBER = {square: number for number, square in enumerate(GRID)}
_UP, _RIGHT, _DOWN, _LEFT = range(4)
_STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))
_TURNS = ((_UP, _RIGHT, _DOWN, _LEFT), (_RIGHT, _UP, _LEFT, _DOWN), (_LEFT, _DOWN, _RIGHT, _UP))
"""For each mirror, and for none: the new direction of a beam from each direction."""


def _beam(way: int, square: Place) -> int:
    """The number of the beam that leaves a square in a direction: of the direction and the next square, or -1."""
    there = _NUMBER.get(Place(square.row + _STEPS[way][0], square.column + _STEPS[way][1]), -1)
    return there if there < 0 else way * len(GRID) + there


_BEAMS = tuple(
    (number, (number, -1, number + SIZE, -1)[way], tuple(_beam(turned[way], square) for turned in _TURNS))
    for way in range(4)
    for number, square in enumerate(GRID)
)
"""For each beam: its square, the one whose bottom edge it has crossed, and by each mirror the beam ahead."""

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
                if there or second in discs:
                    return None  # there are as many mirrors as rounds, so one is always left
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
        beam, barriers = column - 1, self._barriers
        while beam >= 0:
            square, edge, ahead = _BEAMS[beam]
            if edge in barriers:
                return
            if square in discs:
                discs.pop(square)
            beam = ahead[mirrors[square]]


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
        return _PUT, move.square.row, square, 1 if move.slash == "/" else 2
    return _TURN if isinstance(move, TurnMirror) else _TAKE, move.square.row, square, 0
