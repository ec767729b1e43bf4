"""The board of Beams, Boosters and Barriers: cells, clock directions, paths (rules: "Board", "Beams").

Players name cells: a letter for the half-row, counted from the midline into their own territory, and a column
counted from their own left (double-height coordinates). Inside the rules a *site* is a small number: south's
cells come first, north's follow in the same order, so that the half turn between territories is one addition.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from referee.rules.frozen import Frozen
from referee.rules.turns import opponents

if TYPE_CHECKING:
    from referee.rules.beams.pieces import PlacedPiece

SIDES = ("south", "north")

_REMEMBERED = 1 << 14
"""Maximum fans that a board remembers; the usual board has fewer."""

other = opponents(SIDES)


class Clock(enum.IntEnum):
    """A direction as the owner sees it: 12 is straight ahead, a step is sixty degrees clockwise."""

    __hash__ = int.__hash__

    TWELVE = 12
    TWO = 2
    FOUR = 4
    SIX = 6
    EIGHT = 8
    TEN = 10

    def turned(self, steps: int) -> Clock:
        """This direction turned clockwise by `steps`; negative steps go counter-clockwise."""
        return CLOCKS[(self // 2 + steps) % 6]

    @property
    def opposite(self) -> Clock:
        """The direction straight back."""
        return self.turned(3)


CLOCKS = (Clock.TWELVE, Clock.TWO, Clock.FOUR, Clock.SIX, Clock.EIGHT, Clock.TEN)
_REAR = (Clock.FOUR, Clock.SIX, Clock.EIGHT)

# Half-rows towards the owner's chair, and columns to their right, for one step in each direction.
STEPS = Frozen(
    {
        Clock.TWELVE: (-2, 0),
        Clock.TWO: (-1, 1),
        Clock.FOUR: (1, 1),
        Clock.SIX: (2, 0),
        Clock.EIGHT: (1, -1),
        Clock.TEN: (-1, -1),
    }
)


class Cell(NamedTuple):
    """A cell as its owner names it: `row` 1 is A, next to the midline; `column` 1 is on their left."""

    row: int
    column: int

    def __str__(self) -> str:
        return f"{chr(64 + self.row)}{self.column}"


class Exit(NamedTuple):
    """The exit of a beam: the owner of the rear boundary, and the column as they label it."""

    boundary: str
    column: int


@dataclass(frozen=True, slots=True)
class Path:
    """The way of a beam: (site, direction as south sees it) of each cell for a piece; `mask` has its bits."""

    steps: tuple[tuple[int, Clock], ...]
    mask: int
    exit: Exit


class Fan(NamedTuple):
    """The components of one piece on a site: the paths ahead of them, and the bits they resist.

    `mask` has the bits of all paths together, `exits` where they all leave. `crossed` are the bits of beams along
    the components' lines, both ways; `faced` only those of beams that arrive from where a component points.
    """

    paths: tuple[Path, ...]
    mask: int
    exits: tuple[Exit, ...]
    crossed: int
    faced: int


def bit(site: int, clock: Clock) -> int:
    """The bit of a path's mask for a beam that enters this site in this direction, as south sees it."""
    return 1 << (site * 6 + clock // 2 % 6)


@dataclass(frozen=True)
class Board:
    """The geometry of a board with `columns` columns (odd) and `rows` half-rows in each territory."""

    columns: int
    rows: int

    def __reduce__(self) -> tuple[Callable[[int, int], Board], tuple[int, int]]:
        return board, (self.columns, self.rows)

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of a territory, row by row from the midline, each row from its owner's left."""
        return tuple(
            Cell(row, column)
            for row in range(1, self.rows + 1)
            for column in range(1, self.columns + 1)
            if (row + column) % 2
        )

    @cached_property
    def sites(self) -> Mapping[str, Mapping[Cell, int]]:
        """Each side's cells with their sites."""
        size = len(self.cells)
        return Frozen(
            {
                side: Frozen({cell: number + size * seat for number, cell in enumerate(self.cells)})
                for seat, side in enumerate(SIDES)
            }
        )

    @cached_property
    def places(self) -> tuple[tuple[str, Cell], ...]:
        """Every site's owner and cell."""
        return tuple((side, cell) for side in SIDES for cell in self.cells)

    @cached_property
    def near(self) -> tuple[int, ...]:
        """For every site, the sites next to it, across the midline too, as a set of bits (1 << site)."""
        return tuple(self._around(site, CLOCKS) for site in range(len(self.places)))

    @cached_property
    def rear(self) -> tuple[int, ...]:
        """For every site, the sites of the same territory on its three rear cells, as a set of bits."""
        territory = {side: sum(1 << site for site in sites.values()) for side, sites in self.sites.items()}
        return tuple(self._around(site, _REAR) & territory[side] for site, (side, _) in enumerate(self.places))

    @cached_property
    def front(self) -> tuple[tuple[int, ...], ...]:
        """For every site, the sites that it is a rear cell of."""
        sites = range(len(self.places))
        return tuple(tuple(one for one in sites if self.rear[one] >> site & 1) for site in sites)

    @cached_property
    def bits(self) -> tuple[int, ...]:
        """For every site, its bits in the mask of a path in all directions."""
        return tuple(63 << site * 6 for site in range(len(self.places)))

    def missing(self, cell: Cell) -> str | None:
        """The reason why a territory has no such cell, or None if it has."""
        letters = f"A to {chr(64 + self.rows)}"
        if not 1 <= cell.row <= self.rows:
            return f"the rows of this board are {letters}"
        if not 1 <= cell.column <= self.columns:
            return f"the columns of this board are 1 to {self.columns}"
        if (cell.row + cell.column) % 2 == 0:
            return f"row {chr(64 + cell.row)} has the {'even' if cell.row % 2 else 'odd'} columns"
        return None

    @cached_property
    def path(self) -> Callable[[int, Clock], Path]:
        """The path ahead of a beam from a site, by its direction as south sees it."""
        return cache(self._follow)

    @cached_property
    def fan(self) -> Callable[[int, PlacedPiece], Fan]:
        """The fan of a piece on a site."""
        return lru_cache(_REMEMBERED)(self._spread)

    def _spread(self, site: int, piece: PlacedPiece) -> Fan:
        side, _ = self.places[site]
        clocks = [seen_by(side, clock) for clock in piece.components]
        paths = tuple(self.path(site, clock) for clock in clocks)
        mask = along = against = 0
        for path, clock in zip(paths, clocks, strict=True):
            mask |= path.mask
            along |= bit(site, clock)
            # A beam that arrives from a direction travels the opposite way.
            against |= bit(site, clock.opposite)
        return Fan(paths, mask, tuple(path.exit for path in paths), along | against, against)

    @cached_property
    def _site_at(self) -> dict[tuple[int, int], int]:
        return {self.south_view(*place): site for site, place in enumerate(self.places)}

    def south_view(self, side: str, cell: Cell) -> tuple[int, int]:
        """A cell as (half-row, column) from south's chair: 0 is the midline, north's rows are negative."""
        return (cell.row, cell.column) if side == "south" else (-cell.row, self.columns + 1 - cell.column)

    def _around(self, site: int, clocks: tuple[Clock, ...]) -> int:
        side, cell = self.places[site]
        row, column = self.south_view(side, cell)
        forward = 1 if side == "south" else -1
        beside = ((row + forward * STEPS[c][0], column + forward * STEPS[c][1]) for c in clocks)
        return sum(1 << self._site_at[place] for place in beside if place in self._site_at)

    def _follow(self, site: int, clock: Clock) -> Path:
        row, column = self.south_view(*self.places[site])
        down, right = STEPS[clock]
        steps = []
        while abs(row + down) <= self.rows:
            row, column = row + down, column + right
            if column in (0, self.columns + 1):
                right = -right
                clock = CLOCKS[-clock // 2 % 6]  # left and right are exchanged
            elif (row, column) in self._site_at:
                steps.append((self._site_at[row, column], clock))
        edge = column + right
        side = "south" if down > 0 else "north"
        label = edge if side == "south" else self.columns + 1 - edge
        return Path(tuple(steps), sum(bit(*step) for step in steps), Exit(side, label))


@lru_cache(maxsize=16)
def board(columns: int, rows: int) -> Board:
    """The board of that size, shared by its games with the paths followed so far."""
    return Board(columns, rows)


def seen_by(side: str, clock: Clock) -> Clock:
    """A direction as the other chair sees it if the side is north; south's view is the common one."""
    return clock if side == "south" else clock.opposite
