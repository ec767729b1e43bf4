"""Positions of The Beam: whose task it is, what is legal, what the beam collects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import assert_never

from referee.errors import IllegalMove
from referee.rules.contract import Event, Position
from referee.rules.cursor import TurnCursor
from referee.rules.frozen import Frozen
from referee.rules.outcome import Facts, Outcome, Termination
from referee.rules.the_beam.deal import ROUNDS, Deal
from referee.rules.the_beam.events import Allocated, BeamWalked, CardsTurned, DiscCollected, MirrorChanged
from referee.rules.the_beam.pieces import (
    COLOURS,
    GRID,
    PLAYERS,
    POINTS,
    ROW,
    SIZE,
    TEAM,
    Allocate,
    BeamWalk,
    Move,
    Place,
    PlaceMirror,
    Slash,
    TakeMirror,
    TurnMirror,
    walked,
)
from referee.rules.turns import NOBODY, alone

MIRRORS = 12
ALLOCATING, MIRRORING = 2, 3
"""The tasks of a round that require a choice."""

_IN_ROW = Frozen({colour: (*(Place(row, column) for column in range(SIZE + 1)),) for colour, row in ROW.items()})
"""For each colour, the squares of its row by their columns."""


def player_of(task: int, round_number: int) -> str:
    """The player with this task in a round; all players go on to the next task after each round."""
    return PLAYERS[(task - round_number) % 4]


class TheBeamTable:
    """The grid, the deal and the tasks, and the rules for moves; `TheBeamPosition` describes each field."""

    deal: Deal
    discs: Mapping[Place, str]
    mirrors: Mapping[Place, Slash]
    round: int
    allocated: Allocate | None

    @property
    def cards(self) -> tuple[int, int] | None:
        """The round's two cards; None after the last round, or if they are not turned over yet."""
        return self.deal.cards(self.round)

    def _check(self, side: str, move: Move) -> None:
        if isinstance(move, Allocate) != (self.allocated is None):
            due = "a mirror" if self.allocated else "to allocate the cards"
            raise IllegalMove("not-your-turn", f"{side}'s task now is {due}")
        match move:
            case Allocate():
                if sorted((move.mirror, move.beam)) != sorted(self.cards or ()):
                    shown = " and ".join(map(str, self.cards or ()))
                    raise IllegalMove("wrong-cards", f"the cards are {shown}: one is the mirror's, one the beam's")
            case PlaceMirror():
                square = move.square
                self._refuse_row(square)
                if square in self.discs:
                    raise IllegalMove("occupied", f"a {self.discs[square]} disc lies on {square}")
                if square in self.mirrors:
                    raise IllegalMove("occupied", f"a mirror stands on {square} already")
                if len(self.mirrors) >= MIRRORS:
                    raise IllegalMove("no-mirrors-left", f"all {MIRRORS} mirrors stand on the grid")
            case TurnMirror() | TakeMirror():
                self._refuse_row(move.square)
                if move.square not in self.mirrors:
                    raise IllegalMove("no-mirror", f"there is no mirror on {move.square}")
            case _:
                assert_never(move)

    def _refuse_row(self, square: Place) -> None:
        if not (1 <= square.row <= SIZE and 1 <= square.column <= SIZE):
            raise IllegalMove("unknown-square", f"there is no square {square}: rows and columns are 1 to 6")
        row = self._row
        if square.row != row:
            raise IllegalMove("wrong-row", f"this round's mirror is in row {row}, not in row {square.row}")

    @property
    def _row(self) -> int:
        return self.allocated.mirror if self.allocated else 0


@dataclass(frozen=True, repr=False)
class TheBeamPosition(TheBeamTable, Position[Allocate | PlaceMirror | TurnMirror | TakeMirror]):
    """A position of The Beam.

    `deal` is the known part of the decks, including cards that are not turned over yet: no facts show it.
    `barriers` are the squares with a barrier on their bottom edge. `allocated` has the row and the column
    once the round's cards have their tasks, `walk` is that of the last beam.
    """

    game = "the-beam"
    sides = PLAYERS
    kinds = (Allocate, PlaceMirror, TurnMirror, TakeMirror)

    deal: Deal
    discs: Frozen[Place, str]
    barriers: frozenset[Place]
    mirrors: Frozen[Place, Slash]
    collected: tuple[str, ...] = ()
    round: int = 1
    allocated: Allocate | None = None
    walk: BeamWalk | None = None

    @property
    def to_move(self) -> frozenset[str]:
        """The player with the present task; empty until the next cards are turned over."""
        if self.cards is None:
            return NOBODY
        return alone(player_of(MIRRORING if self.allocated else ALLOCATING, self.round))

    @property
    def score(self) -> Mapping[str, int]:
        """The team's points."""
        return _score(self.collected)

    def award(self, winner: str | None) -> Mapping[str, int]:
        """The team's points, with any winner."""
        return self.score

    @property
    def outcome(self) -> Outcome | None:
        """The team's score after the last round."""
        return Outcome(TEAM, Termination.SCORE, self.score) if self.round > ROUNDS else None

    def play_unchecked(self, moves: Mapping[str, Move]) -> TheBeamPosition:
        """The position after a legal move; after a mirror's the beam is walked and the next round begins."""
        here = TheBeamCursor(self)
        here.play_unchecked(moves)
        return here.position

    def _generate(self, side: str) -> Iterator[Move]:
        # Both allocations, or the mirror's moves square by square along its row.
        if self.allocated is None:
            if self.cards is not None:
                first, second = self.cards
                yield Allocate(first, second)
                if first != second:
                    yield Allocate(second, first)
            return
        for square in GRID:
            if square.row != self._row:
                continue
            if square in self.mirrors:
                yield TurnMirror(square)
                yield TakeMirror(square)
            elif square not in self.discs and len(self.mirrors) < MIRRORS:
                yield from (PlaceMirror(slash, square) for slash in Slash)

    def pieces(self, moves: Iterable[Move]) -> Iterator[tuple[str, str | None]]:
        """The mirrors that are placed, turned or taken away, as they were before; none of an allocation."""
        mirrors, number = dict(self.mirrors), self.round
        for move in moves:
            if isinstance(move, Allocate):
                yield player_of(ALLOCATING, number), None
                continue
            slash = mirrors[move.square] = move.slash if isinstance(move, PlaceMirror) else mirrors[move.square]
            yield player_of(MIRRORING, number), f"mirror {slash}"
            number += 1
            if isinstance(move, TurnMirror):
                mirrors[move.square] = slash.turned

    def facts(self) -> Facts:
        """The open cards, discs and mirrors (design: "The contract")."""
        return {
            "round": min(self.round, ROUNDS),
            "cards": self.cards and list(self.cards),
            "discs": {str(square): self.discs[square] for square in sorted(self.discs)},
            "mirrors": {str(square): str(self.mirrors[square]) for square in sorted(self.mirrors)},
            "collected": list(self.collected),
            "score": self.score[TEAM],
        }

    def events(self, moves: Mapping[str, Move], after: TheBeamPosition) -> tuple[Event, ...]:
        """The move; after a mirror's the walk, the discs it collected, and the next cards."""
        ((_, move),) = moves.items()
        if isinstance(move, Allocate):
            return (Allocated(move.mirror, move.beam),)
        slash = after.mirrors.get(move.square)
        found: list[Event] = [MirrorChanged(move.square, slash, isinstance(move, PlaceMirror))]
        if after.walk is not None:
            found.append(BeamWalked(after.walk))
            found += [
                DiscCollected(self.discs[square], square, POINTS[self.discs[square]])
                for square in dict.fromkeys(after.walk.path)
                if square in self.discs
            ]
        if after.cards is not None:
            found.append(CardsTurned(*after.cards))
        return tuple(found)


class TheBeamCursor(TheBeamTable, TurnCursor[Allocate | PlaceMirror | TurnMirror | TakeMirror]):
    """The discs and mirrors of a position, changed in place."""

    kinds = TheBeamPosition.kinds
    discs: dict[Place, str]
    mirrors: dict[Place, Slash]

    def __init__(self, position: TheBeamPosition) -> None:
        self._here: TheBeamPosition | None = position
        self.deal, self._barriers = position.deal, position.barriers
        self.discs, self.mirrors, self._collected = dict(position.discs), dict(position.mirrors), position.collected
        self.round, self.allocated, self._walk = position.round, position.allocated, position.walk
        self.sides, self.to_move = PLAYERS, position.to_move

    @property
    def position(self) -> TheBeamPosition:
        """The position here."""
        if self._here is None:
            discs, mirrors = Frozen(self.discs), Frozen(self.mirrors)
            state = self._collected, self.round, self.allocated, self._walk
            self._here = TheBeamPosition(self.deal, discs, self._barriers, mirrors, *state)
        return self._here

    def _change(self, move: Move) -> None:
        """Make a legal move; after a mirror's the beam is walked and the next round begins."""
        self._here = None
        if isinstance(move, Allocate):
            self.allocated = move
            self.to_move = alone(player_of(MIRRORING, self.round))
            return
        square = move.square
        if isinstance(move, PlaceMirror):
            self.mirrors[square] = move.slash
        elif isinstance(move, TurnMirror):
            self.mirrors[square] = self.mirrors[square].turned
        else:
            del self.mirrors[square]
        column = self.allocated.beam if self.allocated else 0
        self._walk = walk = walked(column, self.mirrors, self._barriers)
        for square in walk.path:
            if square in self.discs:
                self._collected += (self.discs.pop(square),)
        self.round += 1
        self.allocated = None
        self.to_move = NOBODY if self.cards is None else alone(player_of(ALLOCATING, self.round))


@lru_cache(maxsize=1 << 12)
def _score(collected: tuple[str, ...]) -> Frozen[str, int]:
    """The team's points for these discs; cached, as every ply needs them."""
    return Frozen({TEAM: sum(map(POINTS.__getitem__, collected))})


def opening(deal: Deal) -> TheBeamPosition:
    """The position before the first round."""
    discs = Frozen({_IN_ROW[colour][column]: colour for colour in COLOURS for column in deal.discs[colour]})
    return TheBeamPosition(deal=deal, discs=discs, barriers=frozenset(discs), mirrors=Frozen())
