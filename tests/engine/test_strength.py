"""Stronger levels win: few games, which come out the same everywhere; `bench/strength.py` plays more."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.strength import table
from referee.engine.match import Contest, play_match
from tests.engine.positions import GAMES

RIVALS = [kind for kind in GAMES if kind != "the-beam"]
GAMES_EACH = 10


def share(kind: str, first: str, second: str) -> float:
    """The first player's share of a few games."""
    game, options = GAMES[kind]
    return play_match(Contest(game, first, second, options), GAMES_EACH).share.mean


def test_the_figures_are_those_of_the_games_that_are_kept() -> None:
    page = Path("bench/RESULTS.md").read_text(encoding="utf-8").splitlines()
    assert [row for row in table() if row not in page] == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", RIVALS)
def test_the_lowest_level_beats_chance(kind: str) -> None:
    assert share(kind, "1", "chance") >= 0.9


@pytest.mark.slow
@pytest.mark.parametrize("kind", RIVALS)
def test_level_three_beats_level_one(kind: str) -> None:
    assert share(kind, "3", "1") >= 0.7


@pytest.mark.slow
def test_a_team_of_level_three_collects_more_than_one_of_level_one() -> None:
    played = play_match(Contest("the-beam", "3", "1", {}), GAMES_EACH)
    assert played.points(0).mean > played.points(1).mean
