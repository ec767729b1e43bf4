"""Mixed strategies that neither side would leave."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.engine.search.matrix import solved

TURNS = 2_000

PAYOFFS = st.integers(2, 6).flatmap(
    lambda width: st.lists(st.lists(st.integers(-100, 100), min_size=width, max_size=width), min_size=1, max_size=6)
)


def test_rock_paper_scissors_is_played_evenly() -> None:
    found = solved([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], TURNS)
    assert found.rows == pytest.approx((1 / 3, 1 / 3, 1 / 3), abs=0.02)
    assert found.value == pytest.approx(0, abs=0.01)


def test_matching_pennies_with_unequal_stakes() -> None:
    found = solved([[3, -1], [-1, 1]], TURNS)
    assert found.rows[0] == pytest.approx(1 / 3, abs=0.02)
    assert found.value == pytest.approx(1 / 3, abs=0.02)


def test_a_move_that_is_always_worse_is_not_made() -> None:
    found = solved([[5, 4], [1, 0], [2, 3]], TURNS)
    assert found.rows[0] > 0.99


def test_the_precision_of_a_python_s_sum_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """From Python 3.12 on `sum` rounds less often: with it the first of these shares would be 0.5990."""
    monkeypatch.setattr("builtins.sum", math.fsum)
    found = solved([[-1, 2], [-3, -3], [0, -3]], 60)
    assert found.rows == (0.6003751890850098, 0.00018214936247723136, 0.3994426615525132)


@pytest.mark.slow
@given(PAYOFFS)
def test_neither_side_gains_much_by_anything_else(payoffs: list[list[int]]) -> None:
    found = solved(payoffs, TURNS)
    best_row = max(sum(share * gain for share, gain in zip(found.columns, row, strict=True)) for row in payoffs)
    columns = zip(*payoffs, strict=True)
    best_column = min(sum(share * loss for share, loss in zip(found.rows, one, strict=True)) for one in columns)
    assert sum(found.rows) == pytest.approx(1)
    assert best_column <= found.value + 1e-9
    assert found.value <= best_row + 1e-9
    assert best_row - best_column < 10
