"""A test of a whole table fails with every failing row, and names it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.rows import each


def test_every_row_that_fails_is_reported_by_its_name(tmp_path: Path) -> None:
    tried = []

    @each([1, 2, 3, 4], name=lambda number: f"number {number}")
    def odd(number: int, folder: Path) -> None:
        tried.append((number, folder))
        assert number != 2
        if number == 4:
            pytest.fail("no exception, but what pytest raises")

    with pytest.raises(BaseExceptionGroup, match="2 of 4 rows: number 2, number 4") as caught:
        odd(tmp_path)
    assert tried == [(number, tmp_path) for number in (1, 2, 3, 4)]
    assert [error.__notes__ for error in caught.value.exceptions] == [["row: number 2"], ["row: number 4"]]


def test_a_table_has_rows() -> None:
    rows: list[int] = []

    @each(rows)
    def never(number: int) -> None:
        raise AssertionError(number)

    with pytest.raises(AssertionError, match="without rows"):
        never()
