"""The quick value of a move is that of the position after it."""

from __future__ import annotations

from typing import cast

import pytest

import referee
from referee.engine.beams import BeamsEvaluation
from referee.engine.boundary import BoundaryEvaluation
from referee.engine.laser_chess import LaserChessEvaluation
from referee.engine.search.dice import Dice
from referee.engine.search.evaluation import Evaluation
from referee.rules import Position, movers
from tests.engine.positions import opened

EVALUATIONS = {
    "beams, at once": cast(Evaluation[Position], BeamsEvaluation()),
    "beams, in turn": cast(Evaluation[Position], BeamsEvaluation()),
    "boundary": cast(Evaluation[Position], BoundaryEvaluation()),
    "laser-chess": cast(Evaluation[Position], LaserChessEvaluation()),
}
EACH = 40
"""The moves that are tried in a position."""


@pytest.mark.parametrize("kind", EVALUATIONS)
@pytest.mark.parametrize("plies", [0, 7, 18, 26, 45, 90, 200])
def test_a_trial_gives_the_worth_of_the_position_after_the_moves(kind: str, plies: int) -> None:
    evaluation, position, dice = EVALUATIONS[kind], opened(kind, plies), Dice(kind)
    legal = {side: list(position.legal_moves(side)) for side in movers(position)}
    moves = [{side: of[dice.below(len(of))] for side, of in legal.items()} for _ in range(EACH)]
    for side in position.sides:
        plain, quick = Evaluation.trial(evaluation, position, side), evaluation.trial(position, side)
        assert [quick(one) for one in moves] == [plain(one) for one in moves]


@pytest.mark.parametrize("name", ["boundary/trees", "laser-chess/curiosity"])
def test_it_gives_that_of_every_move_too_when_a_game_is_nearly_won(name: str) -> None:
    for ply in list(referee.read(f"games/{name}.yaml").replay())[-6:]:
        position = ply.before
        evaluation = EVALUATIONS[position.game]
        legal = [{side: move} for side in position.to_move for move in position.legal_moves(side)]
        for side in position.sides:
            plain, quick = Evaluation.trial(evaluation, position, side), evaluation.trial(position, side)
            assert [quick(one) for one in legal] == [plain(one) for one in legal]
