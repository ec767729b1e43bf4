"""Positions of Beams, Boosters and Barriers: where the pieces are, what a move does, when the game ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, cycle

from referee.rules.beams.board import SIDES, Board, other
from referee.rules.beams.events import BeamGained, BeamLost, Placed, PowerChanged, Rotated, ScoreChanged
from referee.rules.beams.legality import BeamsTable
from referee.rules.beams.light import Beam, Light, LiveLight
from referee.rules.beams.pieces import PLACED_PIECES, Move, PieceType, Place, PlacedPiece, Rotate
from referee.rules.contract import Event, Position
from referee.rules.cursor import Cursor
from referee.rules.frozen import Frozen
from referee.rules.outcome import Facts, Outcome, Termination
from referee.rules.turns import NOBODY, alone


@dataclass(frozen=True, repr=False)
class BeamsPosition(BeamsTable, Position[Place | Rotate]):
    """A position of beams (rules/beams.md).

    `stones` are the pieces by site, `hands` the pieces not yet placed. `mover` is the side to move in
    synchronous play, None in asynchronous play. `rotated` are the sides whose previous move was a rotation.
    `left` counts the remaining plies once both hands are empty, None before. `light` is the effect of the stones
    on each other.
    """

    game = "beams"
    sides = SIDES
    kinds = (Place, Rotate)

    board: Board
    light: Light = field(hash=False)
    hands: Frozen[str, Frozen[PieceType, int]] = field(hash=False)
    stones: Frozen[int, PlacedPiece]
    mover: str | None = None
    rotated: frozenset[str] = NOBODY
    left: int | None = None

    @property
    def to_move(self) -> frozenset[str]:
        """The sides that owe a move now."""
        return self._due()

    @property
    def counters(self) -> Mapping[str, Mapping[int, int]]:
        """The counters behind both rear boundaries, one for each beam, by the column as its owner labels it."""
        rows = {side: Counter[int]() for side in SIDES}
        for boundary, column in chain.from_iterable(self.light.exits.values()):
            rows[boundary][column] += 1
        return Frozen({side: Frozen(row) for side, row in rows.items()})

    @property
    def score(self) -> Mapping[str, int]:
        """Each side's points: the sum of the counters on the opponent's rear boundary."""
        return _score(*self.light.left)

    def award(self, winner: str | None) -> Mapping[str, int]:
        """The points on the board, with any winner."""
        return self.score

    @cached_property
    def beams(self) -> tuple[Beam, ...]:
        """Every beam on the board, and what became of it."""
        return self.light.beams(self.stones)

    @property
    def outcome(self) -> Outcome | None:
        """The winner by points once the last rotations are made."""
        return verdict(*self.score.values()) if self.left == 0 else None

    def play_unchecked(self, moves: Mapping[str, Move]) -> BeamsPosition:
        """The position after legal moves of all sides to move."""
        cursor = BeamsCursor(self)
        cursor.play_unchecked(moves)
        return cursor.position

    def facts(self) -> Facts:
        """Pieces, hands, beams, counters and score (design: "The contract")."""
        return {
            "pieces": [self._piece_facts(site) for site in sorted(self.stones)],
            "hands": {side: {str(piece): n for piece, n in self.hands[side].items()} for side in SIDES},
            "beams": [_beam_facts(beam) for beam in self.beams],
            "counters": {
                side: {str(column): n for column, n in sorted(self.counters[side].items())} for side in SIDES
            },
            "score": dict(self.score),
        }

    def _piece_facts(self, site: int) -> Facts:
        side, cell = self.board.places[site]
        piece, clock = self.stones[site]
        return {
            "side": side,
            "piece": str(piece),
            "cell": str(cell),
            "clock": clock and int(clock),
            "power": clock and self.light.power(site),
        }

    def pieces(self, moves: Iterable[Move]) -> Iterator[tuple[str, str]]:
        """The pieces that are placed or turned."""
        names = {site: str(stone.piece) for site, stone in self.stones.items()}
        first = self.mover or SIDES[0]
        for side, move in zip(cycle((first, other(first))), moves, strict=False):
            site = self.board.sites[side][move.cell]
            if isinstance(move, Place):
                names[site] = str(move.piece)
            yield side, names[site]

    def events(self, moves: Mapping[str, Move], after: BeamsPosition) -> tuple[Event, ...]:
        """The moves, the pieces that became stronger, the beams gained and lost, and the changes of score."""
        found: list[Event] = []
        for side, move in moves.items():
            site = self.board.sites[side][move.cell]
            kind = Placed if isinstance(move, Place) else Rotated
            found.append(kind(side, move.cell, after.stones[site]))
        for site, stone in self.stones.items():
            power = after.light.power(site)
            if stone.clock is not None and power != self.light.power(site):
                found.append(PowerChanged(*self.board.places[site], stone, power))
        found += _beam_changes(self.beams, after.beams)
        found += [
            ScoreChanged(side, self.score[side], after.score[side])
            for side in SIDES
            if self.score[side] != after.score[side]
        ]
        return tuple(found)


class BeamsCursor(BeamsTable, Cursor[Place | Rotate]):
    """The pieces and the light of a position, changed in place by each ply."""

    light: LiveLight
    hands: dict[str, dict[PieceType, int]]
    stones: dict[int, PlacedPiece]

    def __init__(self, position: BeamsPosition) -> None:
        self._here: BeamsPosition | None = position
        self.board, self.light = position.board, LiveLight(position.light)
        self.hands = {side: dict(hand) for side, hand in position.hands.items()}
        self.stones = dict(position.stones)
        self.mover, self.rotated, self.left = position.mover, position.rotated, position.left
        self.sides, self.to_move = SIDES, position.to_move
        self._in_hand = sum(sum(hand.values()) for hand in position.hands.values())

    @property
    def position(self) -> BeamsPosition:
        """The position here."""
        if self._here is None:
            hands = Frozen({side: Frozen(hand) for side, hand in self.hands.items()})
            light, stones = self.light.light(), Frozen(self.stones)
            self._here = BeamsPosition(self.board, light, hands, stones, self.mover, self.rotated, self.left)
        return self._here

    def any_move(self, side: str, below: Callable[[int], int]) -> Move:
        """As `Position.any_move`."""
        return self._draw(side, below)

    def play(self, moves: Mapping[str, Move]) -> None:
        """Judge the moves of a ply and go past it."""
        if moves.keys() != self.to_move:
            self.position.play(moves)
        for side, move in moves.items():
            self._check(side, move)
        self.play_unchecked(moves)

    def play_unchecked(self, moves: Mapping[str, Move]) -> None:
        """Go past a ply whose moves are known to be legal."""
        self._here = None
        changed = {}
        for side, move in moves.items():
            site = self.board.sites[side][move.cell]
            if isinstance(move, Place):
                stone = PLACED_PIECES[move.piece, move.clock]
                self.hands[side][move.piece] -= 1
                self._in_hand -= 1
                if self.rotated:
                    self.rotated -= alone(side)
            else:
                stone = self.stones[site].turned(move.turn)
                self.rotated |= alone(side)
            self.stones[site] = changed[site] = stone
        self.light.change(changed)
        if self.mover is not None:
            self.mover = other(self.mover)
        if self.left is not None:
            self.left -= 1
        elif not self._in_hand:
            self.left = 1 if self.mover is None else 2
        self.to_move = self._due()


@lru_cache(maxsize=1 << 12)
def _score(south: int, north: int) -> Frozen[str, int]:
    """The score by the beams that leave over south's and north's rear boundary; cached, as every ply needs it."""
    return Frozen({"south": north, "north": south})


@lru_cache(maxsize=1 << 12)
def verdict(south: int, north: int) -> Outcome:
    """The end of a game with these points."""
    winner = None if south == north else "south" if south > north else "north"
    return Outcome(winner, Termination.SCORE, Frozen({"south": south, "north": north}))


def _beam_facts(beam: Beam) -> Facts:
    return {
        "side": beam.side,
        "cell": str(beam.cell),
        "clock": int(beam.clock),
        "power": beam.power,
        "exit": beam.exit and {"boundary": beam.exit.boundary, "column": beam.exit.column},
    }


def _beam_changes(before: tuple[Beam, ...], after: tuple[Beam, ...]) -> Iterator[Event]:
    was = Counter((beam.side, beam.cell, beam.clock, beam.exit) for beam in before if beam.exit)
    now = Counter((beam.side, beam.cell, beam.clock, beam.exit) for beam in after if beam.exit)
    for side, cell, clock, gone in was - now:
        if gone is not None:
            yield BeamLost(side, cell, clock, gone)
    for beam in after:
        if beam.exit is not None and not was[beam.side, beam.cell, beam.clock, beam.exit]:
            yield BeamGained(beam, beam.exit)
