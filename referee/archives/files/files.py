"""The files of a list of files and folders, and those that are left out."""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from referee.archives.files.compression import STANDARD, reader, special, suffix
from referee.errors import RefereeError
from referee.game import decode_utf8, parse_document
from referee.game.file.header import KEYS
from referee.terminal import visible

GAME_SUFFIXES = (".yaml", ".yml", ".json", ".jsonl", ".moves")
"""Suffixes of files in a folder that are read; `.gz` and `.zst` may follow."""

_TEXT = ".txt"
"""Suffix of files in a folder that are move lists if the game is known, and left out otherwise."""

_NO_FILE = "not a plain file"
_NO_SUFFIX = f"a name that ends in none of {', '.join(GAME_SUFFIXES)}"
_NO_GAME_NAMED = f"a {_TEXT} file is a move list only with --game"
_NO_GAME = "data without any key of a game file"

_Leave = Callable[[str, str], object]
"""Called with each file that is left out, and the reason."""

_NAMED = 5
"""Maximum files named for each reason; the others are counted."""

_NUMBER = re.compile(r"(\d+)")
_DATA = (".yaml", ".yml", ".json")
_LONGEST_DATA = 1 << 14
_KEY = re.compile(rb"(?:^|[\"'])(?:%s)[\"']?[ \t]*:" % "|".join(sorted(KEYS)).encode(), re.IGNORECASE | re.MULTILINE)


def readable_suffixes(*, lists: bool) -> tuple[str, ...]:
    """The suffixes of files in a folder that are read; with `lists`, of move lists too."""
    return (*GAME_SUFFIXES, _TEXT) if lists else GAME_SUFFIXES


def expand(names: Iterable[str], *, lists: bool = False, leave: _Leave = lambda _file, _why: None) -> Iterator[str]:
    """The files, with each folder replaced by the game files, move lists and archives in it and in its folders.

    They are sorted by name, numbers in it by value, without hidden files. A folder with nothing to read is yielded
    itself, so that it is reported. With `lists`, .txt files are move lists; `leave` gets each file that is left out.
    """
    for name in names:
        if name == STANDARD or not os.path.isdir(name):  # noqa: PTH112 - an impossible file name is no folder
            yield name
            continue
        inside = _walk(Path(name), lists, leave)
        first = next(inside, None)
        yield name if first is None else first
        yield from inside


def size(names: Iterable[str]) -> int:
    """The size of all files together in bytes; 0 if one of them has none, such as a pipe."""
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


def _walk(folder: Path, lists: bool, leave: _Leave) -> Iterator[str]:
    waiting = [(folder, True)]
    while waiting:
        path, is_folder = waiting.pop()
        if is_folder:
            waiting += reversed(_inside(path, leave))
        elif (why := _reason(path, lists)) is not None:
            leave(str(path), why)
        else:
            yield str(path)


def _inside(folder: Path, leave: _Leave) -> list[tuple[Path, bool]]:
    """The visible entries of a folder, in order, each with True if it is a folder itself."""
    try:
        with os.scandir(folder) as entries:
            found = sorted((one for one in entries if one.name[0] != "."), key=lambda one: _order(one.name))
            return [(Path(one.path), one.is_dir(follow_symlinks=False)) for one in found]
    except OSError as error:
        leave(str(folder), f"the folder cannot be read: {(error.strerror or type(error).__name__).lower()}")
        return []


def _reason(path: Path, lists: bool) -> str | None:
    """The reason to leave a file of a folder out; None if it is taken."""
    kind = suffix(path.name)
    if kind not in readable_suffixes(lists=lists):
        return _NO_GAME_NAMED if kind == _TEXT else _NO_SUFFIX
    if special(path):
        return _NO_FILE
    return _NO_GAME if kind in _DATA and _is_data(path) else None


def _is_data(path: Path) -> bool:
    """True for a short mapping without any key of a game file, such as a set-up."""
    try:
        with reader(str(path)) as source:
            content = source.content.read(_LONGEST_DATA + 1)
        if len(content) > _LONGEST_DATA or _KEY.search(content):
            return False
        document = parse_document(decode_utf8(content))
    except RefereeError:
        return False
    data = {} if document.findings else document.mapping
    return bool(data) and not KEYS & {key.casefold() for key in data}


def _order(name: str) -> tuple[list[tuple[bool, int, str]], str]:
    """The key that sorts texts by letters and numbers by value: game-9 before game-10."""
    parts = (part for part in _NUMBER.split(name) if part)
    return [(not part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts], name


class LeftOut:
    """Files of folders that are left out: the number for each reason, and the names of the first few."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._names: dict[str, list[str]] = {}

    def add(self, file: str, why: str) -> None:
        """Count a file."""
        self._counts[why] += 1
        names = self._names.setdefault(why, [])
        if len(names) < _NAMED:
            names.append(file)

    def __bool__(self) -> bool:
        return bool(self._counts)

    def as_text(self) -> str:
        """A line for each reason."""
        return "\n".join(f"left out ({why}): {self._names_text(why)}" for why in self._counts)

    def _names_text(self, why: str) -> str:
        names = self._names[why]
        more = self._counts[why] - len(names)
        return ", ".join(map(visible, names)) + (f" and {more:,} more" if more else "")
