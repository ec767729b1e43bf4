"""Alpha-beta gives the result of the plainest search, with fewer positions."""

from __future__ import annotations

import random
from typing import Any, cast

import pytest

import referee
from referee.engine.beams import BeamsEvaluation
from referee.engine.boundary import BoundaryEvaluation
from referee.engine.laser_chess import LaserChessEvaluation
from referee.engine.search.alphabeta import AlphaBeta
from referee.engine.search.dice import Dice
from referee.engine.search.evaluation import SURE, Evaluation
from referee.rules import Position
from tests.oracles.search import move_value

IN_TURN: dict[str, Any] = {"mode": "synchronous", "pieces": "beginner"}
EVALUATIONS: dict[str, tuple[Evaluation[Position], dict[str, Any]]] = {
    "beams": (cast(Evaluation[Position], BeamsEvaluation()), IN_TURN),
    "boundary": (cast(Evaluation[Position], BoundaryEvaluation()), {}),
    "laser-chess": (cast(Evaluation[Position], LaserChessEvaluation()), {}),
}
PLENTY = 10_000_000


def position_after(game: str, plies: int, seed: int) -> Position:
    """A random position of a game that still runs."""
    numbers, position = random.Random(seed), referee.start(game, **EVALUATIONS[game][1])
    for _ in range(plies):
        (side,) = position.to_move
        after = position.play({side: position.any_move(side, numbers.randrange)})
        if not after.to_move:
            break
        position = after
    return position


@pytest.mark.parametrize(
    ("game", "plies"),
    [("beams", 26), ("beams", 28), *((game, plies) for game in ("boundary", "laser-chess") for plies in (0, 12, 25))],
)
def test_two_plies_ahead_it_finds_a_move_as_good_as_the_best(
    game: str, plies: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.engine.search.alphabeta.LOOK_AHEAD", 2)
    evaluation, _ = EVALUATIONS[game]
    position = position_after(game, plies, plies)
    (side,) = position.to_move
    moves = Dice("some").sample(list(position.legal_moves(side)), 12)
    found = AlphaBeta(evaluation).find(position, side, moves, PLENTY, Dice("any"))
    assert found.value == max(move_value(evaluation, position, side, move, 2) for move in moves)
    assert found.value == move_value(evaluation, position, side, found.move, 2)
    assert found.line[0] == found.move


@pytest.mark.slow
@pytest.mark.parametrize("plies", range(0, 60, 5))
@pytest.mark.parametrize("game", ["boundary", "laser-chess"])
def test_three_plies_ahead_too(game: str, plies: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.engine.search.alphabeta.LOOK_AHEAD", 3)
    evaluation, _ = EVALUATIONS[game]
    position = position_after(game, plies, plies)
    (side,) = position.to_move
    moves = Dice("some").sample(list(position.legal_moves(side)), 3)
    found = AlphaBeta(evaluation).find(position, side, moves, PLENTY, Dice("any"))
    assert found.value == max(move_value(evaluation, position, side, move, 3) for move in moves)


def test_it_looks_at_no_more_positions_than_it_may() -> None:
    position = referee.start("laser-chess")
    for nodes in (1, 10, 77, 500):
        found = AlphaBeta(EVALUATIONS["laser-chess"][0]).find(
            position, "blue", list(position.legal_moves()), nodes, Dice("any")
        )
        assert found.nodes <= nodes
        assert found.move in position.legal_moves()


def test_a_won_game_is_won_at_once() -> None:
    game = referee.read("games/laser-chess/curiosity.yaml")
    last = list(game.replay())[-1]
    (side,) = last.before.to_move
    moves = list(last.before.legal_moves(side))
    found = AlphaBeta(EVALUATIONS["laser-chess"][0]).find(last.before, side, moves, 5_000, Dice("any"))
    assert found.value >= SURE
    assert last.before.play({side: found.move}).outcome == last.outcome


def test_a_repetition_that_the_opponent_may_claim_is_worth_nothing() -> None:
    game = referee.read("games/laser-chess/repetition.yaml")
    last = list(game.replay())[-1]
    (side,) = last.before.to_move
    move = last.moves[side]
    evaluation, _ = EVALUATIONS["laser-chess"]
    assert last.position.claims(next(iter(last.position.to_move)))
    assert AlphaBeta(evaluation).find(last.before, side, [move], 100, Dice("any")).value <= 0
