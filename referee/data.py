"""Finds the grammars and the games' data: inside the installed package, or beside it in a checkout."""

from __future__ import annotations

from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).resolve().parent


def data(kind: str) -> Path:
    """The folder `grammar` or `games`, whether referee is installed or runs from its checkout."""
    inside = _PACKAGE / kind
    return inside if inside.is_dir() else _PACKAGE.parent / kind


def table(game: str, name: str) -> dict[str, Any]:
    """The data of games/<game>/<name>.yaml, such as a set-up."""
    content: dict[str, Any] = read_yaml(data("games") / game / f"{name}.yaml")
    return content


def read_yaml(path: Path) -> Any:  # noqa: ANN401 - plain data of a shape that the tests know
    """The data of a YAML file that belongs to the project, or to a game's package."""
    import yaml

    return yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader)
