"""Where the grammars and the games' data lie: inside the installed package, or beside it in a checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def data(kind: str) -> Path:
    """The folder `grammar` or `games`, whether referee is installed or runs from its checkout."""
    inside = _PACKAGE / kind
    return inside if inside.is_dir() else _PACKAGE.parent / kind
