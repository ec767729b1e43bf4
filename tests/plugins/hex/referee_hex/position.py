"""Hex: moves and positions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from referee.plugin import Board, Facts, Frozen, IllegalMove, Move, Square, TwoSided

SIDES = ("red", "blue")
CONNECTION = "connection"


@dataclass(frozen=True, slots=True)
class Place(Move):
    """Put a stone on a cell."""

    form = "P {cell}"
    spoken = "put|place|play"

    cell: Square


@dataclass(frozen=True, slots=True)
class Swap(Move):
    """Swap: answer the first stone by one of yours on the mirrored cell instead of it."""

    form = "S"
    spoken = "swap"


@dataclass(frozen=True, repr=False)
class HexPosition(TwoSided[Place | Swap]):
    """The stones on a rhombus; red connects the first rank with the last one, blue the first file with the last."""

    game = "hex"
    sides = SIDES
    kinds = (Place, Swap)

    size: int
    mover: str = "red"
    swapped: bool = False
    stones: Frozen[Square, str] = field(default_factory=Frozen)

    @property
    def board(self) -> Board:
        """The cells."""
        return Board(self.size, self.size, hexagons=True)

    @cached_property
    def verdict(self) -> tuple[str, str] | None:
        """The win of the side that moved last, once its stones connect its edges."""
        return (self.rival, CONNECTION) if self._connects(self.rival) else None

    def _connects(self, side: str) -> bool:
        own = {cell for cell, owner in self.stones.items() if owner == side}
        axis = 1 if side == "red" else 0
        reached = [cell for cell in own if cell[axis] == 1]
        for cell in reached:
            own.discard(cell)
            reached += [one for one in self.board.near(cell) if one in own and one not in reached]
        return any(cell[axis] == self.size for cell in reached)

    @property
    def may_swap(self) -> bool:
        """True in the second ply."""
        return len(self.stones) == 1 and not self.swapped

    def _check(self, side: str, move: Place | Swap) -> None:
        if isinstance(move, Swap):
            if not self.may_swap:
                raise IllegalMove("swap", "only the first stone can be swapped, by the answer to it")
            return
        self.board.number(move.cell)
        if move.cell in self.stones:
            raise IllegalMove("occupied", f"a {self.stones[move.cell]} stone is on {move.cell}")

    def _generate(self, side: str) -> Iterator[Place | Swap]:
        if self.may_swap:
            yield Swap()
        yield from (Place(cell) for cell in self.board.numbers if cell not in self.stones)

    def play_unchecked(self, moves: Mapping[str, Place | Swap]) -> HexPosition:
        """The position with one stone more, or with the first stone mirrored."""
        ((side, move),) = moves.items()
        if isinstance(move, Swap):
            ((cell, _),) = self.stones.items()
            mirrored = Frozen({Square(cell.rank, cell.file): side})
            return replace(self, stones=mirrored, mover=self.rival, swapped=True)
        return replace(self, stones=Frozen({**self.stones, move.cell: side}), mover=self.rival)

    def flaw(self) -> str | None:
        """The numbers of stones show whose turn it is."""
        red, blue = (list(self.stones.values()).count(side) for side in SIDES)
        if (red + self.swapped - blue, self.mover) not in ((0, "red"), (1, "blue")):
            return f"with {red} red and {blue} blue stones it would not be {self.mover}'s turn"
        return f"{self.mover} has won already" if self._connects(self.mover) else None

    def facts(self) -> Facts:
        """The stones, and whether the first one was swapped."""
        return {"stones": {str(cell): self.stones[cell] for cell in sorted(self.stones)}, "swapped": self.swapped}
