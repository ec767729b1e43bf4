"""Wins that are proved, and puzzles made of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import referee
from referee.engine.choice import search_of
from referee.engine.puzzles import puzzles_in
from referee.engine.search.alphabeta import AlphaBeta
from referee.engine.search.solver import winning_moves, won_in
from referee.rules import Position
from tests.engine.positions import opened
from tests.oracles.wins import NaiveLaser, NaiveTrees
from tests.oracles.wins import wins as wins_naively
from tests.support.rows import each
from tests.support.tables import table

NAIVE: Mapping[str, Any] = {"laser-chess": NaiveLaser, "boundary": NaiveTrees}


def wins(position: Position, side: str, turns: int) -> bool:
    """The plainest proof: a move after which every reply loses."""
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


PUZZLES = table(Path(__file__).with_name("puzzles.yaml"))


@pytest.mark.slow
def test_a_move_that_would_have_won_several_times_is_asked_for_once() -> None:
    start = (
        "board l2 2 m0 1 k0 d2 3 / 2 m0 2 M0 4 / 3 d0 6 / 2 M3 1 S1 1 s1 m1 1 M2 / 4 s0 S1 4 / 3 M3 M2 3 M0 1 / "
        "6 D0 3 / 3 D0 K0 4 L0 | turn blue"
    )
    moves = "  M g2-h1 | M d8-c8\n  M d1-d2 | M e4-f5\n  M f7-g7\n"
    game = referee.loads(f"game: laser-chess\nstart: {start}\nmoves: |\n{moves}")
    for ply in list(game.replay())[::2]:
        assert [str(move) for move in winning_moves(ply.before, 2)] == ["M j5-j6"]
    assert [(one.ply, str(one.solution)) for one in puzzles_in(game, 2)] == [(1, "M j5-j6")]


@pytest.mark.slow
@each(PUZZLES)
def test_a_naive_full_search_finds_the_same_winning_moves(puzzle: Mapping[str, Any]) -> None:
    position = referee.start(puzzle["game"], position=puzzle["start"])
    (side,) = position.to_move
    naive = NAIVE[puzzle["game"]](position.facts())
    sides = (side, next(other for other in position.sides if other != side))
    winners = sorted(text for text in naive.legal(side) if wins_naively(naive, sides, text, 2))
    assert winners == sorted(map(str, winning_moves(position, 2))) == puzzle["winners"]
    assert not any(wins_naively(naive, sides, text, 1) for text in naive.legal(side))
    assert won_in(position, 3) == 2


@pytest.mark.parametrize("puzzle", [one for one in PUZZLES if one["game"] == "boundary"])
def test_a_win_in_two_is_not_far_and_the_start_is(puzzle: Mapping[str, Any]) -> None:
    position, start = referee.start("boundary", position=puzzle["start"]), opened("boundary", 20)
    search = search_of(start)
    assert isinstance(search, AlphaBeta)
    (side,) = position.to_move
    assert not search.evaluation.is_far(position, side, 2)
    assert [search.evaluation.is_far(start, "south", turns) for turns in (1, 2, 6)] == [True, True, False]


@pytest.mark.slow
def test_no_win_is_far() -> None:
    """Over the last plies of games that chance has made, and of one that was won."""
    positions = [opened("boundary", plies) for plies in range(0, 300, 3)]
    positions += [ply.before for ply in list(referee.read("games/boundary/trees.yaml").replay())[-8:]]
    search = search_of(positions[0])
    assert isinstance(search, AlphaBeta)
    for position in positions:
        (side,) = position.to_move
        assert not search.evaluation.is_far(position, side, 1) or won_in(position, 1) is None
        if len(list(position.legal_moves(side))) < 12:
            assert not search.evaluation.is_far(position, side, 2) or won_in(position, 2) is None


def test_sides_that_move_at_once_prove_nothing() -> None:
    assert won_in(referee.start("beams"), 2) is None


def test_a_game_has_its_puzzles_and_a_team_has_none() -> None:
    (puzzle,) = puzzles_in(referee.read("games/laser-chess/puzzle.yaml"), 2)
    assert (puzzle.task, str(puzzle.solution), puzzle.ply) == ("blue moves and wins in 2", "M g3-g2", 1)
    assert str(puzzle.as_game().start()) == str(puzzle.position)
    assert not list(puzzles_in(referee.read("games/the-beam/running.yaml"), 2))
