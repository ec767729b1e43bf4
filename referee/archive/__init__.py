"""Many games: checked, generated, converted and counted, on one machine or on a cluster.

The names are loaded when they are first used, as every command needs a part of this room.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.archive.files.shards import Shard
    from referee.archive.judge import CheckSettings, check_lines, check_shard
    from referee.archive.verdict import GameVerdict, PartReport

_HOMES = {
    "judge": ("CheckSettings", "check_lines", "check_shard"),
    "shards": ("Shard",),
    "verdict": ("GameVerdict", "PartReport"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = ["CheckSettings", "GameVerdict", "PartReport", "Shard", "check_lines", "check_shard"]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'referee.archive' has no attribute {name!r}")
    return getattr(import_module(f"referee.archive.{_HOME[name]}"), name)
