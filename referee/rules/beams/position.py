"""Positions of Beams, Boosters and Barriers: what is legal, what a move does, when the game ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import assert_never

from referee.errors import IllegalMove
from referee.rules.beams import events as happened
from referee.rules.beams.board import CLOCKS, SIDES, Board, Cell, other
from referee.rules.beams.light import Beam, Counters, Light
from referee.rules.beams.pieces import FAN, GENERATORS, Move, Piece, Place, Rotate, Stone, Turn
from referee.rules.contract import Event, Facts, Moves, Outcome, Position

BOTH = frozenset(SIDES)
ALONE = {side: frozenset((side,)) for side in SIDES}
NOBODY: frozenset[str] = frozenset()


@dataclass(frozen=True)
class BeamsPosition(Position):
    """A position of beams (rules/beams.md).

    `stones` are the pieces by site, `hands` the pieces not yet placed. `mover` is the side to move in
    synchronous play, None in asynchronous play. `rotated` are the sides whose previous move was a rotation.
    `left` counts the plies that are still to come once both hands are empty, None before. `light` is what
    the stones do to each other.
    """

    sides = SIDES

    board: Board
    light: Light
    hands: Mapping[str, Mapping[Piece, int]]
    stones: Mapping[int, Stone]
    mover: str | None = None
    rotated: frozenset[str] = NOBODY
    left: int | None = None

    @property
    def to_move(self) -> frozenset[str]:
        """The sides that owe a move now."""
        if self.left == 0:
            return NOBODY
        return BOTH if self.mover is None else ALONE[self.mover]

    @property
    def counters(self) -> Counters:
        """The counters behind both rear boundaries, by the column as its owner labels it."""
        return self.light.counters

    @property
    def score(self) -> Mapping[str, int]:
        """Each side's points: the sum of the counters on the opponent's rear boundary."""
        return {side: sum(self.counters[other(side)].values()) for side in SIDES}

    def awarded(self, winner: str | None) -> Mapping[str, int]:
        """The points as they stand, whoever wins."""
        return self.score

    @property
    def beams(self) -> list[Beam]:
        """Every beam on the board, and what became of it."""
        return self.light.beams(self.stones)

    @property
    def outcome(self) -> Outcome | None:
        """The winner by points once the last rotations are made."""
        if self.left != 0:
            return None
        score = self.score
        leader = max(SIDES, key=lambda side: score[side])
        return Outcome(leader if score["south"] != score["north"] else None, "score", score)

    def refuse(self, side: str, move: Move) -> None:
        """Raise IllegalMove with the first code of the rules page's table that applies."""
        match move:
            case Place():
                self._refuse_place(side, move)
            case Rotate():
                self._refuse_rotate(side, move)
            case _:
                assert_never(move)

    def _refuse_place(self, side: str, move: Place) -> None:
        site = self._site(side, move.cell)
        if not self.hands[side][move.piece]:
            raise IllegalMove("not-in-hand", f"no {move.piece} is left in {side}'s hand")
        if site in self.stones:
            raise IllegalMove("occupied", f"{self.stones[site].piece} stands on {move.cell} already")
        if move.piece in GENERATORS and (touched := self._touched(site)) is not None:
            owner, cell = self.board.places[touched]
            raise IllegalMove(
                "adjacent-generator", f"a generator on {move.cell} would touch {owner}'s generator on {cell}"
            )

    def _refuse_rotate(self, side: str, move: Rotate) -> None:
        stone = self.stones.get(self._site(side, move.cell))
        if stone is None:
            raise IllegalMove("empty-cell", f"no piece of {side}'s stands on {move.cell}")
        if stone.clock is None:
            raise IllegalMove("no-orientation", f"the piece on {move.cell} is a booster and has no orientation")
        if side in self.rotated and any(self.hands[side].values()):
            message = f"{side} rotated on the previous move and still has pieces in hand: now one is placed"
            raise IllegalMove("must-place", message)

    def _site(self, side: str, cell: Cell) -> int:
        site = self.board.sites[side].get(cell)
        if site is None:
            raise IllegalMove("unknown-cell", f"there is no cell {cell}: {self.board.missing(cell)}")
        return site

    def _touched(self, site: int) -> int | None:
        """A generator that touches a site, or None."""
        touched = self.board.near[site] & self.light.generators
        return touched.bit_length() - 1 if touched else None

    def played(self, moves: Moves) -> BeamsPosition:
        """The position after legal moves of all sides to move."""
        stones, hands, rotated = dict(self.stones), self.hands, self.rotated
        changed = []
        for side, move in moves.items():
            site = self.board.sites[side][move.cell]
            if isinstance(move, Place):
                stone = Stone(move.piece, move.clock)
                hand = hands[side]
                hands = {**hands, side: {**hand, move.piece: hand[move.piece] - 1}}
                rotated = rotated - ALONE[side]
            else:
                stone = stones[site].turned(move.turn)
                rotated = rotated | ALONE[side]
            stones[site] = stone
            changed.append((site, stone))
        return self._after(
            board=self.board,
            light=self.light.changed(changed),
            hands=hands,
            stones=stones,
            mover=self.mover and other(self.mover),
            rotated=rotated,
            left=self._plies_left(hands),
        )

    def _plies_left(self, hands: Mapping[str, Mapping[Piece, int]]) -> int | None:
        if self.left is not None:
            return self.left - 1
        for hand in hands.values():
            if any(hand.values()):
                return None
        return 1 if self.mover is None else 2

    def listed(self, side: str) -> Iterator[Move]:
        """Placements piece by piece, cell by cell, by the clock; then rotations."""
        free = [cell for cell, site in self.board.sites[side].items() if site not in self.stones]
        apart = [cell for cell in free if self._touched(self.board.sites[side][cell]) is None]
        for piece in Piece:
            if self.hands[side][piece]:
                for cell in apart if piece in GENERATORS else free:
                    for clock in CLOCKS if FAN[piece] else (None,):
                        yield Place(piece, cell, clock)
        if side not in self.rotated or not any(self.hands[side].values()):
            for cell, site in self.board.sites[side].items():
                if site in self.stones and self.stones[site].clock is not None:
                    yield from (Rotate(cell, turn) for turn in Turn)

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

    def events(self, moves: Moves, after: BeamsPosition) -> tuple[Event, ...]:
        """The moves, the pieces that became stronger, the beams gained and lost, and the changes of score."""
        found: list[Event] = []
        for side, move in moves.items():
            site = self.board.sites[side][move.cell]
            kind = happened.Placed if isinstance(move, Place) else happened.Rotated
            found.append(kind(side, move.cell, after.stones[site]))
        for site, stone in self.stones.items():
            power = after.light.power(site)
            if stone.clock is not None and power != self.light.power(site):
                found.append(happened.PowerChanged(*self.board.places[site], stone, power))
        found += _beams_changed(self.beams, after.beams)
        found += [
            happened.ScoreChanged(side, self.score[side], after.score[side])
            for side in SIDES
            if self.score[side] != after.score[side]
        ]
        return tuple(found)


def _beam_facts(beam: Beam) -> Facts:
    return {
        "side": beam.side,
        "cell": str(beam.cell),
        "clock": int(beam.clock),
        "power": beam.power,
        "exit": beam.exit and {"boundary": beam.exit.boundary, "column": beam.exit.column},
    }


def _beams_changed(before: list[Beam], after: list[Beam]) -> Iterator[Event]:
    """Beams lost, then beams gained, told apart by generator, direction and exit."""
    was = Counter((beam.side, beam.cell, beam.clock, beam.exit) for beam in before if beam.exit)
    now = Counter((beam.side, beam.cell, beam.clock, beam.exit) for beam in after if beam.exit)
    for side, cell, clock, gone in was - now:
        if gone is not None:
            yield happened.BeamLost(side, cell, clock, gone)
    for beam in after:
        if beam.exit is not None and not was[beam.side, beam.cell, beam.clock, beam.exit]:
            yield happened.BeamGained(beam, beam.exit)
