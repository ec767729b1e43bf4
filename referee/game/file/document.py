"""A file's bytes to plain data, strictly, and every value's place in the text."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import IO, Any, BinaryIO, Literal

from referee.errors import FileError, Finding, Span, shown
from referee.rules.frozen import Frozen

LARGEST = 16 << 20
"""Maximum bytes of a game file or move list."""

DEEPEST = 40
"""Maximum depth of nested lists and mappings."""

MOST_VALUES = 50_000
"""Maximum keys, texts and numbers in a game file."""

MOST_FINDINGS = 20_000
"""Maximum findings listed for one file."""

HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
"""Characters that no line of text may have.

They control a terminal, end the line, reverse its direction, or are half a surrogate pair, which cannot be written.
"""

KeyPath = tuple[str | int, ...]
"""The way to a value: keys of mappings and indices of lists from the top."""


@dataclass(frozen=True)
class Document:
    """The data of a text, and the place of every value.

    `place` gives the place of the value at a key, `inside` that of a (line, column) within the text value at a key,
    both counted from 1; either falls back to the nearest known place. `extent` gives the beginning and the end of
    the value at a key of the data.
    A pickled document is its text, read `again` where it arrives. A bare move list is a document whose data is its
    text; one with a header has its data, too.
    """

    text: str
    data: object
    findings: tuple[Finding, ...]
    form: Literal["yaml", "json", "moves"]
    place: Callable[[KeyPath], Span]
    inside: Callable[[KeyPath, Span], Span]
    again: Callable[[str], Document | None]
    extent: Callable[[KeyPath], tuple[Span, Span]] = lambda _key: (Span(1, 1), Span(1, 1))

    def __reduce__(self) -> tuple[Callable[[str], Document | None], tuple[str]]:
        return self.again, (self.text,)

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines of the text."""
        return tuple(self.text.split("\n"))

    def line(self, number: int) -> str:
        """A line of the text, counted from 1; empty if there is none."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    @property
    def mapping(self) -> Mapping[str, object]:
        """The data, if it is a mapping of keys to values; empty if not."""
        return self.data if isinstance(self.data, dict) else Frozen()

    @property
    def moves(self) -> str:
        """The move list as written; empty if there is none."""
        text = self.mapping.get("moves", self.data if self.form == "moves" else "")
        return text if isinstance(text, str) else ""

    def part(self, key: KeyPath, moves: str) -> Document:
        """The move list at a key as a document, whose places are those in the whole text."""
        return replace(self, data=moves, form="moves", findings=(), inside=lambda _, span: self.inside(key, span))

    def in_moves(self, finding: Finding) -> Finding:
        """A finding whose place counts in the move list, at its place in the file."""
        place = self.inside(("moves",), Span(finding.line, finding.column))
        return finding.at(place.line, place.column)

    def in_start(self, finding: Finding) -> Finding:
        """A finding whose place counts in the start's text, at its place in the file if that is known."""
        place = self.inside(("start",), Span(1, 1))
        before = self.line(place.line).find(finding.excerpt, place.column - 1)
        return finding.at(place.line, place.column if before < 0 else before + finding.column)

    def finding(self, code: str, message: str, key: KeyPath, suggestions: tuple[str, ...] = ()) -> Finding:
        """A finding about the value at a key."""
        place = self.place(key)
        return Finding(code, message, place.line, place.column, suggestions, self.line(place.line))


def value_at(document: Document, key: KeyPath) -> Any:  # noqa: ANN401 - plain data of any shape
    """The value at a key of a document's data; None if there is none."""
    value: Any = document.mapping
    for one in key:
        try:
            value = value[one]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def read_bytes(path: Path, most: int = LARGEST) -> bytes:
    """A file's bytes, up to `most`; FileError `unreadable` or `too-large`."""
    try:
        with path.open("rb") as file:
            return _limited(file, str(path), most)
    except (OSError, ValueError) as error:
        raise unread(path, error) from None


def read_open(file: IO[str] | IO[bytes]) -> tuple[str, str]:
    """The name and the text of an open file, binary or not; FileError as `read_bytes` and `decode_utf8`."""
    if not hasattr(file, "read"):
        raise TypeError(f"expected the path of a file, or an open file, not {shown(file)}")
    name = str(getattr(file, "name", ""))
    try:
        content = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise unread(Path(name), error) from None
    raw = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return name, decode_utf8(_limited(io.BytesIO(raw), name, LARGEST), name)


def standard_input() -> BinaryIO:
    """The standard input of this process; FileError `unreadable` if it has none."""
    if sys.stdin is None:
        raise unreadable("-", "unreadable", "there is no standard input")
    return sys.stdin.buffer


def read_input(name: str) -> bytes:
    """The content of a file, or of the standard input as `-`, as `read_bytes`."""
    return _limited(standard_input(), name, LARGEST) if name == "-" else read_bytes(Path(name))


def _limited(file: BinaryIO, name: str, most: int) -> bytes:
    """The bytes of an open file; FileError `too-large` if there are more than `most`."""
    content = file.read(most + 1)
    if len(content) > most:
        raise unreadable(name, "too-large", f"the file is larger than {most >> 20} MiB")
    return content


def decode_utf8(content: bytes, file: str = "", line: int = 1) -> str:
    r"""The text of a file in UTF-8, every line end as \n; `line` numbers its first one; FileError `encoding`."""
    try:
        text = content.decode("utf-8-sig" if line == 1 else "utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].split(b"\n")
        column = len(before[-1].decode("utf-8", "replace")) + 1
        packed = content.startswith((b"\x1f\x8b", b"\x28\xb5\x2f\xfd"))
        fault = "compressed: unpack it first" if packed else f"not UTF-8 text: byte 0x{content[error.start]:02X}"
        message = f"the file is {fault}"
        raise unreadable(file, "encoding", message, line + len(before) - 1, column) from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        above = text[: text.index("\0")].split("\n")
        message = "the file is not text: it has a zero byte"
        raise unreadable(file, "encoding", message, line + len(above) - 1, len(above[-1]) + 1)
    return text


def unreadable(file: str, code: str, message: str, line: int = 1, column: int = 1) -> FileError:
    """The error for a file that could not be read at all."""
    return FileError(file, (Finding(code, message, line, column),), unreadable=True)


def unread(path: Path, error: OSError | ValueError) -> FileError:
    """The error for a file that the system does not let us read, or that has no name or no text."""
    reason = str(error) if isinstance(error, ValueError) else error.strerror or type(error).__name__
    return unreadable(str(path), "unreadable", f"the file cannot be read: {reason.lower()}")


def unwritten(path: Path, error: OSError, what: str = "the file") -> FileError:
    """The error for a file that the system does not let us write."""
    reason = error.strerror or type(error).__name__
    return unreadable(str(path), "unwritable", f"{what} cannot be written: {reason.lower()}")


def existing(path: Path) -> FileError:
    """The error for a new file where there is one already."""
    return unreadable(str(path), "exists", "there is a file of this name already")
