"""The names of the house: modules are nouns, and a public name means one thing."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

import pytest

from tests.support.sources import PACKAGE, modules, nodes

GAMES = ("rules", "notation", "draw", "engine")
"""Rooms in which every game has modules of the same names."""


def defined(module: ast.Module) -> Iterator[str]:
    """The public names that a module defines at its top level."""
    for node in module.body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name


def is_of_a_game(path: str) -> bool:
    room, _, rest = path.partition("/")
    return room in GAMES and ("/" in rest or rest.removesuffix(".py") in game_modules())


def game_modules() -> set[str]:
    return {path.parent.name for path in PACKAGE.glob("rules/*/__init__.py")}


def test_a_public_name_is_defined_once() -> None:
    homes = defaultdict(list)
    for path, module in modules().items():
        if not is_of_a_game(path.as_posix()):
            for name in set(defined(module)):
                if not name.startswith("_"):
                    homes[name].append(path.as_posix())
    assert {name: paths for name, paths in homes.items() if len(paths) > 1} == {}


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
    names = {part.removesuffix(".py") for path in modules() for part in path.parts}
    assert sorted(name for name in names if name.endswith(("ing", "ed"))) == []


def test_modules_can_be_read_at_one_sitting() -> None:
    """A module is one idea, however long that is; these are the longest."""
    assert [
        path.as_posix() for path in modules() if len((PACKAGE / path).read_text(encoding="utf-8").splitlines()) > 500
    ] == []
