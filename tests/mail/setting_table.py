"""The table of settings on docs/desk.md: names, values and defaults come from the schema, meanings from the page.

`python -m tests.mail.setting_table` writes it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import MISSING
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

from referee.mail.schema import Bounds, Schema, keys
from referee.mail.settings import Settings

PAGE = Path(__file__).resolve().parents[2] / "docs" / "desk.md"
HEAD = "| setting | values | default | meaning |\n|---|---|---|---|\n"
_TABLE = re.compile(re.escape(HEAD) + r"((?:\|[^\n]*\n)*)")


def facts() -> Iterator[tuple[str, str, str]]:
    """Name, values and default of each setting; a setting within a part is called `part: name`."""
    for name, (kind, default) in keys(Settings).items():
        if (inner := part(kind)) is None:
            yield name, _values(kind), _shown(default)
            continue
        for own, (one, usual) in keys(inner).items():
            yield f"{name}: {own}", _values(one), _shown(usual)


def part(kind: object) -> type[Schema] | None:
    """The schema of a setting that is a group of settings."""
    return next((one for one in (kind, *get_args(kind)) if isinstance(one, type) and issubclass(one, Schema)), None)


def table(meanings: Mapping[str, str]) -> str:
    """The whole table, with the meaning of each setting by its name."""
    return HEAD + "".join(
        f"| `{name}` | {values} | {default} | {meanings[name]} |\n" for name, values, default in facts()
    )


def on_page() -> tuple[str, dict[str, str]]:
    """The table as the page has it, and its meanings by setting."""
    found = _TABLE.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None
    rows = (re.split(r"(?<!\\)\|", line)[1:-1] for line in found[1].splitlines())
    return found[0], {cells[0].strip(" `"): cells[-1].strip() for cells in rows}


def _values(kind: Any) -> str:  # noqa: ANN401 - any type of a setting
    inner = [one for one in get_args(kind) if one is not NoneType]
    if get_origin(kind) is Annotated:
        bounds = [one for one in kind.__metadata__ if isinstance(one, Bounds)]
        return f"{bounds[0].least:,} to {bounds[0].most:,}" if bounds else _values(inner[0])
    if get_origin(kind) is Literal:
        return ", ".join(f"`{word}`" for word in inner)
    if get_origin(kind) is tuple:
        return f"list of {_values(inner[0])}" if get_origin(inner[0]) is Literal else "list"
    if get_origin(kind) is Mapping:
        return "keys and values"
    return _values(inner[0]) if inner else {str: "text", bool: "`true`, `false`"}[kind]


def _shown(value: Any) -> str:  # noqa: ANN401 - any default
    if value is MISSING:
        return "required"
    if isinstance(value, tuple) and value:
        return ", ".join(f"`{one}`" for one in value)
    return "none" if value in (None, (), {}) else f"`{value if isinstance(value, str) else json.dumps(value)}`"


def write() -> None:
    """Write the table again; a setting without a meaning fails."""
    text, meanings = on_page()
    PAGE.write_text(PAGE.read_text(encoding="utf-8").replace(text, table(meanings)), encoding="utf-8")


if __name__ == "__main__":
    write()
