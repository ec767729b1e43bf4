"""Among thousands of moves, promising ones and the replies to them are enough."""

from __future__ import annotations

import random
from typing import Literal, cast

import pytest

import referee
from referee.engine.beams import BeamsEvaluation
from referee.engine.search.candidates import CandidateSearch
from referee.engine.search.dice import Dice
from referee.engine.search.evaluation import Evaluation, worth
from referee.engine.search.rounds import MatrixSearch
from referee.rules import Position, movers

EVALUATION = cast(Evaluation[Position], BeamsEvaluation())


def opened(plies: int, mode: Literal["asynchronous", "synchronous"]) -> Position:
    """The position after a number of random plies, or before the last one of the game."""
    chance, position = random.Random(plies), referee.start("beams", mode=mode)
    for _ in range(plies):
        moves = {side: position.any_move(side, chance.randrange) for side in movers(position)}
        after = position.play(moves)
        if not after.to_move:
            break
        position = after
    return position


@pytest.mark.parametrize("plies", [0, 9, 20, 29])
@pytest.mark.parametrize("nodes", [1, 7, 300])
def test_it_looks_at_about_as_many_positions_as_it_may(plies: int, nodes: int) -> None:
    position = opened(plies, "synchronous")
    (side,) = position.to_move
    found = CandidateSearch(EVALUATION).find(position, side, list(position.legal_moves(side)), nodes, Dice("any"))
    assert found.move in position.legal_moves(side)
    assert found.nodes <= max(nodes, 4)


def test_the_reply_that_it_expects_is_legal_and_brings_the_value_that_it_tells() -> None:
    position = opened(12, "synchronous")
    (side,) = position.to_move
    found = CandidateSearch(EVALUATION).find(position, side, list(position.legal_moves(side)), 2_000, Dice("any"))
    move, reply = found.line
    after = position.play({side: move})
    (opponent,) = after.to_move
    assert worth(EVALUATION, after.play({opponent: reply}), side) == found.value


def test_the_last_move_of_a_game_is_the_best_of_all() -> None:
    position = opened(100, "synchronous")
    (side,) = position.to_move
    moves = list(position.legal_moves(side))
    found = CandidateSearch(EVALUATION).find(position, side, moves, 10_000, Dice("any"))
    assert found.value == max(worth(EVALUATION, position.play({side: move}), side) for move in moves)


@pytest.mark.slow
def test_the_move_that_was_found_costs_less_than_one_that_gives_everything_away() -> None:
    search, position = MatrixSearch(EVALUATION), opened(16, "asynchronous")
    side = sorted(position.to_move)[0]
    moves = list(position.legal_moves(side))
    best = search.find(position, side, moves, 1_500, Dice("any")).move
    costs = [
        search.cost(position, side, move, 1_500, Dice("any")) for move in (best, *Dice("some").sample(moves, 12))
    ]
    assert min(costs) >= 0
    assert costs[0] <= max(costs)
    assert max(costs) > 0
