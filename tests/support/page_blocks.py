"""The blocks between fences on pages: commands, settings, code and game files."""

from __future__ import annotations

import re
from pathlib import Path

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
"""A block; its kind and its text."""


def blocks(page: Path, kind: str) -> list[str]:
    """The blocks of a page that are of this kind, in order."""
    return [text for name, text in BLOCK.findall(page.read_text(encoding="utf-8")) if name == kind]
