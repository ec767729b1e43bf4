"""The lines of an archive, with limited memory."""

from __future__ import annotations

from collections.abc import Iterator

from referee.archives.files.compression import Source, TooLargeError, failed
from referee.game.file.document import LARGEST

ENDLESS = 256 << 20
"""Maximum bytes of a line that is skipped; reading stops after them."""

CHUNK_SIZE = 1 << 16
"""Bytes of an archive that are read at a time."""


def archive_lines(
    file: str, source: Source, head: bytes = b"", error: Exception | None = None
) -> Iterator[tuple[int, bytes | int]]:
    """The lines of an archive with their numbers, but only the length of a line that is too long for memory.

    FileError in place of a line that could not be read to its end. `head` has been read already, up to the `error`.
    """
    held: list[bytes] = []
    number, size = 1, 0
    try:
        for chunk in _chunks(source, head, error):
            *whole, rest = chunk.split(b"\n")
            for part in whole:
                size += len(part)
                yield number, size if size > LARGEST else b"".join((*held, part))
                number, held, size = number + 1, [], 0
            size += len(rest)
            if size > ENDLESS:
                raise TooLargeError(
                    f"a line of the archive is larger than {ENDLESS >> 20} MiB: nothing after it is read"
                )
            if size > LARGEST:
                held = []
            elif rest:
                held.append(rest)
    except source.errors as fault:
        raise failed(file, fault, number) from None
    if size:
        yield number, size if size > LARGEST else b"".join(held)


def _chunks(source: Source, head: bytes, error: Exception | None) -> Iterator[bytes]:
    if head:
        yield head
    if error is not None:
        raise error
    while chunk := source.content.read1(CHUNK_SIZE):
        yield chunk
