"""Positions as cases write them: a board in a few words, and the moves made on it."""

from __future__ import annotations

import dataclasses
from typing import Any

from referee import parse_move
from referee.rules import Position, start
from referee.rules.boundary import BoundaryPosition, Pyramid
from referee.rules.boundary.pieces import Size, at
from referee.rules.frozen import Frozen
from referee.rules.the_beam import Place, Slash, TheBeamPosition
from tests.support.cases import Case, divided

LASERS = {"j1": "L0", "a8": "l2"}
KINGS = {"K": ("e1", "K0"), "k": ("f8", "k0")}
DISCS = {colour: [1, 2, 3] for colour in ("yellow", "blue", "green", "red")}


def boundary(case: Case) -> Position:
    """Boundary: `stacks` and `stones` as facts have them, one pyramid without brackets; `first` moves."""
    if "stacks" not in case:
        return start("boundary", **case.get("options", {}))
    stacks = {square: names if isinstance(names, list) else [names] for square, names in case["stacks"].items()}
    pyramids = {at(square): tuple(map(_pyramid, names)) for square, names in stacks.items()}
    stones = {at(square): side for square, side in case.get("stones", {}).items()}
    return BoundaryPosition(Frozen(pyramids), Frozen(stones), case.get("first", "south")).judged()


def _pyramid(name: str) -> Pyramid:
    colour, size = name.split()
    return Pyramid(colour, Size(size))


def laser_chess(case: Case) -> Position:
    """Laser Chess: `board` has the pieces; lasers and kings that it leaves out are on their squares."""
    options = case.get("options", {})
    if "board" in case:
        options = {"setup": rows({square: str(piece) for square, piece in case["board"].items()})}
    position = start("laser-chess", **options)
    assert dataclasses.is_dataclass(position)
    return dataclasses.replace(position, mover=case.get("first", "blue"))


def rows(board: dict[str, str]) -> list[str]:
    """The eight rows of a board, with the lasers and kings that it leaves out."""
    kings = dict(square for letter, square in KINGS.items() if letter not in "".join(board.values()))
    board = {**LASERS, **kings, **board}
    return ["".join(board.get(f"{file}{rank}", "..") for file in "abcdefghij") for rank in range(8, 0, -1)]


def the_beam(case: Case) -> Position:
    """The Beam: `discs` (columns 1 to 3 by default), the two `decks`, and the `mirrors` on the grid."""
    options = case.get("options", {})
    if "decks" in case:
        options = {"deal": {"discs": case.get("discs", DISCS), "decks": case["decks"]}}
    position = start("the-beam", **options)
    assert isinstance(position, TheBeamPosition)
    standing = {place(square): Slash(slash) for square, slash in case.get("mirrors", {}).items()}
    return dataclasses.replace(position, mirrors=Frozen(standing)) if standing else position


def place(square: str) -> Place:
    """A square as facts write it."""
    row, column = square.split(",")
    return Place(int(row), int(column))


START = {"boundary": boundary, "laser-chess": laser_chess, "the-beam": the_beam}


def made(name: str, case: Case) -> list[tuple[Position, dict[str, Any]]]:
    """The position before each ply of a case with the moves made, and last the position reached, with none."""
    position, path = START[name](case), []
    for text in divided(case.get("plies", [])):
        moves = dict.fromkeys(position.to_move, parse_move(name, text))
        path.append((position, moves))
        position = position.play(moves)
    return [*path, (position, {})]
