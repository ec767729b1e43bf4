"""How names of files are shown to people."""

from __future__ import annotations

from referee.terminal import visible


def shown(name: str) -> str:
    """The name on one line of a terminal: whatever cannot be printed is written as its number."""
    return visible(name)
