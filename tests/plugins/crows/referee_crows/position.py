"""Three Crows: moves, what happens, and positions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from referee.plugin import Event, Facts, Frozen, IllegalMove, Move, Outcome, Position, Termination

SIDES = ("amber", "jade", "violet")
TREES, ROUNDS, REACH = 12, 12, 3


@dataclass(frozen=True, slots=True)
class Fly(Move):
    """Fly to another tree."""

    tree: int

    def __str__(self) -> str:
        return f"F {self.tree}"


@dataclass(frozen=True, slots=True)
class Wait(Move):
    """Stay on the same tree."""

    def __str__(self) -> str:
        return "W"


@dataclass(frozen=True, slots=True)
class Landed(Event):
    """Where one crow or several came down, and whether a nut was taken."""

    sides: tuple[str, ...]
    tree: int
    nut: bool


@dataclass(frozen=True, repr=False)
class CrowsPosition(Position[Fly | Wait]):
    """The nuts of each tree; each crow's tree and nuts, in the order of the sides; and the round, from 1."""

    nuts: tuple[int, ...]
    crows: tuple[int, ...] = (1, 5, 9)
    taken: tuple[int, ...] = (0, 0, 0)
    round: int = 1

    game = "three-crows"
    sides = SIDES
    kinds = (Fly, Wait)

    @property
    def perches(self) -> Frozen[str, int]:
        """Each crow's tree."""
        return Frozen(zip(SIDES, self.crows, strict=True))

    @property
    def to_move(self) -> frozenset[str]:
        """All three at once, until the end."""
        return frozenset(SIDES if self.round <= ROUNDS and any(self.nuts) else ())

    def award(self, winner: str | None = None) -> Frozen[str, int]:
        """The nuts of each crow, whoever wins."""
        return Frozen(zip(SIDES, self.taken, strict=True))

    @property
    def outcome(self) -> Outcome | None:
        """The crow with the most nuts wins; nobody does if two have as many."""
        if self.to_move:
            return None
        best = [side for side, nuts in self.award().items() if nuts == max(self.taken)]
        return Outcome(best[0] if len(best) == 1 else None, Termination.SCORE, self.award())

    def _check(self, side: str, move: Fly | Wait) -> None:
        """Refuse a flight to no tree, to the crow's own tree, or to one out of reach."""
        if isinstance(move, Wait):
            return
        if not 1 <= move.tree <= TREES:
            raise IllegalMove("unknown-tree", f"there is no tree {move.tree}: the trees are 1 to {TREES}")
        way = (move.tree - self.perches[side]) % TREES
        if not 0 < min(way, TREES - way) <= REACH:
            raise IllegalMove("distance", f"tree {move.tree} is not 1 to {REACH} trees away")

    def _generate(self, side: str) -> Iterator[Fly | Wait]:
        """To wait, then all flights, the nearest first."""
        yield Wait()
        for way in range(1, REACH + 1):
            yield from (Fly((self.perches[side] + step - 1) % TREES + 1) for step in (way, -way))

    def play_unchecked(self, moves: Mapping[str, Fly | Wait]) -> CrowsPosition:
        """All crows fly, and those that are alone take a nut."""
        flown = {side: move.tree for side, move in moves.items() if isinstance(move, Fly)}
        crows = tuple((self.perches | flown).values())
        fed = {tree for tree in crows if crows.count(tree) == 1 and self.nuts[tree - 1]}
        nuts = tuple(left - (tree in fed) for tree, left in enumerate(self.nuts, 1))
        taken = tuple(before + (tree in fed) for before, tree in zip(self.taken, crows, strict=True))
        return CrowsPosition(nuts, crows, taken, self.round + 1)

    def events(self, moves: Mapping[str, Fly | Wait], after: CrowsPosition) -> tuple[Event, ...]:
        """One for every tree on which crows came down."""
        landed: dict[int, tuple[str, ...]] = {}
        for side, tree in after.perches.items():
            landed[tree] = (*landed.get(tree, ()), side)
        return tuple(Landed(who, tree, after.nuts[tree - 1] < self.nuts[tree - 1]) for tree, who in landed.items())

    def facts(self) -> Facts:
        """Everything is open to all."""
        return {"round": self.round, "crows": self.perches, "nuts": list(self.nuts), "score": self.award()}
