"""The text of a file of notes, whichever of three encodings it is in; and the names of files that hold no text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from io import BytesIO
from typing import NamedTuple

from referee.errors import FileError
from referee.game import decode_utf8, unreadable

_KINDS: Mapping[bytes, str] = {
    b"%PDF": "a PDF: copy its text into a text file",
    b"{\\rtf": "an RTF document: save it as text",
    b"\xd0\xcf\x11\xe0": "an old Word or Excel file: save it as text, or as .xlsx",
    b"\x89PNG": "a picture: referee reads text only",
    b"\xff\xd8\xff": "a picture: referee reads text only",
}
_PARTS: Mapping[str, str] = {
    "word/document.xml": "a Word document: save it as text",
    "xl/workbook.xml": "a workbook: give it a name that ends in .xlsx",
    "content.xml": "an OpenDocument file: save it as text, or as .xlsx",
}
_MARKS = (b"\xff\xfe", b"\xfe\xff")
_SIGNS = frozenset(
    "\u20ac\u201a\u201e\u2026\u2018\u2019\u201c\u201d\u2013\u2014\u00ab\u00bb\u00b4\u00b7\u00a0\u00a7\u00b0\u00d7\u00bd\u00bc\u00bf\u00a1\u00df\u00ba\u00aa"
)
"""Signs beside letters that texts in Windows-1252 have."""

_FOREIGN = 3
"""In a text of Windows-1252, at most one letter in this number is outside ASCII."""


class NotesText(NamedTuple):
    """The text of a file, and a remark on its encoding, if any."""

    text: str
    told: str = ""


def notes_text(content: bytes, file: str) -> NotesText:
    """The text of a file in UTF-8, UTF-16 or Windows-1252.

    Raises:
        FileError: `encoding`; it is none of these, and the message names what it is if that is known.
    """
    if (kind := _kind(content)) is not None:
        raise unreadable(file, "encoding", f"this is {kind}")
    if (name := _utf_16(content)) is not None:
        return NotesText(_plain(content.decode(name, "replace")), "the text is UTF-16")
    try:
        return NotesText(decode_utf8(content, file))
    except FileError:
        if (text := _western(content)) is None:
            raise
    return NotesText(_plain(text), "the text is not UTF-8; it is read as Windows-1252")


def _kind(content: bytes) -> str | None:
    """The kind of a file that holds no text."""
    if content.startswith(b"PK\x03\x04"):
        from zipfile import BadZipFile, ZipFile  # text needs none of it

        try:
            with ZipFile(BytesIO(content)) as packed:
                names = set(packed.namelist())
        except (BadZipFile, ValueError, OSError, NotImplementedError):
            names = set()
        return next((said for part, said in _PARTS.items() if part in names), "a ZIP archive: unpack it first")
    return next((said for begin, said in _KINDS.items() if content.startswith(begin)), None)


def _utf_16(content: bytes) -> str | None:
    """The name of the encoding of a text in UTF-16, with a byte order mark or mostly of ASCII."""
    if content.startswith(_MARKS) and not content.startswith(b"\xff\xfe\0\0"):
        return "utf-16"
    start = content[:2_000]
    zeros = [start[first::2].count(0) for first in (0, 1)]
    half = len(start) // 2
    if len(content) % 2 or half < 2 or max(zeros) < half * 0.7 or min(zeros):
        return None
    return "utf-16-be" if zeros[0] > zeros[1] else "utf-16-le"


def _western(content: bytes) -> str | None:
    """A text in Windows-1252, if its characters are those of western European languages; else None."""
    try:
        text = content.decode("cp1252")
    except UnicodeDecodeError:
        return None
    foreign = [char for char in text if not char.isascii()]
    letters = sum(map(str.isalpha, text))
    is_plain = all(char.isalpha() or char in _SIGNS for char in foreign) and "\0" not in text
    return text if is_plain and len(foreign) * _FOREIGN <= letters + len(foreign) else None


def _plain(text: str) -> str:
    return re.sub(r"\r\n?", "\n", text.removeprefix("\ufeff")).replace("\0", "\ufffd")
