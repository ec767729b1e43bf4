"""Wins that are proved, and puzzles made of them."""

from __future__ import annotations

import pytest

import referee
from referee.engine.puzzles import puzzles_in
from referee.engine.solver import winning_moves, won_in
from referee.rules import Position


def wins(position: Position, side: str, turns: int) -> bool:
    """The plainest proof: some move after which every reply loses."""
    for move in position.legal_moves(side):
        after = position.play({side: move})
        if not after.to_move:
            if after.outcome is not None and after.outcome.winner == side:
                return True
            continue
        (opponent,) = after.to_move
        if turns > 1 and all(
            lost(after.play({opponent: reply}), side, turns - 1) for reply in after.legal_moves(opponent)
        ):
            return True
    return False


def lost(position: Position, side: str, turns: int) -> bool:
    if not position.to_move:
        return position.outcome is not None and position.outcome.winner == side
    return wins(position, side, turns)


def before(file: str, back: int) -> Position:
    """The position before one of the last plies of a game."""
    return list(referee.read(file).replay())[-back].before


@pytest.mark.parametrize("back", [1, 3, 5])
def test_a_win_at_once_is_found_and_no_other(back: int) -> None:
    position = before("games/laser-chess/curiosity.yaml", back)
    (side,) = position.to_move
    assert (won_in(position, 1) == 1) == wins(position, side, 1)


def test_the_puzzle_among_the_examples_is_won_in_two_by_one_move() -> None:
    position = referee.read("games/laser-chess/puzzle.yaml").start()
    (side,) = position.to_move
    assert won_in(position, 3) == 2
    assert [str(move) for move in winning_moves(position, 2)] == ["M g3-g2"]
    assert not wins(position, side, 1)
    assert wins(position, side, 2)


def test_sides_that_move_at_once_prove_nothing() -> None:
    assert won_in(referee.start("beams"), 2) is None


def test_a_game_has_its_puzzles_and_a_team_has_none() -> None:
    (puzzle,) = puzzles_in(referee.read("games/laser-chess/puzzle.yaml"), 2)
    assert (puzzle.task, str(puzzle.solution), puzzle.ply) == ("blue wins in 2", "M g3-g2", 1)
    assert str(puzzle.as_game().start()) == str(puzzle.position)
    assert not list(puzzles_in(referee.read("games/the-beam/running.yaml"), 2))
