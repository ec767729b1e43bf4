"""Byte ranges of archives; each worker opens its own."""

from __future__ import annotations

import os
import stat
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import BinaryIO

from referee.archive.files.compression import Source, reader


@dataclass(frozen=True, slots=True)
class FileRange:
    """A range of whole lines of a file; only the last line of the file may have no end.

    `start` and `end` are in bytes of the stored file; in a compressed one they are borders of members or frames. Its
    first `line` is counted from 1, and `size` is decompressed. `packing` is the suffix of the compression, or "".
    """

    path: str
    start: int
    end: int
    line: int
    lines: int
    size: int
    packing: str = ""

    def open(self) -> AbstractContextManager[Source]:
        """Its content, decompressed; FileError `unreadable` as `reader` raises it."""
        return reader(self.path, self.start, self.end, self.size, self.packing)


def path_of(name: str, raw: BinaryIO) -> str | None:
    """The path of an open file for any process of this machine; None if there is none, as for a pipe."""
    try:
        found = os.fstat(raw.fileno())
        path = os.path.realpath(name)
        same = os.path.samestat(found, os.stat(path))  # noqa: PTH116 - /dev/stdin leads to a file or to nothing
    except OSError:
        return None
    return path if same and stat.S_ISREG(found.st_mode) else None
