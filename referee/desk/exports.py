"""An exported log, read line by line: however long it is, no more than a line of it is in memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from referee.game.document import unreadable

LONGEST_LINE = 1 << 20
"""A longer line, in bytes, is not read; no entry of a log comes near to it."""


@contextmanager
def read_lines(path: Path) -> Iterator[Iterator[str]]:
    """The lines of a file; FileError `unreadable`, and those of `lines`."""
    try:
        with path.open("rb") as file:
            yield lines(file, str(path))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise unreadable(str(path), "unreadable", f"the file cannot be read: {reason.lower()}") from None


def lines(file: BinaryIO, name: str) -> Iterator[str]:
    """The lines of an open file, without their ends (LF, CRLF or CR) and without a byte order mark.

    An empty file is one empty line.

    Raises:
        FileError: `too-large`: a line is too long; `encoding`: it is not UTF-8 text.
    """
    number = 0
    while raw := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(raw) > LONGEST_LINE:
            raise unreadable(name, "too-large", f"a line is longer than {LONGEST_LINE >> 20} MiB", number)
        text = _decoded(raw, name, number).replace("\r\n", "\n").replace("\r", "\n")
        yield from text.removesuffix("\n").split("\n")
    if number == 0:
        yield ""


def _decoded(raw: bytes, name: str, number: int) -> str:
    try:
        text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        column = len(raw[: error.start].decode("utf-8", "replace")) + 1
        message = f"the file is not UTF-8 text: byte 0x{raw[error.start]:02X}"
        raise unreadable(name, "encoding", message, number, column) from None
    if "\0" in text:
        raise unreadable(name, "encoding", "the file is not text: it has a zero byte", number, text.index("\0") + 1)
    return text
