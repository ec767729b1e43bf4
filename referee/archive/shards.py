"""Archives and game files, divided into shards: pieces of work that can be done anywhere, in any order."""

from __future__ import annotations

import io
import os
import re
import zlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from referee.archive.compression import STANDARD, Source, TooLargeError, failed, reader, suffix
from referee.archive.files import expand
from referee.errors import FileError, Finding, RefereeError
from referee.game.document import LARGEST, unreadable
from referee.values import dataclass

_SHARD = 1 << 18
"""Bytes of text in a shard: about two hundred games."""

_MOST = 1000
"""Maximum files or lines of a shard, however short they are."""

_ENDLESS = 256 << 20
"""Bytes of a line after which reading stops; a longer line is not even skipped."""

_HEAD = 100_000
_CHUNK = 1 << 16
_OBJECT = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"[a-z]+"\s*:')
_EMPTY = "this folder holds no game file, move list or archive"


class GameText(NamedTuple):
    """A game as its file has it: the whole file (`line` 0), or a line of an archive (from 1).

    `fault` is the reason why it cannot be read; there is no content then.
    """

    line: int
    content: bytes = b""
    fault: Finding | None = None


class FilePart(NamedTuple):
    """Games of one file, in their order; `first` and `last` say where the file begins and ends."""

    file: str
    archive: bool
    texts: tuple[GameText, ...]
    first: bool = True
    last: bool = True


@dataclass(frozen=True)
class Shard:
    """A piece of work; `read` is the number of bytes of the files that it took."""

    number: int
    parts: tuple[FilePart, ...]
    read: int = 0

    @property
    def checksum(self) -> int:
        """A number that hardly any other content has."""
        total = 0
        for part in self.parts:
            for text in part.texts:
                total = zlib.crc32(text.content, total)
        return total

    @classmethod
    def of_lines(cls, lines: Iterable[str | bytes], file: str = "", first: int = 1) -> Shard:
        """The shard of some lines of an archive, for programs that divide it themselves."""
        contents = (line.encode() if isinstance(line, str) else line for line in lines)
        texts = tuple(GameText(number, content) for number, content in enumerate(contents, first) if content.strip())
        return cls(0, (FilePart(file, True, texts),))


def shards(files: Iterable[str], *, lists: bool = False) -> Iterator[Shard]:
    """The shards of files and archives, in order; unreadable files are in them with their fault.

    Args:
        files: names; "-" is the standard input.
        lists: read files as bare move lists, unless they are clearly something else.
    """
    yield from _shards_of(part for file in files for part in _parts(file, lists=lists))


def content_shards(content: bytes, file: str = "", *, lists: bool = False) -> Iterator[Shard]:
    """The same for the content of one file, uncompressed; the suffix of its name counts."""
    opened = io.BytesIO(content)
    yield from _shards_of(_read(file, Source(opened, opened), lists=lists))


def _shards_of(parts: Iterable[tuple[FilePart, int]]) -> Iterator[Shard]:
    for number, (bundle, read) in enumerate(_bundles(parts)):
        yield Shard(number, bundle, read)


def _bundles(parts: Iterable[tuple[FilePart, int]]) -> Iterator[tuple[tuple[FilePart, ...], int]]:
    """Parts put together to the size of a shard, with the number of bytes read for them."""
    waiting: list[FilePart] = []
    size = count = read = 0
    for part, done in parts:
        more = max(1, len(part.texts))
        if waiting and (size >= _SHARD or count + more > _MOST):
            yield tuple(waiting), read
            waiting, size, count, read = [], 0, 0, 0
        waiting.append(part)
        size += sum(len(text.content) for text in part.texts)
        count += more
        read += done
    if waiting:
        yield tuple(waiting), read


def _parts(file: str, *, lists: bool) -> Iterator[tuple[FilePart, int]]:
    """A file's parts, each with the number of bytes read for it."""
    if os.path.isdir(file) and next(expand([file], lists=lists)) == file:  # noqa: PTH112 - as in `expand`
        yield FilePart(file, False, (GameText(0, fault=Finding("unreadable", _EMPTY)),)), 0
        return
    begun = False
    try:
        with reader(file) as source:
            for part, done in _read(file, source, lists=lists):
                begun = True
                yield part, done
    except FileError as error:
        fault = error.findings[0]
        yield FilePart(file, begun, (GameText(fault.line if begun else 0, fault=fault),), first=not begun), 0
    except RefereeError as error:
        yield FilePart(file, begun, (GameText(0, fault=Finding(error.code, error.message)),), first=not begun), 0


def _read(file: str, source: Source, *, lists: bool) -> Iterator[tuple[FilePart, int]]:
    head, error = _head(source)
    archive = _is_archive(head) and (not lists or _OBJECT.match(head) is not None)
    archive = archive or (suffix(file) == ".jsonl" and not lists)
    if error is not None and not (archive and head):
        raise failed(file, error, head.count(b"\n") + 1)
    if archive:
        yield from _archive(file, source, head, error)
        return
    content = _fill(source, head, LARGEST + 1)
    if len(content) > LARGEST:
        what = "input" if file == STANDARD else "file"
        raise unreadable(file, "too-large", f"the {what} is larger than {LARGEST >> 20} MiB")
    yield FilePart(file, False, (GameText(0, content),)), _place(source, 0, len(content))


def _archive(file: str, source: Source, head: bytes, error: Exception | None) -> Iterator[tuple[FilePart, int]]:
    """The parts of an archive, none of them much larger than a shard."""
    number = size = place = 0
    texts: list[GameText] = []
    first = True
    for number, line in enumerate(archive_lines(source, head, error), 1):
        if isinstance(line, Exception):
            if texts:
                yield FilePart(file, True, tuple(texts), first, last=False), 0
            raise failed(file, line, number)
        if line is None:
            message = f"a line of the archive is larger than {LARGEST >> 20} MiB"
            texts.append(GameText(number, fault=Finding("too-large", message, number)))
        elif line.strip():
            texts.append(GameText(number, line))
            size += len(line)
        if size >= _SHARD or len(texts) >= _MOST:
            now = _place(source, place, size)
            yield FilePart(file, True, tuple(texts), first, last=False), now - place
            texts, size, first, place = [], 0, False, now
    yield FilePart(file, True, tuple(texts), first), _place(source, place, size) - place


def archive_lines(
    source: Source, head: bytes = b"", error: Exception | None = None
) -> Iterator[bytes | Exception | None]:
    """The lines of an archive; None for one that is too long, which is not held in memory.

    An error takes the place of a line that could not be read to its end, and comes last. `head` is what was read
    already, `error` the error that ended it.
    """
    held: list[bytes] = []
    size = 0
    chunk = head
    if not chunk and error is None:
        chunk, error = _more(source, _CHUNK)
    while chunk:
        *whole, rest = chunk.split(b"\n")
        for part in whole:
            size += len(part)
            yield None if size > LARGEST else b"".join((*held, part))
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
        if error is None:
            chunk, error = _more(source, _CHUNK)
        if error is not None:
            yield error
            return
    if size:
        yield None if size > LARGEST else b"".join(held)


def _head(source: Source) -> tuple[bytes, Exception | None]:
    """The beginning of a file, and the error that reading it ended in."""
    head, more, error = b"", b"-", None
    while more and error is None and len(head) < _HEAD:
        more, error = _more(source, _HEAD - len(head))
        head += more
    return head, error


def _more(source: Source, size: int) -> tuple[bytes, Exception | None]:
    """The next bytes of a file, or an error; what came before the error is not lost."""
    try:
        return source.content.read1(size), None
    except source.errors as error:
        return b"", error


def _fill(source: Source, content: bytes, size: int) -> bytes:
    """The content and more of the file, up to this size."""
    while len(content) < size and (more := source.content.read(size - len(content))):
        content += more
    return content


def _place(source: Source, before: int, more: int) -> int:
    """The bytes read of a file; of a pipe, those that came out of it."""
    try:
        return source.raw.tell()
    except OSError:
        return before + more


def _is_archive(head: bytes) -> bool:
    lines = [line for line in head.removeprefix(b"\xef\xbb\xbf").split(b"\n") if line.strip()]
    return len(lines) > 1 and all(line.startswith(b"{") for line in lines[:2])
