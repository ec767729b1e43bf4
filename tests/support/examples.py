"""Sizes of tests: few examples and parameters in the quick run, all of them in the thorough one."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet


QUICK, THOROUGH = "quick", "thorough"
"""The profiles: few examples and random games, and many."""

settings.register_profile(QUICK, max_examples=2, deadline=None)
settings.register_profile(THOROUGH, max_examples=100, deadline=None)


def is_quick() -> bool:
    """True if tests run with the profile `quick`."""
    return settings().max_examples == settings.get_profile(QUICK).max_examples


def examples(
    times: float,
    *,
    quick: int | None = None,
    derandomize: bool = False,
    suppress_health_check: Collection[HealthCheck] = (),
) -> settings:
    """Settings for a property with `times` as many examples as the profile has.

    Args:
        quick: the examples of the profile `quick`, for a property whose examples take long.
    """
    return settings(
        max_examples=quick if quick and is_quick() else max(1, round(times * settings().max_examples)),
        derandomize=derandomize,
        suppress_health_check=suppress_health_check,
    )


def sampled(values: Iterable[object], every: int) -> list[ParameterSet]:
    """Parameters for a test: the first and each further step of `every` are quick, the others slow.

    Args:
        values: one for each run of the test; a tuple holds one for each name.
    """
    made = []
    for number, value in enumerate(values):
        marks = [pytest.mark.slow] if number % every else []
        made.append(pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=marks))
    return made
