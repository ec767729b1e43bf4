"""The fast lane of Beams, Boosters and Barriers (rules/beams.md).

A site is a place of the board (see `board`), a set of sites the bits of an integer, and a stone a piece in its
direction, as its number in `STONES`. Stones are only put down and turned, so their light is evaluated once, at the
end (`whole_light`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from referee.rules.beams.board import SIDES
from referee.rules.beams.pieces import GENERATORS, PLACED_PIECES, Move, PieceType, Place
from referee.rules.beams.position import BeamsPosition, verdict
from referee.rules.beams.whole_light import STONES, WholeLight
from referee.rules.lane import Entries, LaneResult, Read
from referee.rules.squares import Turn

_PIECES = tuple(PieceType)
_TURNED = {
    turn: tuple(-1 if stone.clock is None else STONES.index(stone.turned(turn)) for stone in STONES) for turn in Turn
}
"""The stone that each becomes by a turn; -1 for a booster, which has no direction."""

_LAST_PLIES = {2: 1, 1: 2}
"""The plies after both hands are empty, by the moves of a ply."""

_Entry = tuple[int, int, int, tuple[int, ...]]
"""A move: its site; the stone that is put there, and its piece; or what a turn makes of each stone."""


class BeamsLane:
    """The lane of the games that begin in a position."""

    def __init__(self, start: BeamsPosition, read: Read) -> None:
        self._board, self._light = start.board, WholeLight(start.board, facing=start.light.facing)
        self._hand = [start.hands["south"].get(piece, 0) for piece in _PIECES]
        self._size, self._first = (2, 0) if start.mover is None else (1, SIDES.index(start.mover))
        self._entries = [Entries(read, partial(self._entry, side)) for side in SIDES]

    def _entry(self, side: str, move: Move) -> _Entry | None:
        site = self._board.sites[side].get(move.cell)
        if site is None:
            return None
        if isinstance(move, Place):
            return site, STONES.index(PLACED_PIECES[move.piece, move.clock]), _PIECES.index(move.piece), ()
        return site, 0, 0, _TURNED[move.turn]

    def run(self, texts: Sequence[str]) -> LaneResult | None:
        """As `Lane.run`: the sides meet only in their generators and at the end; all else is judged side by side."""
        size, stones, last = self._size, dict[int, int](), []
        for side, place in enumerate((self._first, 1 - self._first)):
            emptied = self._judge(side, texts[place::2], stones)
            if emptied is None:
                return None
            last.append((2 * emptied + place) // size)
        plies, rest = divmod(len(texts), size)
        left = max(last) + 1 + _LAST_PLIES[size] - plies if min(last) >= 0 else 1
        if rest or left < 0:
            return None
        south, north, touching = self._light.points(stones)
        if touching and not self._are_apart(texts):
            return None
        outcome = verdict(south, north)
        return LaneResult(plies, None if left else outcome, outcome.score)

    def _judge(self, side: int, texts: Sequence[str], stones: dict[int, int]) -> int | None:
        """Make the moves of a side; return the number of the one that empties its hand, or -1.

        None if a move is wrong.
        """
        hand, rotated, emptied = self._hand[:], False, -1
        in_hand = sum(hand)
        for number, entry in enumerate(map(self._entries[side].__getitem__, texts)):
            if entry is None:
                return None
            site, stone, piece, turned = entry
            if not turned:
                if site in stones or not hand[piece]:
                    return None
                hand[piece] -= 1
                in_hand -= 1
                rotated = False
                if not in_hand:
                    emptied = number
            else:
                stone = turned[stones[site]] if site in stones else -1
                if stone < 0 or (rotated and in_hand):
                    return None
                rotated = True
            stones[site] = stone
        return emptied

    def _are_apart(self, texts: Sequence[str]) -> bool:
        """True if no generator is put down beside one of an earlier ply."""
        before = new = 0
        for number, text in enumerate(texts):
            if number % self._size == 0:
                before, new = before | new, 0
            entry = self._entries[(number + self._first) % 2][text]
            if entry and not entry[3] and STONES[entry[1]].piece in GENERATORS:
                if self._board.near[entry[0]] & before:
                    return False
                new |= 1 << entry[0]
        return True
