"""Two friends play over a channel that loses, doubles, reorders and forges; either may cheat at any time."""

from __future__ import annotations

import pytest

from tests.support.duels import MODES, over_channel

CHEATS = {
    *(
        "unsent",
        "contradiction",
        "changed-opening",
        "fork",
        "game-over",
        "mismatch",
        "already-bound",
        "not-your-turn",
    ),
    *("too-early", "nothing-sealed", "no-offer", "no-claim", "move-first", "unsealed", "canonical", "syntax"),
}


@pytest.mark.slow
def test_a_game_over_a_bad_channel_ends_alike_for_both() -> None:
    assert over_channel(*MODES[0], seed=6).named


@pytest.mark.slow(minutes=1)
def test_many_games_over_a_bad_channel() -> None:
    """Every cheat is named, nothing honest is refused, and both reach the same end."""
    named: set[str] = set()
    for seed in range(125):
        named |= over_channel(*MODES[seed % len(MODES)], seed=seed).named
    assert named >= {*CHEATS, "forged", "damaged", "another-game"}
