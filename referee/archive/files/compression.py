"""Files that are compressed if their name ends in .gz or .zst."""

from __future__ import annotations

import io
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from referee.archive.files.members import MemberFile
from referee.errors import FileError
from referee.extras import extra
from referee.game.file.document import standard_input, unreadable

STANDARD = "-"
"""The name of the standard input or output."""

_SUFFIXES = (".gz", ".zst")

_UNPACKED = 16 << 20
"""Maximum unpacked bytes of a compressed file of any size."""

_RATIO = 200
"""Maximum factor of its growth beyond that: for games without a single move it is about 110."""

_WINDOW = 1 << 27
"""Memory in bytes that unpacking may need, as `zstd` itself allows."""

_PIECE = 1 << 10
"""Bytes of a .zst file that are unpacked at a time: four of them may unpack to 128 KiB."""


class Source(NamedTuple):
    """An open file: its content, the stored file, and the errors that reading it may raise."""

    content: io.BufferedIOBase
    raw: BinaryIO
    errors: tuple[type[Exception], ...] = (OSError,)


class TooLargeError(Exception):
    """A file unpacks to more, or has a longer line, than the limits allow."""


class _Window(io.RawIOBase):
    """The next bytes of an open file, as a file of their own."""

    def __init__(self, raw: BinaryIO, size: int) -> None:
        """Read `size` bytes of an open file."""
        self._raw = raw
        self._size = self._left = size

    def readable(self) -> bool:
        """True."""
        return True

    def tell(self) -> int:
        """The bytes read of it."""
        return self._size - self._left

    def readinto(self, buffer: Any, /) -> int:  # noqa: ANN401 - a writable buffer, which has no type before 3.12
        """Fill the buffer with the next bytes; OSError if the file ends before the range."""
        more = self._raw.read(min(len(buffer), self._left))
        if self._left and len(buffer) and not more:
            raise OSError("it has become shorter")
        buffer[: len(more)] = more
        self._left -= len(more)
        return len(more)


class _Frames(io.RawIOBase):
    """The content of a .zst file; the library's own reader does not notice a truncated file."""

    def __init__(self, raw: BinaryIO, begin: Callable[[], Any]) -> None:
        """Read an open file; `begin` makes a decompressor for a frame."""
        self._raw = raw
        self._begin = begin
        self._frame = begin()
        self._begun = False
        self._packed = b""
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        """True."""
        return True

    def readinto(self, buffer: Any, /) -> int:  # noqa: ANN401 - a writable buffer, which has no type before 3.12
        """Fill the buffer with the next bytes; EOFError if the file ends within a frame."""
        while not self._ready and (packed := self._packed or self._raw.read(_PIECE)):
            self._ready = memoryview(self._frame.decompress(packed))
            self._packed, self._begun = self._frame.unused_data, not self._frame.eof
            if not self._begun:
                self._frame = self._begin()
        if not self._ready and self._begun:
            raise EOFError("it ends within a frame")
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size


class _Bounded(io.BufferedIOBase):
    """The content of a compressed file, while it stays in proportion to the file, or below a limit."""

    def __init__(self, content: io.BufferedIOBase, raw: BinaryIO, most: int | None) -> None:
        """Read the content of a compressed file, up to `most` bytes for a range."""
        self._content = content
        self._raw = raw
        self._most = most
        self._size = 0

    def read(self, size: int | None = -1, /) -> bytes:
        """The next `size` bytes, or fewer at the end."""
        return self._count(self._content.read(size))

    def read1(self, size: int = -1, /) -> bytes:
        """The next bytes, at most `size`."""
        return self._count(self._content.read1(size))

    def _count(self, more: bytes) -> bytes:
        self._size += len(more)
        if self._most is None:
            check_growth(self._size, self._raw.tell())
        elif self._size > self._most:
            raise OSError("it unpacks to more than its label says")
        return more


def check_growth(size: int, packed: int) -> None:
    """Raise TooLargeError if the unpacked size is out of proportion to that of the file."""
    if size > _UNPACKED + _RATIO * packed:
        raise TooLargeError(
            f"the file unpacks to more than {_RATIO} times its size: if that is right, unpack it first"
        )


def is_compressed(name: str) -> bool:
    """True for the name of a compressed file."""
    return Path(name).suffix in _SUFFIXES


@lru_cache(maxsize=16)
def suffix(name: str) -> str:
    """The suffix of a file's name before compression: `.jsonl` of "games.jsonl.gz"."""
    path = Path(name)
    return Path(path.stem).suffix if path.suffix in _SUFFIXES else path.suffix


@contextmanager
def reader(
    name: str, start: int = 0, end: int | None = None, most: int | None = None, packing: str | None = None
) -> Iterator[Source]:
    """A file to read from, decompressed; "-" is the standard input.

    Args:
        name: the name of the file.
        start: the first byte of the stored file; in a compressed one a member or frame begins there.
        end: the end of a range of a file.
        most: maximum bytes that a range of a compressed file may unpack to.
        packing: the suffix of its compression, if it is not that of the name.

    Raises:
        FileError: `unreadable`, when the file is opened or while it is read.
        RefereeError: `missing-extra`.
    """
    if name == STANDARD:
        yield Source(cast(io.BufferedIOBase, standard_input()), standard_input())
        return
    packing = Path(name).suffix if packing is None else packing
    zstandard = extra("zstandard", "zst") if packing == ".zst" else None
    errors = (TooLargeError, OSError, EOFError, zlib.error, *((zstandard.ZstdError,) if zstandard else ()))
    try:
        with Path(name).open("rb") as file:
            if start:  # a pipe has no places, and is read from its present one
                file.seek(start)
            raw = file if end is None else io.BufferedReader(_Window(file, end - start))
            if packing == ".gz":
                import gzip

                yield Source(_Bounded(gzip.GzipFile(fileobj=raw), raw, most), raw, errors)
            elif zstandard:
                decompressor = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
                content = io.BufferedReader(_Frames(raw, decompressor.decompressobj), 1 << 17)
                yield Source(_Bounded(content, raw, most), raw, errors)
            else:
                yield Source(raw, raw)
    except errors as error:
        raise failed(name, error) from None


def failed(name: str, error: Exception, line: int = 1) -> FileError:
    """The error to raise for one that occurred while reading a line of a file."""
    if isinstance(error, TooLargeError):
        return unreadable(name, "too-large", str(error), line)
    said = str(getattr(error, "strerror", None) or error or type(error).__name__)
    return unreadable(name, "unreadable", f"the file cannot be read: {said.lower()}", line)


@contextmanager
def writer(name: str) -> Iterator[BinaryIO]:
    """A file to write to, compressed, which replaces the one of its name at the end; "-" is the standard output.

    Raises:
        OSError: the file cannot be written.
        RefereeError: `missing-extra`.
    """
    if name == STANDARD:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(name)
    if special(path):
        with path.open("wb") as there:
            yield there
        return
    with atomic_file(path) as raw, _compressor(path, raw) as content:
        yield content


def special(path: Path) -> bool:
    """True for a device, a pipe and everything else that no file can replace."""
    return path.exists() and not path.is_file()


@contextmanager
def atomic_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which replaces the one of its name at the end; links are followed.

    Raises:
        OSError: the file cannot be written.
    """
    import tempfile

    place = Path(os.path.realpath(path))
    handle, part = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}.")
    try:
        with os.fdopen(handle, "wb") as raw:
            yield raw
        umask = os.umask(0)
        os.umask(umask)
        Path(part).chmod(0o666 & ~umask)
        Path(part).replace(place)
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise


@contextmanager
def _compressor(path: Path, raw: BinaryIO) -> Iterator[BinaryIO]:
    """The content of a file: compressed in members that can be read apart, if there are several."""
    if not is_compressed(path.name):
        with io.BufferedWriter(cast(io.RawIOBase, raw), 1 << 20) as buffered:
            yield buffered
        return
    content = MemberFile(raw, path.suffix)
    yield cast(BinaryIO, content)
    content.end()
