"""The package's own source, parsed once a process."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

PACKAGE = Path(__file__).parents[2] / "referee"


@cache
def texts() -> Mapping[Path, str]:
    """The text of every module of the package, by its path in the package."""
    files = sorted(PACKAGE.rglob("*.py"))
    return MappingProxyType({file.relative_to(PACKAGE): file.read_text(encoding="utf-8") for file in files})


@cache
def code(file: Path) -> ast.Module:
    """The code of a module."""
    return ast.parse(texts()[file])


def modules() -> Mapping[Path, ast.Module]:
    """Every module of the package with its code, by its path in the package."""
    return {file: code(file) for file in texts()}


def modules_with(*words: str) -> Iterator[Path]:
    """The modules with one of the words in their text."""
    return (file for file, text in texts().items() if any(word in text for word in words))


@cache
def nodes(file: Path) -> tuple[ast.AST, ...]:
    """Every node of a module, from the outermost."""
    return tuple(ast.walk(code(file)))
