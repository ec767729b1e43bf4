"""The blocks between fences on pages: commands, settings, code and game files."""

from __future__ import annotations

import re
from pathlib import Path

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
"""A block; its kind and its text."""


def blocks(page: Path, kind: str, section: str = "") -> list[str]:
    """The blocks of this kind, in order: of a page, or of the section below one of its headings of level 2."""
    text = page.read_text(encoding="utf-8")
    if section:
        text = text.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    return [block for name, block in BLOCK.findall(text) if name == kind]
