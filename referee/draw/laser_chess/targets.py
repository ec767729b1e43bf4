"""Targets of Laser Chess: squares with their pieces, and the turns of a piece."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.draw.boards import reading_order, target_ids
from referee.draw.laser_chess.scene import CELL, board_grid
from referee.draw.laser_chess.text import name_of
from referee.draw.scenes.grid import square_outline
from referee.draw.scenes.target import TURN_NAMES, TURN_SIGNS, Composition, Target, Wording
from referee.rules.laser_chess import LaserChessPosition, Move, Rotate, Turn
from referee.rules.laser_chess.pieces import BOARD, FORBIDDEN, NUMBER, other
from referee.rules.laser_chess.position import change
from referee.rules.squares import Square

_STEP = Wording("M {0}-{1}", "Move {0} to {1}.", ("a piece", "its square or a turn"))
_SWAP = Wording("M {0}-{1}", "Let {0} change places with {1}.", ("a piece", "its square or a turn"))
_ROTATE = Wording("R {0} {1}", "Turn {0} {1}.", ("a piece", "its square or a turn"))


def targets(position: LaserChessPosition, *, side: str, view: str) -> Iterator[Target]:
    """All squares from the upper left, then both turns, on the upper corners of the chosen square."""
    grid = board_grid(view)
    for square in reading_order(BOARD, turned=view == "red"):
        name, phrase = _content(position, side, square)
        yield Target(str(square), f"{square}, {name}", str(square), phrase, grid.outline(*square))
    for turn in Turn:
        name, away = TURN_NAMES[turn], CELL / 2 if turn is Turn.RIGHT else -CELL / 2
        corner = square_outline((away, -CELL / 2), 13.0)
        yield Target(f"turn {turn}", f"turn it {name}", turn, name, corner, TURN_SIGNS[turn], beside=True)


def trial(position: LaserChessPosition, side: str, move: Move) -> LaserChessPosition:
    """The position after a move without its shot, because no referee shows a shot before it is fired."""
    squares = list(position.squares)
    change(squares, move)
    return replace(position, squares=tuple(squares), mover=other(side), lost=None, past=None)


def _content(position: LaserChessPosition, side: str, square: Square) -> tuple[str, str]:
    piece = position.squares[NUMBER[square]]
    if piece is not None:
        whose = "your" if piece.side == side else f"{piece.side}'s"
        return f"{whose} {name_of(piece)}", f"{whose} {piece.kind.name.lower()} on {square}"
    owner = next((one for one in FORBIDDEN if NUMBER[square] in FORBIDDEN[other(one)]), None)
    return f"empty, for {owner} only" if owner else "empty", ""


def composition(position: LaserChessPosition, side: str, move: Move) -> Composition:
    """The way to a move: piece and square, or piece and turn."""
    if isinstance(move, Rotate):
        return Composition(_ROTATE, target_ids(move))
    return Composition(_STEP if position.squares[NUMBER[move.target]] is None else _SWAP, target_ids(move))
