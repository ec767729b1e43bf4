"""Files that are compressed if their name says so: .gz and .zst."""

from __future__ import annotations

import io
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from referee.errors import FileError
from referee.extras import extra
from referee.game.document import standard_input, unreadable

STANDARD = "-"
"""The name of the standard input or output."""

_SUFFIXES = (".gz", ".zst")

_UNPACKED = 16 << 20
"""Bytes to which a compressed file may unpack, whatever its size."""

_RATIO = 200
"""Beyond that, the factor by which it may grow: games without a single move come to about 110."""

_WINDOW = 1 << 27
"""Memory in bytes that unpacking may need, as `zstd` itself allows."""


class Source(NamedTuple):
    """An open file: its content, the file as it is stored, and the errors that reading it may raise."""

    content: io.BufferedIOBase
    raw: BinaryIO
    errors: tuple[type[Exception], ...] = (OSError,)


class TooLargeError(Exception):
    """A file unpacks to more, or has a longer line, than the limits allow."""


class _Bounded(io.BufferedIOBase):
    """The content of a compressed file, as long as it stays in proportion to the file's own size."""

    def __init__(self, content: io.BufferedIOBase, raw: BinaryIO) -> None:
        """Take the decompressed content and the compressed file."""
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
        if self._size > _UNPACKED + _RATIO * self._raw.tell():
            raise TooLargeError(
                f"the file unpacks to more than {_RATIO} times its size: if that is right, unpack it first"
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
    zstandard = extra("zstandard", "zst") if Path(name).suffix == ".zst" else None
    errors = (TooLargeError, OSError, EOFError, zlib.error, *((zstandard.ZstdError,) if zstandard else ()))
    try:
        with Path(name).open("rb") as raw:
            if Path(name).suffix == ".gz":
                import gzip

                yield Source(_Bounded(gzip.GzipFile(fileobj=raw), raw), raw, errors)
            elif zstandard:
                decompressor = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
                content = decompressor.stream_reader(raw, read_across_frames=True)
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
    """True for a device, a pipe and whatever else no file can replace."""
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
    match path.suffix:
        case ".gz":
            import gzip

            # Neither time nor name, so that the same games give the same bytes.
            with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0, compresslevel=6) as content:
                yield cast(BinaryIO, content)
        case ".zst":
            with extra("zstandard", "zst").ZstdCompressor().stream_writer(raw, closefd=False) as content:
                yield content
        case _:
            with io.BufferedWriter(cast(io.RawIOBase, raw), 1 << 20) as buffered:
                yield buffered
