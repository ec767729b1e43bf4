"""The light of all stones on a board at once, in integers, for the fast lane (rules: "Power", "Beams").

A site is a place of the board, a set of sites the bits of an integer, and a stone its number in `STONES`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from referee.rules.beams.board import Board
from referee.rules.beams.pieces import BOOSTER, GENERATORS, PLACED_PIECES

STONES = tuple(PLACED_PIECES.values())
"""Each piece in each of its directions."""


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


class WholeLight:
    """The light on a board, on which barriers cross beams or are `facing` them."""

    def __init__(self, board: Board, *, facing: bool) -> None:
        self._board, self._facing = board, facing
        self._lights: list[list[_Light | None]] = [[None] * len(board.places) for _ in STONES]

    def points(self, stones: Mapping[int, int]) -> tuple[int, int, bool]:
        """The points of south and north, by beams that leave behind the opponent; and True if generators touch."""
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
        return south, north, bool(sites & near)

    def _passes(self, power: int, hits: int, boosters: int) -> bool:
        """True if a beam of this power passes these barriers."""
        while hits and power > 0:
            last = hits.bit_length() - 1
            power -= 1 + (boosters & self._board.rear[last // 6]).bit_count()
            hits ^= 1 << last
        return power > 0

    def _light(self, site: int, stone: int) -> _Light:
        piece, fan = STONES[stone].piece, self._board.fan(site, STONES[stone])
        if piece not in GENERATORS:
            return _Light((), fan.faced if self._facing else fan.crossed, (piece == BOOSTER) << site)
        paths = tuple((path.mask, path.exit.boundary == "north") for path in fan.paths)
        return _Light(paths, 0, 1 << site, self._board.rear[site], self._board.near[site])
