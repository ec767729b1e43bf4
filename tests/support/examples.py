"""How much is tried: of a property's examples and of a test's parameters few quickly, and all where time allows."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet


def examples(
    times: float,
    *,
    quick: int | None = None,
    derandomize: bool = False,
    suppress_health_check: Collection[HealthCheck] = (),
) -> settings:
    """Settings for a property that wants so many times the examples of the profile in tests/conftest.py.

    Args:
        quick: the examples of the profile `quick`, for a property whose examples take long.
    """
    most = settings().max_examples
    is_quick = most == settings.get_profile("quick").max_examples
    return settings(
        max_examples=quick if quick and is_quick else max(1, round(times * most)),
        derandomize=derandomize,
        suppress_health_check=suppress_health_check,
    )


def sampled(values: Iterable[object], every: int) -> list[ParameterSet]:
    """Parameters for a test: the first and every so-many-th after it quick, the others slow.

    Args:
        values: one for each run of the test; a tuple holds one for each name.
    """
    made = []
    for number, value in enumerate(values):
        marks = [pytest.mark.slow] if number % every else []
        made.append(pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=marks))
    return made
