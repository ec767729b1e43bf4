"""The pytest plug-in: `--referee-game NAME` adds the contract tests of an installed game."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from referee.errors import PackageFault, RefereeError
from referee.rules import game_fault

_CONTRACT = Path(__file__).with_name("contract.py")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    group = parser.getgroup("referee")
    group.addoption("--referee-game", action="append", default=[], metavar="NAME", help="test this installed game")


def pytest_configure(config: pytest.Config) -> None:
    """End the run in one sentence if a game cannot be used."""
    for fault in filter(None, map(game_fault, _games(config))):
        raise pytest.UsageError(str(fault))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add the contract, which an environment below the collected folder would hide from pytest."""
    if _games(config) and not any(item.path == _CONTRACT for item in items):
        items.extend(session.genitems(pytest.Module.from_parent(session, path=_CONTRACT)))


def _games(config: pytest.Config) -> list[str]:
    """The games to test, each once."""
    return list(dict.fromkeys(config.getoption("--referee-game")))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test of the contract over each game."""
    if metafunc.module.__name__.endswith("testing.contract"):
        metafunc.parametrize("game", _games(metafunc.config))


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Report the fault of a game's package in one sentence."""
    try:
        return (yield)
    except (PackageFault, RefereeError) as error:
        if Path(pyfuncitem.path) != _CONTRACT:
            raise
        said = str(error)
    pytest.fail(said, pytrace=False)
