"""The lines of an archive, none of which fills the memory."""

from __future__ import annotations

from collections.abc import Iterator

from referee.archive.files.compression import Source, TooLargeError
from referee.game.file.document import LARGEST

_ENDLESS = 256 << 20
"""Bytes of a line after which reading stops; a longer line is not even skipped."""

_CHUNK = 1 << 16


def archive_lines(
    source: Source, head: bytes = b"", error: Exception | None = None
) -> Iterator[bytes | Exception | int]:
    """The lines of an archive; the length of one that is too long, which is not held in memory.

    An error takes the place of a line that could not be read to its end, and comes last. `head` is what was read
    already, `error` the error that ended it.
    """
    held: list[bytes] = []
    size = 0
    chunk = head
    if not chunk and error is None:
        chunk, error = more_of(source, _CHUNK)
    while chunk:
        *whole, rest = chunk.split(b"\n")
        for part in whole:
            size += len(part)
            if held:
                part = b"".join((*held, part))
            yield size if size > LARGEST else part
            held, size = [], 0
        size += len(rest)
        if size > _ENDLESS:
            yield TooLargeError(
                f"a line of the archive is larger than {_ENDLESS >> 20} MiB: nothing after it is read"
            )
            return
        if size > LARGEST:
            held = []
        elif rest:
            held.append(rest)
        if error is not None:
            break
        chunk, error = more_of(source, _CHUNK)
    if error is not None:
        yield error
    elif size:
        yield size if size > LARGEST else b"".join(held)


def more_of(source: Source, size: int) -> tuple[bytes, Exception | None]:
    """The next bytes of a file, or an error; what came before the error is not lost."""
    try:
        return source.content.read1(size), None
    except source.errors as error:
        return b"", error
