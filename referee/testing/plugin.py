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
    """Add the tests; a game that cannot be used ends the run in one sentence."""
    names = _games(config)
    for fault in filter(None, map(game_fault, names)):
        raise pytest.UsageError(str(fault))
    if names and str(_CONTRACT) not in config.args:
        config.args.append(str(_CONTRACT))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Refuse a run without the contract: pytest leaves it out below a folder that it collects anyway."""
    if _games(config) and not any(item.path == _CONTRACT for item in items):
        folder = next((one for one in config.args if _CONTRACT.is_relative_to(Path(one).absolute())), ".")
        said = f"the contract was not collected, because the package referee is installed below {folder}"
        raise pytest.UsageError(f"{said}: name the folder of your game's tests")


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
