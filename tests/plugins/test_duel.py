"""A game of another package can be a duel if two play it."""

from __future__ import annotations

import pytest

from referee.duel.player import open_duel
from referee.errors import Refusal


def test_a_game_for_three_cannot_be_a_duel() -> None:
    with pytest.raises(Refusal, match="no-duel: Three Crows has 3 sides") as caught:
        open_duel("three-crows", {}, "south", bytes(32))
    assert caught.value.code == "no-duel"
