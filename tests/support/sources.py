"""The package's own source, parsed once a process."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

PACKAGE = Path(__file__).parents[2] / "referee"


@cache
def modules() -> Mapping[Path, ast.Module]:
    """Every module of the package with its code, by its path in the package."""
    files = sorted(PACKAGE.rglob("*.py"))
    return MappingProxyType(
        {file.relative_to(PACKAGE): ast.parse(file.read_text(encoding="utf-8")) for file in files}
    )


@cache
def nodes(file: Path) -> tuple[ast.AST, ...]:
    """Every node of a module, from the outermost."""
    return tuple(ast.walk(modules()[file]))
