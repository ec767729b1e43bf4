"""Which files a list of files and folders means."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from referee.archive.compression import STANDARD, special, suffix

KINDS = (".yaml", ".yml", ".json", ".jsonl", ".moves")
"""The names of files that are taken from a folder end so; `.gz` and `.zst` may stand behind it."""

_NUMBER = re.compile(r"(\d+)")


def found(names: Iterable[str]) -> Iterator[str]:
    """The files, and instead of each folder the game files, move lists and archives in it and in its folders.

    Those are in the order of their names, numbers in them by value; hidden ones are passed over, and so
    are pipes and devices. An empty folder stands for itself, so that somebody says that it cannot be read.
    """
    for name in names:
        if name == STANDARD or not os.path.isdir(name):  # noqa: PTH112 - a name that no file can have is no folder
            yield name
            continue
        inside = _walked(Path(name))
        first = next(inside, None)
        yield name if first is None else first
        yield from inside


def size(names: Iterable[str]) -> int:
    """How many bytes the files have together; 0 if one of them cannot tell."""
    total = 0
    for name in names:
        try:
            found = None if name == STANDARD else Path(name).stat()
        except OSError:
            continue
        if found is None or not stat.S_ISREG(found.st_mode):
            return 0
        total += found.st_size
    return total


def _walked(folder: Path) -> Iterator[str]:
    for path in sorted(folder.iterdir(), key=lambda one: _order(one.name)):
        if path.name.startswith("."):
            continue
        if path.is_dir() and not path.is_symlink():
            yield from _walked(path)
        elif suffix(path.name) in KINDS and not special(path):
            yield str(path)


def _order(name: str) -> tuple[list[tuple[bool, int, str]], str]:
    """Texts by letters, numbers by value: game-9 before game-10."""
    parts = (part for part in _NUMBER.split(name) if part)
    return [(not part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts], name
