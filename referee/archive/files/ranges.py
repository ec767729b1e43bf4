"""Ranges of files: whoever works on one reads it, wherever that is."""

from __future__ import annotations

import os
import stat
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import BinaryIO

from referee.archive.files.compression import Source, reader


@dataclass(frozen=True, slots=True)
class FileRange:
    """A range of a file that holds whole lines; only the last line of the file may have no end.

    Args:
        path: the file, wherever it is opened.
        start: where it begins, in bytes of the file as it is stored.
        end: where it ends; in a compressed file both are borders of members or frames.
        line: the number of its first line, from 1.
        lines: its number of lines.
        size: the bytes of its content, decompressed.
        packing: the suffix that tells how it is compressed; "" if it is not.
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
    """The path by which any process of this machine can open an open file; None if there is none, as for a pipe."""
    try:
        found = os.fstat(raw.fileno())
        path = os.path.realpath(name)
        same = os.path.samestat(found, os.stat(path))  # noqa: PTH116 - /dev/stdin leads to a file or to nothing
    except OSError:
        return None
    return path if same and stat.S_ISREG(found.st_mode) else None
