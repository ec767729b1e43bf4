"""The names of the house: modules are nouns, and nothing has another name where it is imported."""

from __future__ import annotations

import ast

import pytest

from tests.support.sources import modules, nodes


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
