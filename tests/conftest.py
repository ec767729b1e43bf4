"""How thoroughly tests try, where they keep files, and fixtures that several folders of tests share.

`pytest --hypothesis-profile=thorough` tries more of everything (tests/support/examples.py).
"""

import gc
import os
import sys
from importlib.util import find_spec

import pytest
from hypothesis import settings

from tests.support.examples import QUICK
from tests.support.memory import memory
from tests.support.stores import server, where

__all__ = ["server", "where"]

DATA = ("pandas", "polars", "pyarrow", "duckdb")
"""What the tests with the mark `data` need: too large to install it everywhere."""

settings.load_profile(QUICK)
# Thousands of tests are collected and kept: looking them through for garbage again and again takes long.
gc.set_threshold(200_000, 20, 100)


def pytest_configure(config: pytest.Config) -> None:
    """Let the quick tests keep their files in memory, so that no database waits for a disk.

    Code that is compiled is kept: each worker, and each command that a test runs, would compile all of it anew.
    """
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if config.option.markexpr == "not slow" and (folder := memory()) is not None:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(folder))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests whose mark `slow` names minutes, so that none of them is left alone at the end."""
    marks = {item: item.get_closest_marker("slow") for item in items}
    items.sort(key=lambda item: -(mark.kwargs.get("minutes", 0) if (mark := marks[item]) else 0))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave a test with the mark `data` out where the libraries for it are not installed."""
    missing = [name for name in DATA if find_spec(name) is None] if item.get_closest_marker("data") else []
    if missing:
        pytest.skip(f"needs {', '.join(missing)}: pip install -e '.[dev-data]'")
