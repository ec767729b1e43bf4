"""The two builds, plain and compiled: which one these tests run on, and whether all of it is that one."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from click.testing import CliRunner

import referee
from referee.cli import cli
from referee.data import is_compiled

COMPILED = os.environ.get("REFEREE_BUILD") == "compiled"
"""True where .ci/run has put the compiled wheel under these tests."""

PROJECT = Path(__file__).parents[1] / "pyproject.toml"


def modules() -> Iterator[str]:
    """The modules that are compiled on request."""
    wheel = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    root = Path(referee.__file__).parents[1]
    for pattern in wheel["hooks"]["custom"]["modules"]:
        found = [path for path in root.glob(pattern) if path.name != "__init__.py"]
        assert found, f"no module is called {pattern}"
        yield from (".".join(path.relative_to(root).with_suffix("").parts) for path in found)


def test_every_module_is_of_the_build_that_is_tested() -> None:
    files = {name: import_module(name).__file__ or "" for name in modules()}
    compiled = {name for name, file in files.items() if file.endswith(tuple(EXTENSION_SUFFIXES))}
    assert compiled == (set(files) if COMPILED else set())
    assert is_compiled() is COMPILED


def test_the_version_tells_which_build_it_is() -> None:
    said = CliRunner().invoke(cli, ["--version"]).output
    assert said == f"referee, version {referee.__version__}{', compiled' if COMPILED else ''}\n"


def test_a_large_board_outgrows_no_number() -> None:
    position = referee.start("beams", columns=51, rows=26)
    assert max(position.board.rear).bit_length() > 1000
    after = position.play({side: position.parse(side, "P M3 Z49 12") for side in position.sides})
    assert sum(after.score.values()) == len(after.beams) == 6
