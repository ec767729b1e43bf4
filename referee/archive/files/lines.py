"""The lines of an archive, with limited memory."""

from __future__ import annotations

from collections.abc import Iterator

from referee.archive.files.compression import Source, TooLargeError
from referee.game.file.document import LARGEST

_ENDLESS = 256 << 20
"""Maximum bytes of a line that is skipped; reading stops after them."""

_CHUNK = 1 << 16


def archive_lines(
    source: Source, head: bytes = b"", error: Exception | None = None
) -> Iterator[bytes | Exception | int]:
    """The lines of an archive, but only the length of a line that is too long for memory.

    An error replaces a line that could not be read to its end, and is the last item. `head` has been read already,
    up to the `error`.
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
    """The next bytes of a file, or an error instead of them."""
    try:
        return source.content.read1(size), None
    except source.errors as error:
        return b"", error
