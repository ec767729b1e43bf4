"""The table of settings on docs/desk.md: names, values and defaults come from the model, meanings from the page.

`python -m tests.support.setting_table` writes it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from referee.mail.settings import Settings

PAGE = Path(__file__).resolve().parents[2] / "docs" / "desk.md"
HEAD = "| setting | values | default | meaning |\n|---|---|---|---|\n"
_TABLE = re.compile(re.escape(HEAD) + r"((?:\|[^\n]*\n)*)")


def facts() -> Iterator[tuple[str, str, str]]:
    """Name, values and default of each setting; a setting within a part is called `part: name`."""
    schema = Settings.model_json_schema()
    for name, field in schema["properties"].items():
        if (part := _part(field)) is None:
            yield _row(name, field, required=name in schema["required"])
            continue
        inner = schema["$defs"][part]
        for own, one in inner["properties"].items():
            yield _row(f"{name}: {own}", one, required=own in inner.get("required", ()))


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


def _part(field: Mapping[str, Any]) -> str | None:
    """The model of a field that is a group of settings."""
    refs = [one["$ref"] for one in (field, *field.get("anyOf", ()), *field.get("allOf", ())) if "$ref" in one]
    return refs[0].rpartition("/")[2] if refs else None


def _row(name: str, field: Mapping[str, Any], *, required: bool) -> tuple[str, str, str]:
    default = "required" if required else _shown(field.get("default"))
    return name, _values(next((one for one in field.get("anyOf", ()) if one["type"] != "null"), field)), default


def _values(field: Mapping[str, Any]) -> str:
    if "enum" in field:
        return ", ".join(f"`{word}`" for word in field["enum"])
    if field["type"] == "integer":
        return f"{field['minimum']:,} to {field['maximum']:,}"
    if field["type"] == "array":
        words = field["items"].get("enum")
        return f"list of {', '.join(f'`{word}`' for word in words)}" if words else "list"
    return {"string": "text", "boolean": "`true`, `false`", "object": "keys and values"}[field["type"]]


def _shown(value: object) -> str:
    if isinstance(value, list) and value:
        return ", ".join(f"`{one}`" for one in value)
    return "none" if value in (None, [], {}) else f"`{value if isinstance(value, str) else json.dumps(value)}`"


def write() -> None:
    """Write the table again; a setting without a meaning fails."""
    text, meanings = on_page()
    PAGE.write_text(PAGE.read_text(encoding="utf-8").replace(text, table(meanings)), encoding="utf-8")


if __name__ == "__main__":
    write()
