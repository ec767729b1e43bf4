"""The fast lane of Beams, Boosters and Barriers (rules/beams.md).

A site is a place of the board (see `board`), a set of sites the bits of an integer, and a placed piece its number in
`_STONES`. Pieces are only put down and turned, so their light is evaluated once, at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
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
_PIECE = tuple(_PIECES.index(stone.piece) for stone in _STONES)
_IS_GENERATOR = tuple(stone.piece in GENERATORS for stone in _STONES)
_BOOSTING = _NUMBER[PLACED_PIECES[BOOSTER, None]]

_Entry = tuple[int, int, int, tuple[int, ...]]
"""A move: its site, the stone that is put there or -1, a generator's neighbours as a set, and what a turn makes."""


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
        self._fan = lru_cache(1 << 14)(self._spread)

    def _entry(self, side: str, move: Move) -> _Entry | None:
        site = self._board.sites[side].get(move.cell)
        if site is None:
            return None
        if not isinstance(move, Place):
            return site, -1, 0, _TURNED[move.turn]
        near = self._board.near[site] if move.piece in GENERATORS else 0
        return site, _NUMBER[PLACED_PIECES[move.piece, move.clock]], near, ()

    def run(self, texts: Sequence[str]) -> Run | None:
        """As `Lane.run`; generators that are put down in one ply may touch each other."""
        size, side, entries = self._size, self._first, self._entries
        hands, in_hand, rotated = (self._hand[:], self._hand[:]), [sum(self._hand)] * 2, [False, False]
        stones, sites = [-1] * len(self._board.places), list[int]()
        generators = new = 0
        left = -1
        for number, text in enumerate(texts, 1):
            entry = entries[side][text]
            if entry is None or not left:
                return None
            site, stone, near, turned = entry
            before = stones[site]
            if stone >= 0:
                hand, piece = hands[side], _PIECE[stone]
                if before >= 0 or near & generators or not hand[piece]:
                    return None
                if near:
                    new |= 1 << site
                sites.append(site)
                hand[piece] -= 1
                in_hand[side] -= 1
                rotated[side] = False
            else:
                stone = -1 if before < 0 else turned[before]
                if stone < 0 or (rotated[side] and in_hand[side]):
                    return None
                rotated[side] = True
            stones[site] = stone
            side = 1 - side
            if size == 1 or not number & 1:
                generators |= new
                new = 0
                if left > 0:
                    left -= 1
                elif not (in_hand[0] or in_hand[1]):
                    left = 3 - size
        if len(texts) % size:
            return None
        south, north = self._points([(site, stones[site]) for site in sites])
        score = Frozen({"south": south, "north": north})
        leader = None if south == north else "south" if south > north else "north"
        outcome = None if left else Outcome(leader, Termination.SCORE, score)
        return Run(len(texts) // size, outcome, score)

    def _points(self, stones: Sequence[tuple[int, int]]) -> tuple[int, int]:
        """The points of south and north: the beams that leave behind the opponent."""
        boosters = walls = south = north = 0
        fans = []
        for site, stone in stones:
            if stone == _BOOSTING:
                boosters |= 1 << site
            else:
                fan = self._fan(site, stone)
                walls |= fan.wall
                if _IS_GENERATOR[stone]:
                    fans.append((site, fan))
        rear = self._board.rear
        for site, fan in fans:
            if not fan.mask & walls:
                south, north = south + fan.south, north + fan.north
                continue
            power = 1 + (boosters & rear[site]).bit_count()
            for mask, is_souths in fan.paths:
                hits = mask & walls
                # Each barrier takes one at least.
                if not hits or (hits.bit_count() < power and self._passes(power, hits, boosters)):
                    south, north = south + is_souths, north + (not is_souths)
        return south, north

    def _passes(self, power: int, hits: int, boosters: int) -> bool:
        """True if a beam of this power passes these barriers."""
        while hits:
            last = hits.bit_length() - 1
            power -= 1 + (boosters & self._board.rear[last // 6]).bit_count()
            hits ^= 1 << last
        return power > 0

    def _spread(self, site: int, number: int) -> _Fan:
        """The fan of a stone on a site; south's point is a beam that leaves behind north."""
        stone = _STONES[number]
        fan = self._board.fan(site, stone)
        if stone.piece not in GENERATORS:
            return _Fan(0, (), 0, 0, fan.faced if self._facing else fan.crossed)
        paths = tuple((path.mask, path.exit.boundary == "north") for path in fan.paths)
        south = sum(is_souths for _, is_souths in paths)
        return _Fan(fan.mask, paths, south, len(paths) - south, 0)
