"""Labelled members of .gz files and frames of .zst files, which can be read separately.

Both formats may have many in sequence, and unpack to all of them together (RFC 1952, RFC 8878). Those that are
written here hold whole lines and begin with a label: the size of the member with its label, its unpacked size, and
its number of lines, each as four bytes, little-endian. In a .gz file the label is a subfield "Rf" of the extra field,
in a .zst file it is a skippable frame before the frame. Other programs ignore both.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from referee.extras import extra

MEMBER_LINES = 1000
"""Maximum lines of a written member."""

_MEMBER = 1 << 19
"""Maximum unpacked bytes of a member, except for a longer line; smaller members are compressed less."""

_LABEL = struct.Struct("<III")
_BEGINNINGS = {
    ".gz": struct.pack("<2sBBIBBH2sH", b"\x1f\x8b", 8, 4, 0, 0, 255, 4 + _LABEL.size, b"Rf", _LABEL.size),
    ".zst": struct.pack("<II4s", 0x184D2A52, 4 + _LABEL.size, b"Rf"),
}
"""The bytes before a label, by the suffix of the file."""

_NO_LABEL = struct.pack("<2sBBIBB", b"\x1f\x8b", 8, 0, 0, 0, 255)
"""The header of a .gz member without a label. Headers have no time or name, so the same games give the same bytes."""


class Member(NamedTuple):
    """A member by its label: its bytes in the file, its unpacked size, and its number of lines."""

    start: int
    end: int
    size: int
    lines: int


def members(raw: BinaryIO, suffix: str) -> Iterator[Member]:
    """The members of a file with this suffix, from its start up to the first one without a label."""
    beginning = _BEGINNINGS.get(suffix)
    start = 0
    while beginning:
        raw.seek(start)
        head = raw.read(len(beginning) + _LABEL.size)
        if len(head) < len(beginning) + _LABEL.size or not head.startswith(beginning):
            return
        packed, size, lines = _LABEL.unpack_from(head, len(beginning))
        if packed < len(head):
            return
        yield Member(start, start + packed, size, lines)
        start += packed


class MemberFile:
    """A file to write lines to, which become members with labels.

    The rest after the last line end has no label, nor has content that fits into a single member.
    """

    def __init__(self, raw: BinaryIO, suffix: str) -> None:
        """Write into an open file that will have this suffix."""
        self._raw = raw
        self._beginning = _BEGINNINGS[suffix]
        self._pack = _deflated if suffix == ".gz" else extra("zstandard", "zst").ZstdCompressor().compress
        self._waiting = bytearray()
        self._begun = False

    def write(self, content: bytes) -> int:
        """Take more content."""
        self._waiting += content
        while len(self._waiting) >= _MEMBER and (end := self._first_lines()):
            self._put(end)
        return len(content)

    def end(self) -> None:
        """Write what is left."""
        while self._begun and (end := self._first_lines()):
            self._put(end)
        if self._waiting or not self._begun:
            content = bytes(self._waiting)
            packed = self._pack(content)
            self._raw.write(_NO_LABEL + packed if self._pack is _deflated else packed)

    def _first_lines(self) -> int:
        """The size of the lines that the next member gets; 0 if there is no whole line."""
        end = self._waiting.rfind(b"\n", 0, _MEMBER) + 1 or self._waiting.find(b"\n", _MEMBER) + 1
        pieces = self._waiting[:end].split(b"\n", MEMBER_LINES)
        return end - len(pieces[-1])

    def _put(self, end: int) -> None:
        content = bytes(self._waiting[:end])
        del self._waiting[:end]
        packed = self._pack(content)
        size = len(self._beginning) + _LABEL.size + len(packed)
        self._raw.write(self._beginning + _LABEL.pack(size, len(content), content.count(b"\n")) + packed)
        self._begun = True


def _deflated(content: bytes) -> bytes:
    """The rest of a .gz member, after its header."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(content) + packer.flush() + struct.pack("<II", zlib.crc32(content), len(content))
