"""The fast lane of Beams, Boosters and Barriers (rules/beams.md).

A site is a place of the board (see `board`), a set of sites the bits of an integer, and a placed piece its number in
`_STONES`. Pieces are only put down and turned, so their light is evaluated once, at the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from referee.rules.beams.board import SIDES
from referee.rules.beams.pieces import BOOSTER, GENERATORS, PLACED_PIECES, Move, PieceType, Place, Turn
from referee.rules.beams.position import BeamsPosition
from referee.rules.frozen import Frozen
from referee.rules.lane import Entries, Read, Run
from referee.rules.outcome import Outcome, Termination

_STONES = tuple(PLACED_PIECES.values())
_NUMBER = {stone: number for number, stone in enumerate(_STONES)}
_TURNED = {
    turn: tuple(-1 if stone.clock is None else _NUMBER[stone.turned(turn)] for stone in _STONES) for turn in Turn
}
"""The stone that a rotation makes of each; -1 for a booster, which has no direction."""

_PIECES = tuple(PieceType)
_BOOSTER = _NUMBER[PLACED_PIECES[BOOSTER, None]]

_Entry = tuple[int, int, int, int, tuple[int, ...]]
"""A move: its site; the stone that is put there or -1, and its piece; a generator's neighbours; what a turn makes."""

_Generator = tuple[int, int, int]
"""A generator: the number of the move that puts it down, its site as a set, and its neighbours."""


_LAST_PLIES = {2: 1, 1: 2}
"""The plies after both hands are empty, by the moves of a ply."""


class _Fan(NamedTuple):
    """The fan of a stone (see `board`): all bits of its paths, each path's bits and whether it makes south's point.

    `south` and `north` are the points without barriers; `wall` are the bits that a barrier resists.
    """

    mask: int
    paths: tuple[tuple[int, bool], ...]
    south: int
    north: int
    wall: int


class BeamsLane:
    """The lane of the games that begin in a position."""

    def __init__(self, start: BeamsPosition, read: Read) -> None:
        self._board, self._facing = start.board, start.light.facing
        self._hand = [start.hands["south"].get(piece, 0) for piece in _PIECES]
        self._size, self._first = (2, 0) if start.mover is None else (1, SIDES.index(start.mover))
        self._entries = [Entries(read, partial(self._entry, side)) for side in SIDES]
        self._rear = start.board.rear
        self._fans: dict[tuple[int, int], _Fan] = {}

    def _entry(self, side: str, move: Move) -> _Entry | None:
        site = self._board.sites[side].get(move.cell)
        if site is None:
            return None
        if not isinstance(move, Place):
            return site, -1, 0, 0, _TURNED[move.turn]
        near = self._board.near[site] if move.piece in GENERATORS else 0
        return site, _NUMBER[PLACED_PIECES[move.piece, move.clock]], _PIECES.index(move.piece), near, ()

    def run(self, texts: Sequence[str]) -> Run | None:
        """As `Lane.run`: the sides meet only in their generators and at the end; all else is judged side by side."""
        size, stones, generators, emptied = self._size, dict[int, int](), list[_Generator](), list[int]()
        for place, side in enumerate((self._first, 1 - self._first)):
            number = self._judge(side, texts, place, stones, generators)
            if number is None:
                return None
            emptied.append(number)
        plies = len(texts) // size
        left = max(emptied) // size + 1 + _LAST_PLIES[size] - plies if min(emptied) >= 0 else 1
        if len(texts) % size or left < 0 or not _are_apart(generators, size):
            return None
        south, north = self._points(stones)
        score = Frozen({"south": south, "north": north})
        leader = None if south == north else "south" if south > north else "north"
        return Run(plies, None if left else Outcome(leader, Termination.SCORE, score), score)

    def _judge(
        self, side: int, texts: Sequence[str], first: int, stones: dict[int, int], generators: list[_Generator]
    ) -> int | None:
        """Make every second move, all of one side; return the number of that which empties its hand, or -1.

        None if a move is wrong.
        """
        entries, hand, rotated = self._entries[side], self._hand[:], False
        in_hand, emptied = sum(hand), -1
        for number in range(first, len(texts), 2):
            entry = entries[texts[number]]
            if entry is None:
                return None
            site, stone, piece, near, turned = entry
            if stone >= 0:
                if site in stones or not hand[piece]:
                    return None
                if near:
                    generators.append((number, 1 << site, near))
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

    def _points(self, stones: Mapping[int, int]) -> tuple[int, int]:
        """The points of south and north: the beams that leave behind the opponent."""
        boosters = walls = south = north = 0
        generators = []
        for site, stone in stones.items():
            fan = self._fans.get((site, stone)) or self._spread(site, stone)
            walls |= fan.wall
            if stone == _BOOSTER:
                boosters |= 1 << site
            elif fan.paths:
                generators.append((site, fan))
        for site, (mask, paths, souths, norths, _) in generators:
            if not mask & walls:
                south, north = south + souths, north + norths
                continue
            power = 1 + (boosters & self._rear[site]).bit_count()
            for path, is_souths in paths:
                hits = path & walls
                if hits and (power == 1 or not self._passes(power, hits, boosters)):
                    continue
                if is_souths:
                    south += 1
                else:
                    north += 1
        return south, north

    def _passes(self, power: int, hits: int, boosters: int) -> bool:
        """True if a beam of this power passes these barriers."""
        while hits and power > 0:
            last = hits.bit_length() - 1
            power -= 1 + (boosters & self._rear[last // 6]).bit_count()
            hits ^= 1 << last
        return power > 0

    def _spread(self, site: int, number: int) -> _Fan:
        """The fan of a stone on a site; south's point is a beam that leaves behind north."""
        stone = _STONES[number]
        fan = self._board.fan(site, stone)
        if stone.piece in GENERATORS:
            paths = tuple((path.mask, path.exit.boundary == "north") for path in fan.paths)
            souths = sum(is_souths for _, is_souths in paths)
            found = _Fan(fan.mask, paths, souths, len(paths) - souths, 0)
        else:
            found = _Fan(0, (), 0, 0, fan.faced if self._facing else fan.crossed)
        self._fans[site, number] = found
        return found


def _are_apart(generators: list[_Generator], size: int) -> bool:
    """True if none is put down beside one of an earlier ply."""
    before = new = ply = 0
    for number, site, near in sorted(generators):
        if number // size > ply:
            before, new, ply = before | new, 0, number // size
        if near & before:
            return False
        new |= site
    return True
