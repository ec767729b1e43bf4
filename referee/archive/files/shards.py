"""Archives and game files, divided into shards: independent pieces of work for any machine."""

from __future__ import annotations

import io
import os
import re
import stat
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeVar

from referee.archive.files.compression import (
    STANDARD,
    Source,
    TooLargeError,
    check_growth,
    failed,
    is_compressed,
    reader,
    suffix,
)
from referee.archive.files.files import expand
from referee.archive.files.lines import archive_lines, more_of
from referee.archive.files.members import Member, members
from referee.errors import FileError, Finding, RefereeError
from referee.game.file.document import LARGEST, unreadable

_SHARD = 1 << 18
"""Bytes of text in a shard: about two hundred games."""

_MOST = 1000
"""Maximum files or lines of a shard."""

_LARGEST_MEMBER = 1 << 22
"""Maximum unpacked bytes of a member or frame that is handed out unread."""

_HEAD = 100_000
_OBJECT = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"[a-z]+"\s*:')
_EMPTY = "this folder holds no game file, move list or archive"

_Result = TypeVar("_Result")


class GameText(NamedTuple):
    """The text of a game, a whole file (`line` 0) or a line of an archive (from 1), or else its `fault`."""

    line: int
    content: bytes = b""
    fault: Finding | None = None


class FilePart(NamedTuple):
    """Games of one file, in their order; `first` and `last` mark the beginning and the end of the file."""

    file: str
    archive: bool
    texts: tuple[GameText, ...]
    first: bool = True
    last: bool = True


@dataclass(frozen=True)
class Shard:
    """A piece of work; `read` is the number of bytes read for it."""

    number: int
    parts: tuple[FilePart, ...]
    read: int = 0

    @property
    def checksum(self) -> int:
        """The checksum of the content."""
        total = 0
        for part in self.parts:
            for text in part.texts:
                total = zlib.crc32(text.content, total)
        return total

    @classmethod
    def of_lines(cls, lines: Iterable[str | bytes], file: str = "", first: int = 1) -> Shard:
        """The shard of some lines of an archive that another program has divided."""
        contents = (line.encode() if isinstance(line, str) else line for line in lines)
        texts = tuple(GameText(number, content) for number, content in enumerate(contents, first) if content.strip())
        return cls(0, (FilePart(file, True, texts),))


class RangePart(NamedTuple):
    """Games of a compressed archive, still to be read: its labelled `member`, whose first line is number `line`."""

    file: str
    path: str
    member: Member
    line: int
    first: bool = True
    last: bool = True

    def load(self) -> FilePart:
        """The games, with an error instead of unreadable ones."""
        texts: list[GameText] = []
        number, size = self.line, 0
        start, end, whole, lines = self.member
        try:
            with reader(self.path, start, end, whole, Path(self.file).suffix) as source:
                for line in archive_lines(source):
                    if isinstance(line, Exception):
                        raise failed(self.file, line)
                    if text := _text(number, line):
                        texts.append(text)
                    number += 1
                    size += (line if isinstance(line, int) else len(line)) + 1
            # A member ends with a line end, or its last line would continue in the next one.
            if number != self.line + lines or size != whole:
                raise failed(self.file, OSError("its lines are not those that were counted"))
        except FileError as error:
            texts.append(_fault(error, number))
        return FilePart(self.file, True, tuple(texts), self.first, self.last)


@dataclass(frozen=True)
class Partition:
    """A shard that is still to be read, at least in part."""

    number: int
    parts: tuple[FilePart | RangePart, ...]
    read: int = 0

    def shard(self) -> Shard:
        """The shard, read by the caller."""
        parts = (part.load() if isinstance(part, RangePart) else part for part in self.parts)
        return Shard(self.number, tuple(parts), self.read)


def on_partitions(function: Callable[[Shard], _Result]) -> Callable[[Partition], _Result]:
    """Wrap a function of shards as one of partitions, so that its worker reads the shard."""
    return partial(_on_partition, function)


def _on_partition(function: Callable[[Shard], _Result], partition: Partition) -> _Result:
    return function(partition.shard())


def shards(files: Iterable[str], *, lists: bool = False) -> Iterator[Shard]:
    """The shards of files and archives, in order; unreadable files are in them with their fault.

    The file "-" is the standard input. With `lists`, files are bare move lists unless clearly something else.
    """
    return (partition.shard() for partition in partitions(files, lists=lists))


def partitions(files: Iterable[str], *, lists: bool = False, here: bool = False) -> Iterator[Partition]:
    """The same shards, but workers unpack members with labels themselves, unless they do not have the files (`here`).

    All else, such as game files and the standard input, is always read here.
    """
    parts = (part for file in files for part in _parts(file, lists=lists))
    for partition in _partitions_of(parts):
        yield Partition(partition.number, partition.shard().parts, partition.read) if here else partition


def content_shards(content: bytes, file: str = "", *, lists: bool = False) -> Iterator[Shard]:
    """The shards of the content of one uncompressed file, whose name has its suffix."""
    opened = io.BytesIO(content)
    parts = _read(file, Source(opened, opened), lists=lists)
    return (partition.shard() for partition in _partitions_of(parts))


_Read = Iterable[tuple[FilePart | RangePart, int]]
"""Parts, each with the number of bytes read for it."""


def _partitions_of(parts: _Read) -> Iterator[Partition]:
    waiting: list[FilePart | RangePart] = []
    number = size = count = read = 0
    for part, done in parts:
        games = part.member.lines if isinstance(part, RangePart) else len(part.texts)
        if waiting and (size >= _SHARD or count + max(1, games) > _MOST):
            yield Partition(number, tuple(waiting), read)
            number += 1
            waiting, size, count, read = [], 0, 0, 0
        waiting.append(part)
        size += part.member.size if isinstance(part, RangePart) else sum(len(text.content) for text in part.texts)
        count += max(1, games)
        read += done
    if waiting:
        yield Partition(number, tuple(waiting), read)


def _parts(file: str, *, lists: bool) -> Iterator[tuple[FilePart | RangePart, int]]:
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
        yield FilePart(file, begun, (_fault(error, error.findings[0].line if begun else 0),), first=not begun), 0
    except RefereeError as error:
        yield FilePart(file, begun, (GameText(0, fault=Finding(error.code, error.message)),), first=not begun), 0


def _read(file: str, source: Source, *, lists: bool) -> Iterator[tuple[FilePart | RangePart, int]]:
    head, error = _head(source)
    archive = _is_archive(head) and (not lists or _OBJECT.match(head) is not None)
    archive = archive or (suffix(file) == ".jsonl" and not lists)
    if error is not None and not (archive and head):
        raise failed(file, error, head.count(b"\n") + 1)
    if archive:
        path = _path_of(file, source.raw) if is_compressed(file) else None
        if path:
            yield from _member_ranges(file, path, source, head, error)
        else:
            yield from _archive(file, source, head, error)
        return
    content = _fill(source, head, LARGEST + 1)
    if len(content) > LARGEST:
        what = "input" if file == STANDARD else "file"
        raise unreadable(file, "too-large", f"the {what} is larger than {LARGEST >> 20} MiB")
    yield FilePart(file, False, (GameText(0, content),)), _place(source, 0, len(content))


def _path_of(name: str, raw: BinaryIO) -> str | None:
    """The path of an open file for any process of this machine; None if there is none, as for a pipe."""
    try:
        found = os.fstat(raw.fileno())
        path = os.path.realpath(name)
        same = os.path.samestat(found, os.stat(path))  # noqa: PTH116 - /dev/stdin leads to a file or to nothing
    except OSError:
        return None
    return path if same and stat.S_ISREG(found.st_mode) else None


def _archive(
    file: str, source: Source, head: bytes, error: Exception | None, begin: int = 1, place: int = 0
) -> Iterator[tuple[FilePart, int]]:
    """The parts of an archive from a line and a place on, each about as large as a shard."""
    size = 0
    texts: list[GameText] = []
    first = begin == 1
    for number, line in enumerate(archive_lines(source, head, error), begin):
        if isinstance(line, Exception):
            if texts:
                yield FilePart(file, True, tuple(texts), first, last=False), 0
            raise failed(file, line, number)
        if text := _text(number, line):
            texts.append(text)
            size += len(text.content)
        if size >= _SHARD or len(texts) >= _MOST:
            now = _place(source, place, size)
            yield FilePart(file, True, tuple(texts), first, last=False), now - place
            texts, size, first, place = [], 0, False, now
    yield FilePart(file, True, tuple(texts), first), _place(source, place, size) - place


def _member_ranges(
    file: str, path: str, source: Source, head: bytes, error: Exception | None
) -> Iterator[tuple[FilePart | RangePart, int]]:
    """The parts of a compressed archive: its members while they have labels and are not too large, then the rest."""
    line, end, unpacked = 1, 0, 0
    with Path(path).open("rb") as raw:
        whole = os.fstat(raw.fileno()).st_size
        for member in members(raw, Path(file).suffix):
            if member.end > whole or member.size > _LARGEST_MEMBER or not 0 < member.lines <= _MOST:
                break
            unpacked += member.size
            try:
                check_growth(unpacked, member.end)
            except TooLargeError as grown:
                raise failed(file, grown, line) from None
            last = member.end == whole
            yield RangePart(file, path, member, line, line == 1, last), member.end - member.start
            line, end = line + member.lines, member.end
    if not end:
        yield from _archive(file, source, head, error)
    elif end < whole:
        with reader(file, end) as rest:
            yield from _archive(file, rest, b"", None, line, end)


def _text(number: int, line: bytes | int) -> GameText | None:
    """The game of a line, or the fault of one that is too long; None if it is blank."""
    if isinstance(line, int):
        message = f"a line of the archive is larger than {LARGEST >> 20} MiB"
        return GameText(number, fault=Finding("too-large", message, number))
    return GameText(number, line) if line.strip() else None


def _fault(error: FileError, line: int) -> GameText:
    return GameText(line, fault=error.findings[0])


def _head(source: Source) -> tuple[bytes, Exception | None]:
    """The beginning of a file, and the error that ended it, if any."""
    head, more, error = b"", b"-", None
    while more and error is None and len(head) < _HEAD:
        more, error = more_of(source, _HEAD - len(head))
        head += more
    return head, error


def _fill(source: Source, content: bytes, size: int) -> bytes:
    while len(content) < size and (more := source.content.read(size - len(content))):
        content += more
    return content


def _place(source: Source, before: int, more: int) -> int:
    """The bytes read of a file, or of the content of a pipe."""
    try:
        return source.raw.tell()
    except OSError:
        return before + more


def _is_archive(head: bytes) -> bool:
    lines = [line for line in head.removeprefix(b"\xef\xbb\xbf").split(b"\n") if line.strip()]
    return len(lines) > 1 and all(line.startswith(b"{") for line in lines[:2])
