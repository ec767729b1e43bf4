"""A thousand games with engines: in all of them, each engine seals its move before any person acts."""

from __future__ import annotations

import random

import pytest

from tests.oracles.verifier import verify
from tests.support.engine_games import MODES, ahead_of_engines, begun, played
from tests.support.logs import audit_text
from tests.support.rows import each


def play(seed: int) -> int:
    """Play a game of a seed, and check its log; return the number of recomputed engine moves."""
    chance = random.Random(seed)
    desk = begun(MODES[seed % len(MODES)], chance)
    played(desk, chance, chance.choice((1, 2, 3, 5)))
    report = audit_text(desk.exported)
    assert (report.findings, report.state) == ((), desk.state)
    assert verify(desk.exported) == []
    assert ahead_of_engines(desk.entries) == []
    return report.recomputed


@pytest.mark.slow
@each(range(20), name=str)
def test_a_few_games(seed: int) -> None:
    play(seed)


@pytest.mark.slow(minutes=1)
def test_three_hundred_games() -> None:
    found = [play(seed) for seed in range(300)]
    assert sum(found) > 300
    assert all(sum(found[one :: len(MODES)]) > 30 for one in range(len(MODES)))
