"""Tables that one test goes through to their end, because thousands of tests of one row each take too long."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

import pytest

from tests.support.examples import is_quick

Row = TypeVar("Row")
Fixtures = ParamSpec("Fixtures")


def each(
    rows: Iterable[Row] | Callable[[], Iterable[Row]], name: Callable[[Row], str] = repr, *, every: int = 1
) -> Callable[[Callable[Concatenate[Row, Fixtures], None]], Callable[Fixtures, None]]:
    """Make a test of one row a test of all of them, which fails with every row that does, each under its name.

    The rows share the fixtures, if there are any.

    Args:
        rows: the first arguments of the test, one after another; or a function that makes them when it begins.
        name: the name of a row if it fails.
        every: the quick run tries the first row and each further step of `every`; the thorough one tries all.
    """

    def made(test: Callable[Concatenate[Row, Fixtures], None]) -> Callable[Fixtures, None]:
        @wraps(test)
        def every_row(*args: Fixtures.args, **fixtures: Fixtures.kwargs) -> None:
            table = [*(rows() if callable(rows) else rows)][:: every if is_quick() else 1]
            assert table, "a table without rows"
            failed: list[tuple[str, BaseException]] = []
            for row in table:
                try:
                    test(row, *args, **fixtures)
                except (Exception, pytest.fail.Exception) as error:
                    error.add_note(f"row: {name(row)}")
                    failed.append((name(row), error))
            if failed:
                told = f"{len(failed)} of {len(table)} rows: {', '.join(called for called, _ in failed)}"
                raise BaseExceptionGroup(told, [error for _, error in failed])

        _, *fixtures = inspect.signature(test).parameters.values()
        every_row.__signature__ = inspect.Signature(fixtures)  # type: ignore[attr-defined]
        every_row.has_more_rows = every > 1  # type: ignore[attr-defined]
        return every_row

    return made
