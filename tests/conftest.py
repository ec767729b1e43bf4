"""The thoroughness of tests, their files, and fixtures that several folders of tests share.

`pytest --hypothesis-profile=thorough` tries more of everything (tests/support/examples.py).
"""

import gc
import inspect
import os
import re
import sys
import time
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.examples import QUICK
from tests.support.memory import memory
from tests.support.stores import compiled_once, server, where

__all__ = ["compiled_once", "server", "where"]

DATA = ("pandas", "polars", "pyarrow", "duckdb")
"""Libraries for the tests with the mark `data`, which are too large to install everywhere."""

SAME_ALWAYS = {"examples", "sampled", "random_play", "any_move", "mutated", "facts_of", "variants"}
"""Names in the two modules below that do not depend on the profile, or only for properties."""

TRYING_MORE = {"tests.support.examples", "tests.support.strategies"}
"""Modules with names that try more with the profile `thorough`."""

ALL_SLOW = re.compile(r"^pytestmark = \[?\s*(pytest\.mark\.slow\b|\*?in_a_browser\b)", re.MULTILINE)
"""The line of a module whose tests are all slow."""

BEGAN = time.monotonic()

settings.load_profile(QUICK)
# Thousands of tests are collected and kept: searching them for garbage again and again takes long.
gc.set_threshold(200_000, 20, 100)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--minutes`, for a machine that may be slower than the time for its tests allows."""
    parser.addoption("--minutes", type=float, help="skip the tests that have not begun after so many minutes")
    parser.addoption("--mixed", default="", help="a word that decides the order of the modules")


def pytest_configure(config: pytest.Config) -> None:
    """Let the quick tests keep their files in memory, so that no database waits for a disk.

    Compiled code is kept, because each worker, and each command of a test, would compile all of it again.
    """
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if config.option.markexpr == "not slow" and (folder := memory()) is not None:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(folder))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave modules out whose tests are all slow, without importing them, where no slow test is wanted."""
    wanted = config.option.markexpr
    if not wanted.endswith("not slow") or " or " in wanted or collection_path.suffix != ".py":
        return None
    return True if ALL_SLOW.search(collection_path.read_text(encoding="utf-8")) else None


def pytest_collection_finish() -> None:
    """Let no search for garbage go through what is kept until the end: modules and tests."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with the tests whose mark `slow` names minutes, so that none of them is left alone at the end.

    With `--mixed`, the order of the others depends on its word. Tests that try more with the profile `thorough`
    get that mark.
    """
    modules = {module for item in items if (module := item.getparent(pytest.Module))}
    by_profile = {*filter(tries_more, modules)}
    for item in items:
        test = getattr(item, "obj", None)
        more = any(getattr(test, mark, False) for mark in ("is_hypothesis_test", "has_more_rows"))
        if more or item.getparent(pytest.Module) in by_profile:
            item.add_marker("thorough")
    if word := config.option.mixed:
        items.sort(key=lambda item: sha256(f"{word} {item.path.name}".encode()).digest())
    marks = {item: item.get_closest_marker("slow") for item in items}
    items.sort(key=lambda item: -(mark.kwargs.get("minutes", 0) if (mark := marks[item]) else 0))


def tries_more(module: pytest.Module) -> bool:
    """True if a module takes what depends on the profile for tests that are no properties and have no rows."""
    return any(
        getattr(one, "__module__", None) in TRYING_MORE
        and name not in SAME_ALWAYS
        and inspect.isfunction(inspect.unwrap(one))
        for name, one in vars(module.obj).items()
    )


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave a test out for which no time is left, or, with the mark `data`, no library."""
    minutes = item.config.option.minutes
    if minutes is not None and time.monotonic() - BEGAN > 60 * minutes:
        pytest.skip("no time is left")
    missing = [name for name in DATA if find_spec(name) is None] if item.get_closest_marker("data") else []
    if missing:
        pytest.skip(f"needs {', '.join(missing)}: pip install -e '.[dev-data]'")
