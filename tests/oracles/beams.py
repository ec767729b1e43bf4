"""The oracle: beams walked cell by cell, from the facts of a position and the rules page alone.

Nothing is shared with the referee's own evaluation. Everything is seen from south's chair as (up, right): the
midline is up 0, south's A row is up -1, north's A row is up 1, south's column 1 is right 1.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

AHEAD = {12: (2, 0), 2: (1, 1), 4: (-1, 1), 6: (-2, 0), 8: (-1, -1), 10: (1, -1)}
"""One step up and right for each direction of the clock, as south sees it."""

SPREAD = {"1": [0], "2V": [0, 1], "2Y": [0, 2], "3": [0, 1, 2]}
"""The components of a piece, by the end of its name, in clock steps from the leftmost one."""

Step = tuple[int, int]


class Standing(NamedTuple):
    """A piece on the board: its owner, its name, and the clock positions of its components as the owner sees them."""

    side: str
    piece: str
    cell: str
    clocks: list[int]


class NaiveBoard:
    """A position, rebuilt from its facts."""

    def __init__(self, facts: dict[str, Any], *, columns: int, rows: int, barriers: str) -> None:
        self.columns, self.rows, self.barriers = columns, rows, barriers
        self.at: dict[Step, Standing] = {}
        for one in facts["pieces"]:
            fan = [] if one["piece"] == "S" else SPREAD[one["piece"][1:]]
            clocks = [(one["clock"] + 2 * step - 1) % 12 + 1 for step in fan]
            self.at[self.place(one["side"], one["cell"])] = Standing(one["side"], one["piece"], one["cell"], clocks)

    def place(self, side: str, cell: str) -> Step:
        """The place of a cell by its owner's name for it."""
        row, column = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(cell[0]) + 1, int(cell[1:])
        return (-row, column) if side == "south" else (row, self.columns + 1 - column)

    def step(self, side: str, clock: int) -> Step:
        """One step in a direction by the owner's clock."""
        up, right = AHEAD[clock]
        return (up, right) if side == "south" else (-up, -right)

    def power(self, place: Step) -> int:
        """1, and 1 for each booster of the same owner on the three rear cells."""
        standing = self.at[place]
        power = 1
        for clock in (4, 6, 8):
            up, right = self.step(standing.side, clock)
            behind = self.at.get((place[0] + up, place[1] + right))
            if behind is not None and behind.piece == "S" and behind.side == standing.side:
                power += 1
        return power

    def resists(self, place: Step, travel: Step) -> bool:
        """True if a barrier at a place resists a beam in this direction."""
        standing = self.at.get(place)
        if standing is None or not standing.piece.startswith("R"):
            return False
        pointed = [self.step(standing.side, clock) for clock in standing.clocks]
        came_from = (-travel[0], -travel[1])
        return came_from in pointed or (self.barriers == "crossing" and travel in pointed)

    def walk(self, place: Step, travel: Step) -> tuple[int, tuple[str, int] | None]:
        """The remaining power of a beam, and the boundary and column where it leaves, or None if it stops."""
        power = self.power(place)
        (up, right), (upward, sideways) = place, travel
        while True:
            up, right = up + upward, right + sideways
            if up > self.rows:
                return power, ("north", self.columns + 1 - right)
            if up < -self.rows:
                return power, ("south", right)
            if right in (0, self.columns + 1):
                sideways = -sideways
            if self.resists((up, right), (upward, sideways)):
                power -= self.power((up, right))
                if power <= 0:
                    return 0, None

    def beams(self) -> list[tuple[str, str, int, int, tuple[str, int] | None]]:
        """Every beam: side, cell and clock of its start, its remaining power, and its exit."""
        return sorted(
            (standing.side, standing.cell, clock, *self.walk(place, self.step(standing.side, clock)))
            for place, standing in self.at.items()
            if standing.piece.startswith("M")
            for clock in standing.clocks
        )

    def powers(self) -> dict[tuple[str, str], int | None]:
        """The power of every piece, None for a booster."""
        return {
            (standing.side, standing.cell): None if standing.piece == "S" else self.power(place)
            for place, standing in self.at.items()
        }

    def counters(self) -> dict[str, dict[str, int]]:
        """The beams that leave over each boundary, by the column as its owner labels it."""
        leaving = Counter(exit_ for *_, exit_ in self.beams() if exit_ is not None)
        return {
            side: {str(column): n for (boundary, column), n in leaving.items() if boundary == side}
            for side in ("south", "north")
        }

    def score(self) -> dict[str, int]:
        """Each side's points: the beams counted on the opponent's boundary."""
        counters = self.counters()
        return {"south": sum(counters["north"].values()), "north": sum(counters["south"].values())}
