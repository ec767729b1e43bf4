"""The legal moves of Beams, Boosters and Barriers (rules: "Moves")."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from referee.errors import IllegalMove
from referee.rules.beams.board import CLOCKS, SIDES, Board, Cell
from referee.rules.beams.light import Light, LiveLight
from referee.rules.beams.pieces import FAN, GENERATORS, Move, PieceType, Place, PlacedPiece, Rotate
from referee.rules.squares import Turn
from referee.rules.turns import NOBODY, alone

BOTH = frozenset(SIDES)
TURNS = tuple(Turn)


class BeamsTable:
    """The pieces on the board and in the hands, and whose turn it is; `BeamsPosition` describes each."""

    board: Board
    light: Light | LiveLight
    hands: Mapping[str, Mapping[PieceType, int]]
    stones: Mapping[int, PlacedPiece]
    mover: str | None
    rotated: frozenset[str]
    left: int | None

    def _due(self) -> frozenset[str]:
        """The sides that owe a move; empty once the last plies are made."""
        if self.left == 0:
            return NOBODY
        return BOTH if self.mover is None else alone(self.mover)

    def _check(self, side: str, move: Move) -> None:
        """Judge a move of a side that is to move by the rules page's table of codes, in its order."""
        board, stones, hand = self.board, self.stones, self.hands[side]
        site = board.sites[side].get(move.cell)
        if site is None:
            raise IllegalMove("unknown-cell", f"there is no cell {move.cell}: {board.missing(move.cell)}")
        if isinstance(move, Place):
            piece = move.piece
            if not hand[piece]:
                raise IllegalMove("not-in-hand", f"no {piece} is left in {side}'s hand")
            if site in stones:
                raise IllegalMove("occupied", f"{stones[site].piece} stands on {move.cell} already")
            if piece in GENERATORS and (touched := self._near_generators(site)):
                owner, cell = board.places[touched.bit_length() - 1]
                message = f"a generator on {move.cell} would touch {owner}'s generator on {cell}"
                raise IllegalMove("adjacent-generator", message)
            return
        stone = stones.get(site)
        if stone is None:
            raise IllegalMove("empty-cell", f"no piece of {side}'s stands on {move.cell}")
        if stone.clock is None:
            raise IllegalMove("no-orientation", f"the piece on {move.cell} is a booster and has no orientation")
        if side in self.rotated and any(hand.values()):
            message = f"{side} rotated on the previous move and still has pieces in hand, so it must place one now"
            raise IllegalMove("must-place", message)

    def _near_generators(self, site: int) -> int:
        """A bit for each generator that touches a site."""
        return self.board.near[site] & self.light.generators

    def _generate(self, side: str) -> Iterator[Move]:
        """Placements piece by piece, cell by cell, by the clock; then rotations."""
        stones, hand, sites = self.stones, self.hands[side], self.board.sites[side]
        free = [cell for cell, site in sites.items() if site not in stones]
        apart = [cell for cell in free if not self._near_generators(sites[cell])]
        for piece in PieceType:
            if hand[piece]:
                for cell in apart if piece in GENERATORS else free:
                    yield from _placements(piece, cell)
        if side not in self.rotated or not any(hand.values()):
            for cell, site in sites.items():
                if site in stones and stones[site].clock is not None:
                    yield from (Rotate(cell, turn) for turn in Turn)

    def _draw(self, side: str, below: Callable[[int], int]) -> Move:
        """A legal move, each as likely as another, drawn until it is legal: to list all takes far longer."""
        cells, sites, stones = self.board.cells, self.board.sites[side], self.stones
        pieces = [piece for piece, left in self.hands[side].items() if left]
        choices = [len(CLOCKS) if FAN[piece] else 1 for piece in pieces]
        turns = sum(choices)
        while True:
            number, place = divmod(below((turns + len(TURNS)) * len(cells)), len(cells))
            # Most draws put a piece on another or turn none: seen before a move is made.
            if (sites[cells[place]] in stones) == (number < turns):
                continue
            try:
                move = _proposal(pieces, choices, cells[place], number)
                self._check(side, move)
            except IllegalMove:
                continue
            return move


@lru_cache(maxsize=1 << 13)
def _placements(piece: PieceType, cell: Cell) -> tuple[Place, ...]:
    """A piece on a cell in every direction; cached because moves take longer to make than to look up."""
    return tuple(Place(piece, cell, clock) for clock in (CLOCKS if FAN[piece] else (None,)))


def _proposal(pieces: Sequence[PieceType], choices: Sequence[int], cell: Cell, number: int) -> Move:
    """The move on a cell with a number: placements of each piece in all its directions, then rotations."""
    for piece, clocks in zip(pieces, choices, strict=True):
        if number < clocks:
            return _placements(piece, cell)[number]
        number -= clocks
    return Rotate(cell, TURNS[number])
