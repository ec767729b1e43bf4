"""The names of the house: modules are nouns, and nothing has another name where it is imported."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.support.sources import modules, nodes, texts

TESTS = Path(__file__).parent


@pytest.mark.slow
def test_nothing_is_renamed_where_it_is_imported() -> None:
    renamed = [
        (path.as_posix(), alias.name, alias.asname)
        for path in modules()
        for node in nodes(path)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        if alias.asname is not None
    ]
    assert renamed == []


def test_modules_are_named_by_nouns() -> None:
    names = {part.removesuffix(".py") for path in modules() for part in path.parts} - {
        "testing"
    }  # as in numpy.testing
    assert sorted(name for name in names if name.endswith(("ing", "ed"))) == []


PRIVATE = r"_[A-Za-z]\w*"
DEFINED = re.compile(rf"(?:\bdef |\bclass |\bself\.|^\s*|, )({PRIVATE})", re.MULTILINE)
REACHED = re.compile(
    rf"(?<!\bself)(?<!\bcls)(?<!\bsuper\(\))\.{PRIVATE}"
    rf"|([\"']){PRIVATE}\1"
    r"|^\s*from referee[\w.]* import (?:\([^)]*\)|.*)",
    re.MULTILINE,
)
"""An attribute, perhaps of code in a string; a name in quotes, as for a patch; and an import."""

OF_PYTHON = {"_replace", "_fields", "_field_defaults", "_asdict", "_exit", "_repr_html_", "_repr_svg_"}
"""Public all the same: names of named tuples, of `os` and of notebooks."""

EXCEPTIONS = {
    "desk/test_group_commit.py": {"_waiting"},  # nothing else tells who waits: a pause would only make it likely
    "rules/test_legal_moves.py": {"_generate"},  # games define it (docs/adding-a-game.md)
    "test_readme.py": {"_fault", "_find", "_finding"},  # it reads the source
}


def test_tests_reach_only_public_names() -> None:
    """So that a change within a module changes no test of another."""
    private = {name for text in texts().values() for name in DEFINED.findall(text)} - OF_PYTHON
    reached: dict[str, set[str]] = {}
    for path in {*TESTS.rglob("*.py")} - {Path(__file__)}:
        for found in REACHED.finditer(path.read_text(encoding="utf-8")):
            if names := {*re.findall(rf"\b{PRIVATE}", found[0])} & private:
                reached.setdefault(path.relative_to(TESTS).as_posix(), set()).update(names)
    assert reached == EXCEPTIONS
