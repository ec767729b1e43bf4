"""The best engine solves problems of Laser Chess: positions won in two or three turns, as plain search proves."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

import referee
from referee.engine import choose
from referee.engine.search.solver import winning_moves, won_in
from referee.rules.laser_chess import LaserChessPosition
from referee.rules.laser_chess.setups import rows
from tests.oracles import laser_chess as oracle
from tests.support.rows import each
from tests.support.tables import table


class Problem(NamedTuple):
    """A position, the number of turns in which the side to move wins, and all its winning moves."""

    start: str
    turns: int
    moves: list[str]

    @property
    def position(self) -> LaserChessPosition:
        return referee.start("laser-chess", position=self.start)


FILE = Path(__file__).with_name("laser-chess-problems.yaml")
PROBLEMS = [Problem(**row) for row in table(FILE)]
TWO, THREE = ([one for one in PROBLEMS if one.turns == turns] for turns in (2, 3))


def test_there_are_enough_and_none_occurs_twice() -> None:
    assert len(TWO) >= 20
    assert len(THREE) >= 10
    assert len({(problem.position.squares, problem.position.mover) for problem in PROBLEMS}) == len(PROBLEMS)


def test_both_sides_have_an_army() -> None:
    for problem in PROBLEMS:
        pieces = [piece.side for piece in problem.position.squares if piece is not None]
        assert min(pieces.count("blue"), pieces.count("red")) >= 5, problem.start


@pytest.mark.slow
@each(PROBLEMS, every=6)
def test_the_best_engine_solves_it(problem: Problem) -> None:
    position = problem.position
    assert str(choose(position, position.mover, 8)) in problem.moves


@pytest.mark.slow
@each(PROBLEMS[::3])
def test_every_reply_loses_after_these_moves_and_no_others(problem: Problem) -> None:
    position = problem.position
    assert [str(move) for move in winning_moves(position, problem.turns)] == problem.moves
    assert won_in(position, problem.turns - 1) is None


@pytest.mark.slow
@each(TWO)
def test_the_rules_by_their_words_agree(problem: Problem) -> None:
    position = problem.position
    board, side = oracle.board(rows(position.squares)), position.mover
    listed = {*map(str, position.legal_moves())}
    assert {text for text in oracle.legal(board, side) if text in listed and wins(board, side, text)} == {
        *problem.moves
    }


def after(board: oracle.Board, side: str, text: str) -> tuple[oracle.Board, str | None]:
    """The board after a move and its shot, and the side that has won by it."""
    board = oracle.moved(board, text)
    _, lost = oracle.shot(board, side)
    gone = board.pop(lost) if lost is not None else ""
    return board, {"K": "red", "k": "blue"}.get(gone[:1])


def wins(board: oracle.Board, side: str, text: str) -> bool:
    """True if a move wins at once, or with the next move against every answer."""
    board, winner = after(board, side, text)
    if winner is not None:
        return winner == side
    other = "red" if side == "blue" else "blue"
    return all(beaten(side, *after(board, other, reply)) for reply in oracle.legal(board, other))


def beaten(side: str, board: oracle.Board, winner: str | None) -> bool:
    """True if a side has won, or wins with one move."""
    if winner is not None:
        return winner == side
    return any(after(board, side, text)[1] == side for text in oracle.legal(board, side))
