"""Where the beams go: generators, boosters and barriers put together (rules: "Power", "Beams")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from referee.rules.beams.board import SIDES, Board, Cell, Clock, Exit, Fan, Path, bit
from referee.rules.beams.pieces import BARRIERS, GENERATORS, Stone


class Beam(NamedTuple):
    """One beam, and what became of it.

    `side`, `cell` and `clock` name its generator and its direction at the start as the owner sees them;
    `power` is what is left of it. `crossed` are the barriers that cost it power, in order: (owner, cell, power
    left). It leaves at `exit`, or has stopped in the last of these cells.
    """

    side: str
    cell: Cell
    clock: Clock
    power: int
    exit: Exit | None
    crossed: tuple[tuple[str, Cell, int], ...] = ()


class Lamp(NamedTuple):
    """A generator's beams: what lies ahead of them, and where those leave that are not stopped now."""

    fan: Fan
    exits: Sequence[Exit] = ()


Counters = Mapping[str, Mapping[int, int]]
"""For each side's rear boundary, the number of beams that leave there by the column as its owner labels it."""


class Light(NamedTuple):
    """What the pieces on a board do to each other, kept so that a move evaluates only the beams it touches.

    `lamps` are the generators by site, `walls` the bits (see `board.bit`) of all site and direction pairs that
    a barrier resists, `generators` and `boosters` a bit for each site with such a piece.
    """

    board: Board
    facing: bool
    lamps: Mapping[int, Lamp]
    counters: Counters
    walls: int = 0
    generators: int = 0
    boosters: int = 0

    def changed(self, stones: Iterable[tuple[int, Stone]]) -> Light:
        """The light after each of these stones was put down or turned on its site."""
        board, walls, generators, boosters = self.board, self.walls, self.generators, self.boosters
        fans: dict[int, Fan] = {}
        stronger: list[int] = []
        for site, stone in stones:
            if stone.piece in GENERATORS:
                generators |= 1 << site
                fans[site] = board.fan(site, stone.components)
            elif stone.piece in BARRIERS:
                fan = board.fan(site, stone.components)
                walls = walls & ~_all_bits(site) | (fan.faced if self.facing else fan.crossed)
            else:
                boosters |= 1 << site
                stronger += board.front[site]
        touched = walls ^ self.walls
        for site in stronger:
            touched |= walls & _all_bits(site)
            if site in self.lamps:
                fans.setdefault(site, self.lamps[site].fan)
        if touched:
            for site, lamp in self.lamps.items():
                if lamp.fan.mask & touched:
                    fans.setdefault(site, lamp.fan)
        light = Light(board, self.facing, self.lamps, self.counters, walls, generators, boosters)
        return light._relit(fans) if fans else light

    def _relit(self, fans: Mapping[int, Fan]) -> Light:
        """The light with the beams of these generators evaluated anew, and the counters brought up to date."""
        board, facing, _, _, walls, generators, boosters = self
        lamps = dict(self.lamps)
        counters = {side: dict(row) for side, row in self.counters.items()}
        for site, fan in fans.items():
            if site in lamps:
                for boundary, column in lamps[site].exits:
                    row = counters[boundary]
                    row[column] -= 1
                    if not row[column]:
                        del row[column]
            exits = self.leaving(site, fan)
            lamps[site] = Lamp(fan, exits)
            for boundary, column in exits:
                row = counters[boundary]
                row[column] = row.get(column, 0) + 1
        return Light(board, facing, lamps, counters, walls, generators, boosters)

    def power(self, site: int) -> int:
        """The power of a generator or barrier on a site: 1 to 4."""
        return 1 + (self.boosters & self.board.rear[site]).bit_count()

    def leaving(self, site: int, fan: Fan) -> list[Exit]:
        """Where the beams of a generator leave.

        A beam's final power does not depend on the order of the barriers on its way, so their resistances
        are summed up in any order.
        """
        exits = []
        for path in fan.paths:
            left = self.power(site)
            hits = path.mask & self.walls
            while hits:
                lowest = hits & -hits
                left -= self.power((lowest.bit_length() - 1) // 6)
                hits ^= lowest
            if left > 0:
                exits.append(path.exit)
        return exits

    def beams(self, stones: Mapping[int, Stone]) -> list[Beam]:
        """Every beam of the generators among `stones`, in the order of their sites and components.

        Each is walked anew, barrier by barrier, to tell where it stops.
        """
        beams = []
        for site in sorted(self.lamps):
            side, cell = self.board.places[site]
            for clock, path in zip(stones[site].components, self.lamps[site].fan.paths, strict=True):
                crossed = tuple(self._crossed(self.power(site), path))
                power = crossed[-1][2] if crossed else self.power(site)
                beams.append(Beam(side, cell, clock, power, path.exit if power else None, crossed))
        return beams

    def _crossed(self, power: int, path: Path) -> Iterator[tuple[str, Cell, int]]:
        """The barriers that a beam of this power comes to on its path, each with the power it leaves."""
        for site, clock in path.steps:
            if self.walls & bit(site, clock):
                power = max(0, power - self.power(site))
                yield *self.board.places[site], power
                if not power:
                    return


def _all_bits(site: int) -> int:
    """The bits of a site, whatever the direction."""
    return 63 << site * 6


def lit(board: Board, *, facing: bool, stones: Mapping[int, Stone]) -> Light:
    """The light of a whole board, evaluated from scratch."""
    return Light(board, facing, {}, {side: {} for side in SIDES}).changed(stones.items())
