"""The fast lane of Beams, Boosters and Barriers (rules/beams.md).

A site is a place of the board (see `board`), a set of sites the bits of an integer, and a stone a piece in its
direction, as its number in `_STONES`. Stones are only put down and turned, so their light is evaluated once, at the
end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import NamedTuple

from referee.rules.beams.board import SIDES
from referee.rules.beams.pieces import BOOSTER, GENERATORS, PLACED_PIECES, Move, PieceType, Place, Turn
from referee.rules.beams.position import BeamsPosition
from referee.rules.frozen import Frozen
from referee.rules.lane import Entries, Read, Run
from referee.rules.outcome import Outcome, Termination

_PIECES, _STONES = tuple(PieceType), tuple(PLACED_PIECES.values())
_TURNED = {
    turn: tuple(-1 if stone.clock is None else _STONES.index(stone.turned(turn)) for stone in _STONES)
    for turn in Turn
}
"""The stone that each becomes by a turn; -1 for a booster, which has no direction."""

_LAST_PLIES = {2: 1, 1: 2}
"""The plies after both hands are empty, by the moves of a ply."""

_Entry = tuple[int, int, int, tuple[int, ...]]
"""A move: its site; the stone that is put there, and its piece; or what a turn makes of each stone."""


class _Light(NamedTuple):
    """The effect of a stone on its site: the paths of a generator, or the bits of paths that a barrier resists.

    A path is its bits, and whether it makes south's point. `site` is that of a generator or a booster, `rear` and
    `near` are the sites behind and beside a generator.
    """

    paths: tuple[tuple[int, bool], ...]
    bits: int
    site: int
    rear: int = 0
    near: int = 0


class BeamsLane:
    """The lane of the games that begin in a position."""

    def __init__(self, start: BeamsPosition, read: Read) -> None:
        self._board, self._facing = start.board, start.light.facing
        self._hand = [start.hands["south"].get(piece, 0) for piece in _PIECES]
        self._size, self._first = (2, 0) if start.mover is None else (1, SIDES.index(start.mover))
        self._entries = [Entries(read, partial(self._entry, side)) for side in SIDES]
        self._lights: list[list[_Light | None]] = [[None] * len(start.board.places) for _ in _STONES]

    def _entry(self, side: str, move: Move) -> _Entry | None:
        site = self._board.sites[side].get(move.cell)
        if site is None:
            return None
        if isinstance(move, Place):
            return site, _STONES.index(PLACED_PIECES[move.piece, move.clock]), _PIECES.index(move.piece), ()
        return site, 0, 0, _TURNED[move.turn]

    def run(self, texts: Sequence[str]) -> Run | None:
        """As `Lane.run`: the sides meet only in their generators and at the end; all else is judged side by side."""
        size, stones, last = self._size, dict[int, int](), []
        for side, place in enumerate((self._first, 1 - self._first)):
            emptied = self._judge(side, texts[place::2], stones)
            if emptied is None:
                return None
            last.append((2 * emptied + place) // size)
        plies, rest = divmod(len(texts), size)
        left = max(last) + 1 + _LAST_PLIES[size] - plies if min(last) >= 0 else 1
        points = None if rest or left < 0 else self._points(stones, texts)
        if points is None:
            return None
        outcome = _outcome(*points)
        return Run(plies, None if left else outcome, outcome.score)

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

    def _points(self, stones: Mapping[int, int], texts: Sequence[str]) -> tuple[int, int] | None:
        """The points of south and north, by beams that leave behind the opponent; None if generators touch."""
        lights, generators = self._lights, []
        boosters = walls = sites = near = south = north = 0
        for site, stone in stones.items():
            light = lights[stone][site]
            if light is None:
                light = lights[stone][site] = self._light(site, stone)
            if light.paths:
                generators.append(light)
                sites |= light.site
                near |= light.near
            else:
                walls |= light.bits
                boosters |= light.site
        if sites & near and not self._are_apart(texts):
            return None
        for paths, _, _, rear, _ in generators:
            for path, is_souths in paths:
                hits = path & walls
                if hits:
                    power = 1 + (boosters & rear).bit_count()
                    if power == 1 or not self._passes(power, hits, boosters):
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
            power -= 1 + (boosters & self._board.rear[last // 6]).bit_count()
            hits ^= 1 << last
        return power > 0

    def _light(self, site: int, stone: int) -> _Light:
        piece, fan = _STONES[stone].piece, self._board.fan(site, _STONES[stone])
        if piece not in GENERATORS:
            return _Light((), fan.faced if self._facing else fan.crossed, (piece == BOOSTER) << site)
        paths = tuple((path.mask, path.exit.boundary == "north") for path in fan.paths)
        return _Light(paths, 0, 1 << site, self._board.rear[site], self._board.near[site])

    def _are_apart(self, texts: Sequence[str]) -> bool:
        """True if no generator is put down beside one of an earlier ply."""
        before = new = 0
        for number, text in enumerate(texts):
            if number % self._size == 0:
                before, new = before | new, 0
            entry = self._entries[(number + self._first) % 2][text]
            if entry and not entry[3] and _STONES[entry[1]].piece in GENERATORS:
                if self._board.near[entry[0]] & before:
                    return False
                new |= 1 << entry[0]
        return True


@cache
def _outcome(south: int, north: int) -> Outcome:
    winner = None if south == north else "south" if south > north else "north"
    return Outcome(winner, Termination.SCORE, Frozen({"south": south, "north": north}))
