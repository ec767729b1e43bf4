"""Files that are read and written compressed if their name says so: .gz and .zst."""

from __future__ import annotations

import gzip
import io
import os
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from referee.errors import FileError
from referee.extras import extra
from referee.game.document import unreadable

STANDARD = "-"
"""The name of the standard input or output."""

SUFFIXES = (".gz", ".zst")


class Reading(NamedTuple):
    """A file that is read: its content, the file as it lies there, and the errors that reading it may end in."""

    content: BinaryIO
    raw: BinaryIO
    errors: tuple[type[Exception], ...] = (OSError,)


def suffix(name: str) -> str:
    """The suffix of a file's name before compression: `.jsonl` of "games.jsonl.gz"."""
    path = Path(name)
    return Path(path.stem).suffix if path.suffix in SUFFIXES else path.suffix


@contextmanager
def reading(name: str) -> Iterator[Reading]:
    """A file to read from, decompressed; "-" is the standard input.

    Raises:
        FileError: `unreadable`, when the file is opened or while it is read.
        RefereeError: `missing-extra`.
    """
    if name == STANDARD:
        if sys.stdin is None:
            raise unreadable(name, "unreadable", "there is no standard input")
        yield Reading(sys.stdin.buffer, sys.stdin.buffer)
        return
    zstandard = extra("zstandard", "zst") if Path(name).suffix == ".zst" else None
    errors = (OSError, EOFError, zlib.error, *((zstandard.ZstdError,) if zstandard else ()))
    try:
        with Path(name).open("rb") as raw:
            if Path(name).suffix == ".gz":
                # gzip.GzipFile is a BinaryIO in all but name.
                yield Reading(cast(BinaryIO, gzip.GzipFile(fileobj=raw)), raw, errors)
            elif zstandard:
                content = zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True)
                yield Reading(content, raw, errors)
            else:
                yield Reading(raw, raw)
    except errors as error:
        raise failed(name, error) from None


def failed(name: str, error: Exception, line: int = 1) -> FileError:
    """What reading a file has ended in, on a line of it."""
    said = str(getattr(error, "strerror", None) or error or type(error).__name__)
    return unreadable(name, "unreadable", f"the file cannot be read: {said.lower()}", line)


@contextmanager
def writing(name: str) -> Iterator[BinaryIO]:
    """A file to write to, compressed, that takes its place once all is written; "-" is the standard output.

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
    with replacing(path) as raw, _compressing(path, raw) as content:
        yield content


def special(path: Path) -> bool:
    """Whether something is there that is no file to be replaced, such as a device or a pipe."""
    return path.exists() and not path.is_file()


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to write to that takes its place once all is written; a link leads to that place.

    Raises:
        OSError: the file cannot be written.
    """
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
def _compressing(path: Path, raw: BinaryIO) -> Iterator[BinaryIO]:
    match path.suffix:
        case ".gz":
            # Neither time nor name, so that the same games give the same bytes.
            with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0, compresslevel=6) as content:
                yield cast(BinaryIO, content)
        case ".zst":
            with extra("zstandard", "zst").ZstdCompressor().stream_writer(raw, closefd=False) as content:
                yield content
        case _:
            with io.BufferedWriter(cast(io.RawIOBase, raw), 1 << 20) as buffered:
                yield buffered
