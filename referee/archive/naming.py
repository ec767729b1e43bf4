"""How names of files are shown to people."""

from __future__ import annotations


def shown(name: str) -> str:
    """The name on one line of a terminal: whatever cannot be printed is written as its number."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in name)
