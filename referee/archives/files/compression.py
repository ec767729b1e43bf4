"""Files that are compressed if their name ends in .gz or .zst."""

from __future__ import annotations

import io
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from referee.errors import FileError
from referee.extras import extra
from referee.game import unreadable
from referee.game.file.document import standard_input

STANDARD = "-"
"""The name of the standard input or output."""

_SUFFIXES = (".gz", ".zst")

UNPACKED = 16 << 20
"""Maximum unpacked bytes of a compressed file of any size."""

RATIO = 200
"""Maximum factor of its growth beyond that: archives grow less, unless most of their games are the same."""

_WINDOW = 1 << 27
"""Memory in bytes that unpacking may need, as `zstd` itself allows."""

_LEVEL = 6
"""The effort with which .gz files are packed: with 9 they take much longer, and are hardly smaller."""

_PIECE = 1 << 10
"""Bytes of a .zst file that are unpacked at a time: four of them may unpack to 128 KiB."""


class TooLargeError(Exception):
    """A file unpacks to more, or has a longer line, than the limits allow."""


class Source(NamedTuple):
    """An open file: its content, the stored file, and the errors that reading it may raise."""

    content: io.BufferedIOBase
    raw: BinaryIO
    errors: tuple[type[Exception], ...] = (TooLargeError, OSError)


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
    """The content of a compressed file; TooLargeError once it is out of proportion to the file."""

    def __init__(self, content: io.BufferedIOBase, raw: BinaryIO) -> None:
        """Read the content of a compressed file."""
        self._content = content
        self._raw = raw
        self._size = 0

    def read(self, size: int | None = -1, /) -> bytes:
        """The next `size` bytes, or fewer at the end."""
        return self._count(self._content.read(size))

    def read1(self, size: int = -1, /) -> bytes:
        """The next bytes, at most `size`."""
        return self._count(self._content.read1(size))

    def _count(self, more: bytes) -> bytes:
        self._size += len(more)
        if self._size > UNPACKED + RATIO * self._raw.tell():
            raise TooLargeError(
                f"the file unpacks to more than {RATIO} times its size: if that is right, unpack it first"
            )
        return more


@lru_cache(maxsize=16)
def suffix(name: str) -> str:
    """The suffix of a file's name before compression: `.jsonl` of "games.jsonl.gz"."""
    path = Path(name)
    return Path(path.stem).suffix if path.suffix in _SUFFIXES else path.suffix


@contextmanager
def reader(name: str) -> Iterator[Source]:
    """A file to read from, decompressed; "-" is the standard input.

    Raises:
        FileError: `unreadable`, when the file is opened or while it is read.
        RefereeError: `missing-extra`.
    """
    if name == STANDARD:
        yield Source(cast(io.BufferedIOBase, standard_input()), standard_input())
        return
    packing = Path(name).suffix
    zstandard = extra("zstandard", "zst") if packing == ".zst" else None
    errors = (TooLargeError, OSError, EOFError, zlib.error, *((zstandard.ZstdError,) if zstandard else ()))
    try:
        with Path(name).open("rb") as raw:
            if packing == ".gz":
                import gzip

                yield Source(_Bounded(gzip.GzipFile(fileobj=raw), raw), raw, errors)
            elif zstandard:
                decompressor = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
                content = io.BufferedReader(_Frames(raw, decompressor.decompressobj), 1 << 17)
                yield Source(_Bounded(content, raw), raw, errors)
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
    try:
        handle, part = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}.")
    except OSError as error:  # it names the temporary file, not the caller's
        raise OSError(error.errno, error.strerror, str(path)) from None
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


def _compressor(path: Path, raw: BinaryIO) -> AbstractContextManager[BinaryIO]:
    """The content of a file, compressed by its name; the same content gives the same bytes."""
    if path.suffix == ".gz":
        import gzip

        packed = gzip.GzipFile(filename="", mode="wb", compresslevel=_LEVEL, fileobj=raw, mtime=0)
        return cast(AbstractContextManager[BinaryIO], packed)
    if path.suffix == ".zst":
        stream: AbstractContextManager[BinaryIO] = (
            extra("zstandard", "zst").ZstdCompressor().stream_writer(raw, closefd=False)
        )
        return stream
    return cast(AbstractContextManager[BinaryIO], io.BufferedWriter(cast(io.RawIOBase, raw), 1 << 20))
