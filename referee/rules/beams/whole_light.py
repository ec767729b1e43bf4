"""The light of all stones on a board at once, in integers, for the fast lane (rules: "Power", "Beams").

A site is a place of the board, and a stone its number in `STONES`. A beam begins at a site in a direction, and a set
of beams is the bits of these (see `bit`); a set of sites is bits too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from referee.rules.beams.board import CLOCKS, Board, Clock, bit, seen_by
from referee.rules.beams.pieces import BOOSTER, GENERATORS, PLACED_PIECES

STONES = tuple(PLACED_PIECES.values())
"""Each piece in each of its directions: generators, then barriers, then boosters."""

_BARRIER = sum(stone.piece in GENERATORS for stone in STONES)
_BOOSTER = sum(stone.piece != BOOSTER for stone in STONES)
"""The first barrier, and the first booster."""

_Light = tuple[int, int]
"""The effect of a stone on its site.

Of a generator: its beams, and those that would begin on the sites beside it. Of a barrier: the beams that it resists,
and the bits of paths there. Of a booster: the beams that have it behind them, and its site.
"""


class WholeLight:
    """The light on a board, on which barriers cross beams or are `facing` them."""

    def __init__(self, board: Board, *, facing: bool) -> None:
        self._board, self._facing = board, facing
        self._lights: list[list[_Light | None]] = [[None] * len(board.places) for _ in STONES]
        self._arriving = cache(self._beams_to)
        upwards = (Clock.TEN, Clock.TWELVE, Clock.TWO)
        self._souths = sum(bit(site, clock) for site in range(len(board.places)) for clock in upwards)

    def points(self, stones: Mapping[int, int]) -> tuple[int, int, bool]:
        """The points of south and north, by beams that leave behind the opponent; and True if generators touch."""
        lights = self._lights
        beams = near = resisted = walls = boosted = boosters = 0
        for site, stone in stones.items():
            light = lights[stone][site]
            if light is None:
                light = lights[stone][site] = self._light(site, stone)
            one, two = light
            if stone < _BARRIER:
                beams |= one
                near |= two
            elif stone < _BOOSTER:
                resisted |= one
                walls |= two
            else:
                boosted |= one
                boosters |= two
        doubtful, leaving = beams & resisted & boosted, beams & ~resisted
        for beam in _places(doubtful):
            if self._passes(beam, walls, boosters):
                leaving |= 1 << beam
        south = (leaving & self._souths).bit_count()
        return south, leaving.bit_count() - south, bool(beams & near)

    def _passes(self, beam: int, walls: int, boosters: int) -> bool:
        """True if a beam passes these barriers."""
        site, direction = divmod(beam, 6)
        hits = self._board.path(site, CLOCKS[direction]).mask & walls
        power = 1 + (boosters & self._board.rear[site]).bit_count()
        return power > sum(1 + (boosters & self._board.rear[hit // 6]).bit_count() for hit in _places(hits))

    def _light(self, site: int, stone: int) -> _Light:
        board, piece = self._board, STONES[stone]
        beside, clocks = _places(board.near[site]), [seen_by(board.places[site][0], one) for one in piece.components]
        if stone < _BARRIER:
            return sum(bit(site, clock) for clock in clocks), sum(board.bits[other] for other in beside)
        if stone >= _BOOSTER:
            return sum(board.bits[other] for other in beside if board.rear[other] >> site & 1), 1 << site
        resisted, fan = 0, board.fan(site, piece)
        for clock in clocks if self._facing else {*clocks, *(clock.opposite for clock in clocks)}:
            resisted |= self._arriving(site, clock)
        return resisted, fan.faced if self._facing else fan.crossed

    def _beams_to(self, site: int, clock: Clock) -> int:
        """The beams that arrive at a site from a direction: of all sites on the path that way, turned round."""
        return sum(bit(other, way.opposite) for other, way in self._board.path(site, clock).steps)


def _places(bits: int) -> Iterator[int]:
    """The places of the bits that are set."""
    while bits:
        last = bits.bit_length() - 1
        yield last
        bits ^= 1 << last
