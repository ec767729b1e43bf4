"""The lines of an archive, with limited memory."""

from __future__ import annotations

from collections.abc import Iterator

from referee.archives.files.compression import Source, TooLargeError, failed
from referee.game.file.document import LARGEST

ENDLESS = 256 << 20
"""Maximum bytes of a line that is skipped; reading stops after them."""

BLOCK_SIZE = 1 << 18
"""Bytes of an archive that are read at a time: about two hundred games."""


def archive_lines(file: str, source: Source) -> Iterator[tuple[int, bytes | int]]:
    """The lines of an archive one by one, as in `archive_blocks`."""
    for number, block in archive_blocks(file, source):
        yield from enumerate(block.split(b"\n") if isinstance(block, bytes) else (block,), number)


def archive_blocks(
    file: str, source: Source, head: bytes = b"", error: Exception | None = None
) -> Iterator[tuple[int, bytes | int]]:
    """Blocks of whole lines of an archive, each with the number of its first line.

    A line that is too long for memory is a block of its own, of which there is only the length. FileError in place of
    a line that could not be read to its end. `head` has been read already, up to the `error`.
    """
    held: list[bytes] = []
    number, size = 1, 0
    try:
        for chunk in _chunks(source, head, error):
            whole, newline, rest = chunk.rpartition(b"\n")
            if newline and size + len(whole) > LARGEST:
                first, newline, whole = whole.partition(b"\n")
                size += len(first)
                yield number, size if size > LARGEST else b"".join((*held, first))
                number, held, size = number + 1, [], 0
            if newline:
                yield number, b"".join((*held, whole))
                number, held, size = number + whole.count(b"\n") + 1, [], 0
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


def content_of(source: Source, size: int) -> tuple[bytes, Exception | None]:
    """The next bytes of a file, fewer only at its end or before the error that ended it."""
    content = b""
    try:
        while len(content) < size and (more := source.content.read1(size - len(content))):
            content += more
    except source.errors as error:
        return content, error
    return content, None


def _chunks(source: Source, chunk: bytes, error: Exception | None) -> Iterator[bytes]:
    """A first chunk, then those that are read, up to the error that ends them."""
    while True:
        yield chunk
        if error is not None:
            raise error
        chunk, error = content_of(source, BLOCK_SIZE)
        if not chunk and error is None:
            return
