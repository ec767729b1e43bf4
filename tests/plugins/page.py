"""The page on adding a game, with the code of Hex.

`python -m tests.plugins.page` rewrites the code in the page. A block that begins with, say, `py position.py Fly` has
these definitions of that file, or the whole file if none is named; `Fly.undo` is a method.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from textwrap import dedent

PAGE = Path(__file__).resolve().parents[2] / "docs" / "adding-a-game.md"
HEX = Path(__file__).resolve().parent / "hex"
BLOCK = re.compile(
    r"^```(?P<kind>py|yaml|toml) (?P<file>\S+)(?: (?P<names>\S+))?\n.*?^```$", re.MULTILINE | re.DOTALL
)


def filled(page: str) -> str:
    """The page with the code of today in its blocks."""
    return BLOCK.sub(_block, page)


def _block(block: re.Match[str]) -> str:
    (path,) = HEX.rglob(block["file"])
    source = path.read_text(encoding="utf-8")
    code = _definitions(source, block["names"].split(",")) if block["names"] else source
    first, _, _ = block[0].partition("\n")
    return f"{first}\n{code}```"


def _definitions(source: str, names: list[str]) -> str:
    """The definitions of these names at the top of a module, with their decorators."""
    lines = source.splitlines()
    nodes = {_name(node): node for node in ast.parse(source).body}
    for kind in [node for node in nodes.values() if isinstance(node, ast.ClassDef)]:
        nodes |= {f"{kind.name}.{_name(node)}": node for node in kind.body}
    return "\n\n\n".join(dedent(_lines(lines, nodes[name])) for name in names) + "\n"


def _name(node: ast.stmt) -> str:
    match node:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
            return name
        case _:
            return ""


def _lines(lines: list[str], node: ast.stmt) -> str:
    decorators = node.decorator_list if isinstance(node, ast.ClassDef | ast.FunctionDef) else []
    first = min([node.lineno, *(one.lineno for one in decorators)])
    return "\n".join(lines[first - 1 : node.end_lineno])


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
