"""The legal moves of Beams, Boosters and Barriers (rules: "Moves")."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Protocol

from referee.errors import IllegalMove
from referee.rules.beams.board import CLOCKS, SIDES, Board, Cell
from referee.rules.beams.pieces import (
    FAN,
    GENERATORS,
    Move,
    PieceType,
    Place,
    PlacedPiece,
    Rotate,
    Turn,
)
from referee.rules.frozen import Frozen

BOTH = frozenset(SIDES)
ALONE = Frozen({side: frozenset((side,)) for side in SIDES})
NOBODY: frozenset[str] = frozenset()
TURNS = tuple(Turn)


class Generators(Protocol):
    """The part of a light by which placements are judged."""

    @property
    def generators(self) -> int:
        """A bit for each site with a generator."""


class Table(Protocol):
    """The pieces on the board and in the hands, and whose turn it is; `BeamsPosition` says what each means."""

    @property
    def board(self) -> Board:
        """The board."""

    @property
    def light(self) -> Generators:
        """What the pieces do to each other."""

    @property
    def hands(self) -> Mapping[str, Mapping[PieceType, int]]:
        """The pieces not yet placed, by side."""

    @property
    def stones(self) -> Mapping[int, PlacedPiece]:
        """The pieces on the board, by site."""

    @property
    def mover(self) -> str | None:
        """The side to move; None where both move at once."""

    @property
    def rotated(self) -> frozenset[str]:
        """The sides whose previous move was a rotation."""

    @property
    def left(self) -> int | None:
        """The plies still to come once both hands are empty; None before."""


def to_move(table: Table) -> frozenset[str]:
    """The sides that owe a move; nobody once the last plies are made."""
    if table.left == 0:
        return NOBODY
    return BOTH if table.mover is None else ALONE[table.mover]


def check(table: Table, side: str, move: Move) -> None:
    """Judge a move of a side that is to move.

    Raises:
        IllegalMove: the first code of the rules page's table that applies.
    """
    board, stones, hand = table.board, table.stones, table.hands[side]
    site = board.sites[side].get(move.cell)
    if site is None:
        raise IllegalMove("unknown-cell", f"there is no cell {move.cell}: {board.missing(move.cell)}")
    if isinstance(move, Place):
        piece = move.piece
        if not hand[piece]:
            raise IllegalMove("not-in-hand", f"no {piece} is left in {side}'s hand")
        if site in stones:
            raise IllegalMove("occupied", f"{stones[site].piece} stands on {move.cell} already")
        if piece in GENERATORS and (touched := _touched(table, site)):
            owner, cell = board.places[touched.bit_length() - 1]
            message = f"a generator on {move.cell} would touch {owner}'s generator on {cell}"
            raise IllegalMove("adjacent-generator", message)
        return
    stone = stones.get(site)
    if stone is None:
        raise IllegalMove("empty-cell", f"no piece of {side}'s stands on {move.cell}")
    if stone.clock is None:
        raise IllegalMove("no-orientation", f"the piece on {move.cell} is a booster and has no orientation")
    if side in table.rotated and any(hand.values()):
        message = f"{side} rotated on the previous move and still has pieces in hand, so it must place one now"
        raise IllegalMove("must-place", message)


def _touched(table: Table, site: int) -> int:
    """The generators that touch a site, a bit for each."""
    return table.board.near[site] & table.light.generators


def moves(table: Table, side: str) -> Iterator[Move]:
    """Placements piece by piece, cell by cell, by the clock; then rotations."""
    stones, hand, sites = table.stones, table.hands[side], table.board.sites[side]
    free = [cell for cell, site in sites.items() if site not in stones]
    apart = [cell for cell in free if not _touched(table, sites[cell])]
    for piece in PieceType:
        if hand[piece]:
            for cell in apart if piece in GENERATORS else free:
                yield from _placements(piece, cell)
    if side not in table.rotated or not any(hand.values()):
        for cell, site in sites.items():
            if site in stones and stones[site].clock is not None:
                yield from (Rotate(cell, turn) for turn in Turn)


@lru_cache(maxsize=1 << 13)
def _placements(piece: PieceType, cell: Cell) -> tuple[Place, ...]:
    """A piece on a cell in every direction: moves are values, and take longer to make than to remember."""
    return tuple(Place(piece, cell, clock) for clock in (CLOCKS if FAN[piece] else (None,)))


def any_move(table: Table, side: str, below: Callable[[int], int]) -> Move:
    """A legal move of a side that is to move, each as likely as another.

    It draws placements and rotations until one is legal: listing thousands of moves takes a hundred times as long.
    """
    cells, sites, stones = table.board.cells, table.board.sites[side], table.stones
    pieces = [piece for piece, left in table.hands[side].items() if left]
    choices = [len(CLOCKS) if FAN[piece] else 1 for piece in pieces]
    turns = sum(choices)
    while True:
        number, place = divmod(below((turns + len(TURNS)) * len(cells)), len(cells))
        # Most of what is drawn puts a piece on another, or turns none: that is seen before a move is made.
        if (sites[cells[place]] in stones) == (number < turns):
            continue
        try:
            move = _proposal(pieces, choices, cells[place], number)
            check(table, side, move)
        except IllegalMove:
            continue
        return move


def _proposal(pieces: Sequence[PieceType], choices: Sequence[int], cell: Cell, number: int) -> Move:
    """The move on a cell with a number: placements of each piece in all its directions, then rotations."""
    for piece, clocks in zip(pieces, choices, strict=True):
        if number < clocks:
            return _placements(piece, cell)[number]
        number -= clocks
    return Rotate(cell, TURNS[number])


def piece_of(table: Table, side: str, move: Move) -> str | None:
    """The piece that is placed or turned."""
    if isinstance(move, Place):
        return str(move.piece)
    stone = table.stones.get(table.board.sites[side].get(move.cell, -1))
    return stone and str(stone.piece)
