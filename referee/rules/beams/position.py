"""Positions of Beams, Boosters and Barriers: what is legal, what a move does, when the game ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from referee.errors import IllegalMove
from referee.rules.beams import events as happened
from referee.rules.beams.board import CLOCKS, SIDES, Board, other
from referee.rules.beams.light import Beam, Counters, Light
from referee.rules.beams.pieces import (
    FAN,
    GENERATORS,
    PLACED_PIECES,
    Move,
    PieceType,
    Place,
    PlacedPiece,
    Rotate,
    Turn,
)
from referee.rules.contract import Event, Facts, Moves, Outcome, Position
from referee.rules.frozen import frozen

BOTH = frozenset(SIDES)
ALONE = {side: frozenset((side,)) for side in SIDES}
NOBODY: frozenset[str] = frozenset()
TURNS = tuple(Turn)


@dataclass(frozen=True)
class BeamsPosition(Position):
    """A position of beams (rules/beams.md).

    `stones` are the pieces by site, `hands` the pieces not yet placed. `mover` is the side to move in
    synchronous play, None in asynchronous play. `rotated` are the sides whose previous move was a rotation.
    `left` counts the plies that are still to come once both hands are empty, None before. `light` is what
    the stones do to each other. Only a `scratch` position's mappings can be changed.
    """

    game = "beams"
    sides = SIDES
    kinds = (Place, Rotate)

    board: Board
    light: Light = field(hash=False)
    hands: dict[str, dict[PieceType, int]] = field(hash=False)
    stones: dict[int, PlacedPiece]
    mover: str | None = None
    rotated: frozenset[str] = NOBODY
    left: int | None = None

    def __post_init__(self) -> None:
        self._freeze()

    def _freeze(self) -> None:
        """Let nobody change what this position holds any more."""
        fields = self.__dict__
        fields["light"] = self.light.frozen()
        fields["hands"] = frozen({side: frozen(hand) for side, hand in self.hands.items()})
        fields["stones"] = frozen(self.stones)

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
        south, north = score["south"], score["north"]
        leader = None if south == north else "south" if south > north else "north"
        return Outcome(leader, "score", score)

    def refuse(self, side: str, move: Move) -> None:
        """Raise IllegalMove with the first code of the rules page's table that applies."""
        self._put(side, move)

    def _put(self, side: str, move: Move) -> tuple[int, PlacedPiece]:
        """The site that a move is about, and what stands there after it; IllegalMove as `refuse` says."""
        site = self.board.sites[side].get(move.cell)
        if site is None:
            raise IllegalMove("unknown-cell", f"there is no cell {move.cell}: {self.board.missing(move.cell)}")
        if isinstance(move, Place):
            piece = move.piece
            if not self.hands[side][piece]:
                raise IllegalMove("not-in-hand", f"no {piece} is left in {side}'s hand")
            if site in self.stones:
                raise IllegalMove("occupied", f"{self.stones[site].piece} stands on {move.cell} already")
            if piece in GENERATORS and (touched := self._touched(site)):
                owner, cell = self.board.places[touched.bit_length() - 1]
                message = f"a generator on {move.cell} would touch {owner}'s generator on {cell}"
                raise IllegalMove("adjacent-generator", message)
            return site, PLACED_PIECES[piece, move.clock]
        stone = self.stones.get(site)
        if stone is None:
            raise IllegalMove("empty-cell", f"no piece of {side}'s stands on {move.cell}")
        if stone.clock is None:
            raise IllegalMove("no-orientation", f"the piece on {move.cell} is a booster and has no orientation")
        if side in self.rotated and any(self.hands[side].values()):
            message = f"{side} rotated on the previous move and still has pieces in hand: now one is placed"
            raise IllegalMove("must-place", message)
        return site, stone.turned(move.turn)

    def _touched(self, site: int) -> int:
        """The generators that touch a site, a bit for each."""
        return self.board.near[site] & self.light.generators

    def play_unchecked(self, moves: Moves) -> BeamsPosition:
        """The position after legal moves of all sides to move."""
        after = self.scratch().advance(moves)
        after._freeze()
        return after

    def scratch(self) -> BeamsPosition:
        """A copy that shares nothing that a move changes."""
        hands = {side: dict(hand) for side, hand in self.hands.items()}
        return self._after(
            **{**self.__dict__, "light": self.light.copy(), "hands": hands, "stones": dict(self.stones)}
        )

    def advance(self, moves: Moves) -> BeamsPosition:
        """As `play`, this position being changed in place; it stays as it was if a move is refused."""
        if moves.keys() != self.to_move:
            self._refuse_incomplete(moves)
        changed = [self._put(side, move) for side, move in moves.items()]
        hands, fields = self.hands, self.__dict__
        for side, move in moves.items():
            if isinstance(move, Place):
                hands[side][move.piece] -= 1
                if self.rotated:
                    fields["rotated"] = self.rotated - ALONE[side]
            else:
                fields["rotated"] = self.rotated | ALONE[side]
        self.stones.update(changed)
        self.light.change(changed)
        if self.mover is not None:
            fields["mover"] = other(self.mover)
        if self.left is not None:
            fields["left"] = self.left - 1
        elif not any(hands["south"].values()) and not any(hands["north"].values()):
            fields["left"] = 1 if self.mover is None else 2
        return self

    def listed(self, side: str) -> Iterator[Move]:
        """Placements piece by piece, cell by cell, by the clock; then rotations."""
        free = [cell for cell, site in self.board.sites[side].items() if site not in self.stones]
        apart = [cell for cell in free if not self._touched(self.board.sites[side][cell])]
        for piece in PieceType:
            if self.hands[side][piece]:
                for cell in apart if piece in GENERATORS else free:
                    for clock in CLOCKS if FAN[piece] else (None,):
                        yield Place(piece, cell, clock)
        if side not in self.rotated or not any(self.hands[side].values()):
            for cell, site in self.board.sites[side].items():
                if site in self.stones and self.stones[site].clock is not None:
                    yield from (Rotate(cell, turn) for turn in Turn)

    def piece_of(self, side: str, move: Move) -> str | None:
        """The piece that is placed or turned."""
        if isinstance(move, Place):
            return str(move.piece)
        stone = self.stones.get(self.board.sites[side].get(move.cell, -1))
        return stone and str(stone.piece)

    def any_move(self, side: str, below: Callable[[int], int]) -> Move:
        """A legal move of a side that is to move, each as likely as another.

        What the hand and the territory could give is proposed until it is legal: to list thousands of moves takes
        a hundred times as long.
        """
        cells = self.board.cells
        pieces = [piece for piece, left in self.hands[side].items() if left]
        choices = [len(CLOCKS) if FAN[piece] else 1 for piece in pieces]
        proposals = sum(choices) + len(TURNS)
        while True:
            number, place = divmod(below(proposals * len(cells)), len(cells))
            move: Move | None = None
            for piece, clocks in zip(pieces, choices, strict=True):
                if number < clocks:
                    move = _placement(piece, cells[place], CLOCKS[number] if FAN[piece] else None)
                    break
                number -= clocks
            try:
                move = move or Rotate(cells[place], TURNS[number])
                self._put(side, move)
            except IllegalMove:
                continue
            return move

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


_placement = lru_cache(maxsize=1 << 13)(Place)
"""Moves are values, and it takes longer to make one than to remember it."""


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
