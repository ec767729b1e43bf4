"""The games of other packages keep to the contract of every game: the tests of the other rooms run over them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from itertools import product
from typing import Any

import pytest

from referee.rules import GAMES

PLUGINS = ("three-crows", "hex")

ROOMS = (
    "tests.rules.test_contract",
    "tests.rules.test_values",
    "tests.notation.test_moves",
    "tests.notation.test_plans",
    "tests.notation.test_spoken",
    "tests.archives.test_generate",
    "tests.archives.test_judge",
    "tests.notation.test_positions",
    "tests.draw.test_choices",
    "tests.draw.test_png",
    "tests.mail.test_games",
    "tests.mail.test_answers",
)

OURS = {
    "test_a_seed_gives_the_same_games_everywhere": "checksums of our own games",
    "test_each_game_has_positions_that_are_refused": "cases of our own games",
    "test_every_game_has_words_for_each_of_its_keywords": "a rare keyword is in few positions",
}
"""Tests over every game that hold only for ours, with the reason."""


def over_every_game() -> Iterator[Any]:
    """The tests that are run over all games, each with these games instead of ours, in all other variants."""
    for room in ROOMS:
        for name, test in vars(import_module(room)).items():
            marks = [mark for mark in getattr(test, "pytestmark", ()) if mark.name == "parametrize"]
            games = [mark for mark in marks if tuple(value_of(one) for one in mark.args[1]) == GAMES]
            if name.startswith("test_") and len(games) == 1 and name not in OURS:
                others = [mark for mark in marks if mark not in games]
                variants = product(PLUGINS, *(mark.args[1] for mark in others))
                for number, (game, *values) in enumerate(variants):
                    given = {mark.args[0]: value_of(one) for mark, one in zip(others, values, strict=True)}
                    test_of_it = partial(test, **{games[0].args[0]: game}, **given)
                    slow = [mark for one in values for mark in getattr(one, "marks", ())]
                    yield pytest.param(test_of_it, id=f"{room.removeprefix('tests.')}:{name}-{number}", marks=slow)


def value_of(one: Any) -> Any:  # noqa: ANN401 - of a parameter, which may have marks
    """The value of a test's parameter."""
    return one.values[0] if isinstance(one, type(pytest.param())) else one


@pytest.mark.parametrize("test", list(over_every_game()))
def test_a_game_of_another_package_is_a_game_like_ours(
    test: Callable[..., None], request: pytest.FixtureRequest
) -> None:
    wanted: Mapping[str, Any] = inspect.signature(test).parameters
    given = test.keywords if isinstance(test, partial) else {}
    test(**{name: request.getfixturevalue(name) for name in wanted if name not in given})


def test_there_are_such_tests_in_every_room() -> None:
    found = [str(param.id) for param in over_every_game()]
    assert {name.partition(":")[0] for name in found} == {room.removeprefix("tests.") for room in ROOMS}
    assert len(found) >= 35
