"""A limit for nested JSON in a browser, whose stack deep nesting would overflow."""

from __future__ import annotations

import json
import re
from typing import Any

DEEPEST_JSON = 100
"""Maximum depth of lists and objects, far more than that of our files."""

_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")


def limit_nesting() -> None:
    """Make all readers of JSON in the page's worker raise RecursionError beyond `DEEPEST_JSON`, which they refuse."""
    read = json.JSONDecoder.raw_decode

    def raw_decode(self: json.JSONDecoder, text: str, idx: int = 0) -> tuple[Any, int]:
        if is_deep(text):
            raise RecursionError
        return read(self, text, idx)

    setattr(json.JSONDecoder, "raw_decode", raw_decode)  # noqa: B010 - a method, which mypy does not let us assign


def is_deep(text: str) -> bool:
    """True if a JSON text is nested deeper than `DEEPEST_JSON`."""
    if text.count("[") + text.count("{") <= DEEPEST_JSON:
        return False
    depth = 0
    for found in _BRACKET.finditer(_STRING.sub("", text)):
        depth += 1 if found[0] in "[{" else -1
        if depth > DEEPEST_JSON:
            return True
    return False
