"""The beams of generators, boosters and barriers together (rules: "Power", "Beams")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from referee.rules.beams.board import SIDES, Board, Cell, Clock, Exit, Fan, Path, bit
from referee.rules.beams.pieces import BOOSTER, GENERATORS, PlacedPiece
from referee.rules.frozen import Frozen


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


Counters = Mapping[str, Mapping[int, int]]
"""For each side's rear boundary, the number of beams that leave there by the column as its owner labels it."""


class Light(NamedTuple):
    """The effect of the pieces on a board on each other.

    `fans` are the generators' beams by site, `exits` where those leave that are not stopped, if any. `walls` are
    the bits (see `board.bit`) of all site and direction pairs that a barrier resists, `generators` and `boosters`
    have a bit for each site with such a piece. With `facing`, a barrier resists at its marked side only.
    """

    board: Board
    facing: bool
    fans: Frozen[int, Fan]
    exits: Frozen[int, tuple[Exit, ...]]
    counters: Frozen[str, Frozen[int, int]]
    walls: int = 0
    generators: int = 0
    boosters: int = 0

    def power(self, site: int) -> int:
        """The power of a generator or barrier on a site: 1 to 4."""
        return 1 + (self.boosters & self.board.rear[site]).bit_count()

    def beams(self, stones: Mapping[int, PlacedPiece]) -> tuple[Beam, ...]:
        """Every beam of the generators among `stones`, in the order of their sites and components.

        Each is walked anew, barrier by barrier, to tell where it stops.
        """
        beams = []
        for site in sorted(self.fans):
            side, cell = self.board.places[site]
            for clock, path in zip(stones[site].components, self.fans[site].paths, strict=True):
                crossed = tuple(self._crossings(self.power(site), path))
                power = crossed[-1][2] if crossed else self.power(site)
                beams.append(Beam(side, cell, clock, power, path.exit if power else None, crossed))
        return tuple(beams)

    def _crossings(self, power: int, path: Path) -> Iterator[tuple[str, Cell, int]]:
        """The barriers that a beam of this power comes to on its path, each with the power it leaves."""
        for site, clock in path.steps:
            if self.walls & bit(site, clock):
                power = max(0, power - self.power(site))
                yield *self.board.places[site], power
                if not power:
                    return


class LiveLight:
    """The light of a board on which pieces are put and turned: each evaluates only the beams that it touches."""

    def __init__(self, light: Light) -> None:
        self.board, self.facing = light.board, light.facing
        self.fans, self.exits = dict(light.fans), dict(light.exits)
        self.counters = {side: dict(row) for side, row in light.counters.items()}
        self.walls, self.generators, self.boosters = light.walls, light.generators, light.boosters

    def light(self) -> Light:
        """The light as it is now."""
        counters = Frozen({side: Frozen(row) for side, row in self.counters.items()})
        fans, exits = Frozen(self.fans), Frozen(self.exits)
        return Light(self.board, self.facing, fans, exits, counters, self.walls, self.generators, self.boosters)

    def change(self, stones: Iterable[tuple[int, PlacedPiece]]) -> None:
        """Bring the light up to date after these pieces were put down or turned on their sites."""
        board, fans, before = self.board, self.fans, self.walls
        walls = before
        changed: list[int] = []
        stronger: tuple[int, ...] = ()
        for site, stone in stones:
            piece = stone.piece
            if piece is BOOSTER:
                self.boosters |= 1 << site
                stronger += board.front[site]
                continue
            fan = board.fan(site, stone)
            if piece in GENERATORS:
                self.generators |= 1 << site
                fans[site] = fan
                changed.append(site)
            else:
                walls = walls & ~board.bits[site] | (fan.faced if self.facing else fan.crossed)
        self.walls = walls
        touched = walls ^ before
        for site in stronger:
            touched |= walls & board.bits[site]
            if site in fans:
                changed.append(site)
        if touched:
            for site, fan in fans.items():
                if fan.mask & touched:
                    changed.append(site)
        for site in changed:
            self._relight(site, fans[site])

    def _relight(self, site: int, fan: Fan) -> None:
        """Evaluate the beams of a generator anew, and bring the counters up to date."""
        exits = self._exits_of(site, fan) if fan.mask & self.walls else fan.exits
        gone = self.exits.get(site, ())
        if gone == exits:
            return
        if exits:
            self.exits[site] = exits
        else:
            del self.exits[site]
        counters = self.counters
        for boundary, column in gone:
            row = counters[boundary]
            if row[column] == 1:
                del row[column]
            else:
                row[column] -= 1
        for boundary, column in exits:
            row = counters[boundary]
            row[column] = row.get(column, 0) + 1

    def _exits_of(self, site: int, fan: Fan) -> tuple[Exit, ...]:
        """The exits of a generator's beams when barriers stand on some of their paths.

        A beam's final power does not depend on the order of the barriers on its way, so their resistances
        are summed up in any order.
        """
        walls, boosters, rear = self.walls, self.boosters, self.board.rear
        exits = []
        for path in fan.paths:
            left = 1 + (boosters & rear[site]).bit_count()
            hits = path.mask & walls
            while hits:
                last = hits.bit_length() - 1
                left -= 1 + (boosters & rear[last // 6]).bit_count()
                hits ^= 1 << last
            if left > 0:
                exits.append(path.exit)
        return tuple(exits)


def lit(board: Board, *, facing: bool, stones: Mapping[int, PlacedPiece]) -> Light:
    """The light of a whole board, evaluated from its pieces."""
    live = LiveLight(Light(board, facing, Frozen(), Frozen(), Frozen({side: Frozen() for side in SIDES})))
    live.change(stones.items())
    return live.light()
