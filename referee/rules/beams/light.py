"""The beams of generators, boosters and barriers together (rules: "Power", "Beams")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from referee.rules.beams.board import Board, Cell, Clock, Exit, Fan, Path, bit
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


class Light(NamedTuple):
    """The effect of the pieces on a board on each other.

    `fans` are the generators' beams by site, `exits` where those leave that are not stopped, if any. `left` counts
    the beams that leave over south's and over north's rear boundary. `walls` are the bits (see `board.bit`) of all
    site and direction pairs that a barrier resists, `generators` and `boosters` have a bit for each site with such a
    piece. With `facing`, a barrier resists at its marked side only.
    """

    board: Board
    facing: bool
    fans: Frozen[int, Fan] = Frozen()
    exits: Frozen[int, tuple[Exit, ...]] = Frozen()
    left: tuple[int, int] = (0, 0)
    walls: int = 0
    generators: int = 0
    boosters: int = 0

    def power(self, site: int) -> int:
        """The power of a generator or barrier on a site: 1 to 4."""
        return 1 + (self.boosters & self.board.rear[site]).bit_count()

    def beams(self, stones: Mapping[int, PlacedPiece]) -> tuple[Beam, ...]:
        """Every beam of the generators among `stones`, in the order of their sites and components."""
        beams = []
        for site in sorted(self.fans):
            side, cell = self.board.places[site]
            for clock, path in zip(stones[site].components, self.fans[site].paths, strict=True):
                crossed = tuple(self._crossings(self.power(site), path))
                power = crossed[-1][2] if crossed else self.power(site)
                beams.append(Beam(side, cell, clock, power, path.exit if power else None, crossed))
        return tuple(beams)

    def _crossings(self, power: int, path: Path) -> Iterator[tuple[str, Cell, int]]:
        """The barriers that a beam of this power meets on its path, each with the power it leaves."""
        for site, clock in path.steps:
            if self.walls & bit(site, clock):
                power = max(0, power - self.power(site))
                yield *self.board.places[site], power
                if not power:
                    return


class LiveLight:
    """The light of a board on which pieces are put and turned, evaluated on demand where beams were touched."""

    def __init__(self, light: Light) -> None:
        self.board, self.facing = light.board, light.facing
        self.fans, self.exits, self.left = dict(light.fans), dict(light.exits), light.left
        self.walls, self.generators, self.boosters = light.walls, light.generators, light.boosters
        self._changes: dict[int, PlacedPiece] = {}

    def change(self, stones: Mapping[int, PlacedPiece]) -> None:
        """Take note of pieces that were put down or turned on their sites."""
        for site, stone in stones.items():
            if stone.piece in GENERATORS:
                self.generators |= 1 << site
        self._changes.update(stones)

    def left_after(self, stones: Mapping[int, PlacedPiece]) -> tuple[int, int]:
        """The beams that leave, as `Light.left`, after a `change`."""
        self.change(stones)
        self._evaluate()
        return self.left

    def light(self) -> Light:
        """The present light."""
        self._evaluate()
        fans, exits = Frozen(self.fans), Frozen(self.exits)
        return Light(self.board, self.facing, fans, exits, self.left, self.walls, self.generators, self.boosters)

    def _evaluate(self) -> None:
        """Update the beams touched since the last time."""
        board, fans, before = self.board, self.fans, self.walls
        walls = before
        changed: set[int] = set()
        stronger: tuple[int, ...] = ()
        for site, stone in self._changes.items():
            piece = stone.piece
            if piece is BOOSTER:
                self.boosters |= 1 << site
                stronger += board.front[site]
                continue
            fan = board.fan(site, stone)
            if piece in GENERATORS:
                fans[site] = fan
                changed.add(site)
            else:
                walls = walls & ~board.bits[site] | (fan.faced if self.facing else fan.crossed)
        self._changes.clear()
        self.walls = walls
        for site in stronger:
            if site in fans:
                changed.add(site)
        touched = 0
        if len(changed) < len(fans):
            touched = walls ^ before
            for site in stronger:
                touched |= walls & board.bits[site]
        if touched:
            for site, fan in fans.items():
                if fan.mask & touched:
                    changed.add(site)
        for site in changed:
            self._relight(site, fans[site])

    def _relight(self, site: int, fan: Fan) -> None:
        """Evaluate the beams of a generator again, and count those that leave."""
        exits = self._exits_of(site, fan) if fan.mask & self.walls else fan.exits
        gone = self.exits.get(site, ())
        if gone == exits:
            return
        if exits:
            self.exits[site] = exits
        else:
            del self.exits[site]
        south, north = self.left
        for boundary, _ in gone:
            if boundary == "south":
                south -= 1
            else:
                north -= 1
        for boundary, _ in exits:
            if boundary == "south":
                south += 1
            else:
                north += 1
        self.left = south, north

    def _exits_of(self, site: int, fan: Fan) -> tuple[Exit, ...]:
        """The exits of a generator's beams with barriers on some of their paths."""
        walls = self.walls
        power = 1 + (self.boosters & self.board.rear[site]).bit_count()
        exits = []
        for path in fan.paths:
            hits = path.mask & walls
            # Each barrier takes one at least, so that few beams need a closer look.
            if not hits or (hits.bit_count() < power and self._passes(power, hits)):
                exits.append(path.exit)
        return tuple(exits)

    def _passes(self, power: int, hits: int) -> bool:
        """True if a beam of this power leaves the board past these barriers, whose order makes no difference."""
        boosters, rear = self.boosters, self.board.rear
        while hits:
            last = hits.bit_length() - 1
            power -= 1 + (boosters & rear[last // 6]).bit_count()
            hits ^= 1 << last
        return power > 0


def lit(board: Board, *, facing: bool, stones: Mapping[int, PlacedPiece]) -> Light:
    """The light of a whole board, evaluated from its pieces."""
    live = LiveLight(Light(board, facing))
    live.change(stones)
    return live.light()
