"""Archives and game files, divided into shards: independent pieces of work for any machine."""

from __future__ import annotations

import io
import os
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from referee.archives.files.compression import STANDARD, Source, failed, reader, suffix
from referee.archives.files.files import expand
from referee.archives.files.lines import BLOCK_SIZE, archive_blocks, content_of
from referee.errors import FileError, Finding, RefereeError
from referee.game import unreadable
from referee.game.file.document import LARGEST

MOST_IN_A_SHARD = 1000
"""Maximum files or lines of a shard."""

HEAD_SIZE = 100_000
"""Bytes of a file that tell an archive from a game file."""

_OBJECT = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"[a-z]+"\s*:')
_EMPTY = "this folder holds no game file, move list or archive"


class GameText(NamedTuple):
    """The text of a game, a whole file (`line` 0) or a line of an archive (from 1), or else its `fault`."""

    line: int
    content: bytes = b""
    fault: Finding | None = None


@dataclass(frozen=True)
class LineTexts:
    """The games of successive `lines` from the `first` on, some of them blank; divided only where they are judged."""

    first: int
    lines: int
    content: bytes

    def __iter__(self) -> Iterator[GameText]:
        for number, line in enumerate(self.content.split(b"\n"), self.first):
            if line.strip():
                yield GameText(number, line)


GameTexts = LineTexts | tuple[GameText, ...]


class FilePart(NamedTuple):
    """Games of one file, in their order; `first` and `last` mark the beginning and the end of the file."""

    file: str
    archive: bool
    texts: GameTexts
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
        """The checksum of the content and its places, so that a shard cut elsewhere has another one."""
        total = 0
        for part in self.parts:
            total = zlib.crc32(bytes((part.first, part.last)), total)
            for text in part.texts:
                total = zlib.crc32(b"%d %s" % (text.line, text.content), total)
        return total

    @classmethod
    def of_lines(cls, lines: Iterable[str | bytes], file: str = "", first: int = 1) -> Shard:
        """The shard of some lines of an archive that another program has divided."""
        contents = (line.encode() if isinstance(line, str) else line for line in lines)
        texts = tuple(GameText(number, content) for number, content in enumerate(contents, first) if content.strip())
        return cls(0, (FilePart(file, True, texts),))


def shards(files: Iterable[str], *, lists: bool = False) -> Iterator[Shard]:
    """The shards of files and archives, in order; unreadable files are in them with their fault.

    The file "-" is the standard input. With `lists`, files are bare move lists unless clearly something else.
    """
    return _shards_of(part for file in files for part in _parts(file, lists=lists))


def content_shards(content: bytes, file: str = "", *, lists: bool = False) -> Iterator[Shard]:
    """The shards of the content of one uncompressed file, whose name has its suffix."""
    opened = io.BytesIO(content)
    return _shards_of(_read(file, Source(opened, opened), lists=lists))


def _shards_of(parts: Iterable[tuple[FilePart, int]]) -> Iterator[Shard]:
    """The shards of parts, each with the number of bytes read for it."""
    waiting: list[FilePart] = []
    number = size = count = read = 0
    for part, done in parts:
        lines, length = _extent(part.texts)
        if waiting and (size + length > BLOCK_SIZE or count + lines > MOST_IN_A_SHARD):
            yield Shard(number, tuple(waiting), read)
            number += 1
            waiting, size, count, read = [], 0, 0, 0
        waiting.append(part)
        size += length
        count += lines
        read += done
    if waiting:
        yield Shard(number, tuple(waiting), read)


def _extent(texts: GameTexts) -> tuple[int, int]:
    """The number of lines or files, and their bytes."""
    if isinstance(texts, LineTexts):
        return texts.lines, len(texts.content)
    return 1, sum(len(text.content) for text in texts)


def _parts(file: str, *, lists: bool) -> Iterator[tuple[FilePart, int]]:
    if os.path.isdir(file) and next(expand([file], lists=lists)) == file:  # noqa: PTH112 - as in `expand`
        yield FilePart(file, False, (GameText(0, fault=Finding("unreadable", _EMPTY)),)), 0
        return
    begun = False
    try:
        with reader(file) as source:
            for part, done in _read(file, source, lists=lists):
                begun = True
                yield part, done
    except RefereeError as error:
        fault = error.findings[0] if isinstance(error, FileError) else Finding(error.code, error.message)
        yield FilePart(file, begun, (GameText(fault.line if begun else 0, fault=fault),), first=not begun), 0


def _read(file: str, source: Source, *, lists: bool) -> Iterator[tuple[FilePart, int]]:
    head, error = content_of(source, HEAD_SIZE)
    archive = _is_archive(head) and (not lists or _OBJECT.match(head) is not None)
    archive = archive or (suffix(file) == ".jsonl" and not lists)
    if error is not None and not (archive and head):
        raise failed(file, error, head.count(b"\n") + 1)
    if archive:
        yield from _archive(file, source, head, error)
        return
    content = head
    while len(content) <= LARGEST and (more := source.content.read(LARGEST + 1 - len(content))):
        content += more
    if len(content) > LARGEST:
        what = "input" if file == STANDARD else "file"
        raise unreadable(file, "too-large", f"the {what} is larger than {LARGEST >> 20} MiB")
    yield FilePart(file, False, (GameText(0, content),)), _place(source, 0, len(content))


def _archive(file: str, source: Source, head: bytes, error: Exception | None) -> Iterator[tuple[FilePart, int]]:
    """The parts of an archive, each about as large as a shard."""
    place, first = 0, True
    held: GameTexts | None = None
    try:
        for texts in _texts(archive_blocks(file, source, head, error)):
            if held is not None:
                now = _place(source, place, _extent(held)[1])
                yield FilePart(file, True, held, first, last=False), now - place
                first, place = False, now
            held = texts
    except FileError:
        if held is not None and any(held):
            yield FilePart(file, True, held, first, last=False), 0
        raise
    held = held or ()
    yield FilePart(file, True, held, first), _place(source, place, _extent(held)[1]) - place


def _texts(blocks: Iterable[tuple[int, bytes | int]]) -> Iterator[GameTexts]:
    """The games of blocks of lines, not too many at once, and the faults of lines that are too long."""
    for number, block in blocks:
        if isinstance(block, int):
            message = f"a line of the archive is larger than {LARGEST >> 20} MiB"
            yield (GameText(number, fault=Finding("too-large", message, number)),)
            continue
        lines = block.count(b"\n") + 1
        while lines > MOST_IN_A_SHARD:
            *some, block = block.split(b"\n", MOST_IN_A_SHARD)
            yield LineTexts(number, MOST_IN_A_SHARD, b"\n".join(some))
            number, lines = number + MOST_IN_A_SHARD, lines - MOST_IN_A_SHARD
        yield LineTexts(number, lines, block)


def _place(source: Source, before: int, more: int) -> int:
    """The bytes read of a file, or of the content of a pipe."""
    try:
        return source.raw.tell()
    except OSError:
        return before + more


def _is_archive(head: bytes) -> bool:
    lines = [line for line in head.removeprefix(b"\xef\xbb\xbf").split(b"\n") if line.strip()]
    return len(lines) > 1 and all(line.startswith(b"{") for line in lines[:2])
