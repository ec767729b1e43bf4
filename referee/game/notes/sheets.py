"""The rows of a table, from CSV or a spreadsheet, as lines of notes with a tab between two cells."""

from __future__ import annotations

import csv
import zlib
from collections.abc import Iterable
from io import BytesIO, StringIO
from zipfile import BadZipFile, ZipFile

from referee.extras import extra
from referee.game.document import unreadable
from referee.game.notes.lines import MOST_LINES

MOST_CELLS = 60
"""Cells of a row that are read."""

_DELIMITERS = ",;\t"
_LARGEST_PART = 8 << 20
"""Maximum bytes of a spreadsheet once it is unpacked."""


def rows_of_csv(text: str) -> str:
    """The rows of comma-separated values, whichever of comma, semicolon and tab divides most of them."""
    lines = text.splitlines()
    often = max(_DELIMITERS, key=lambda sign: sum(sign in line for line in lines))
    try:
        rows = list(csv.reader(StringIO(text), delimiter=often))
    except csv.Error:
        return text
    return "\n".join(_row(cells) for cells in rows)


def rows_of_workbook(content: bytes, file: str) -> str:
    """The rows of the first sheet of a workbook (.xlsx).

    Raises:
        FileError: `unreadable` or `too-large`.
        RefereeError: `missing-extra`.
    """
    openpyxl = extra("openpyxl", "sheets")
    try:
        _measure(content, file)
        book = openpyxl.load_workbook(BytesIO(content), read_only=True, data_only=True)
        sheet = book.worksheets[0]
        rows = sheet.iter_rows(max_row=MOST_LINES, max_col=MOST_CELLS, values_only=True)
        return "\n".join(_row("" if cell is None else str(cell) for cell in row) for row in rows)
    except (
        BadZipFile,
        KeyError,
        ValueError,
        IndexError,
        TypeError,
        AttributeError,
        SyntaxError,
        OSError,
        EOFError,
        NotImplementedError,
        RuntimeError,
        zlib.error,
    ) as error:
        message = f"the workbook cannot be read: {type(error).__name__}"
        raise unreadable(file, "unreadable", message) from None


def _measure(content: bytes, file: str) -> None:
    """Refuse a workbook that unpacks to too much."""
    left = _LARGEST_PART
    with ZipFile(BytesIO(content)) as packed:
        for part in packed.infolist():
            with packed.open(part) as unpacked:
                left -= len(unpacked.read(left + 1))
            if left < 0:
                raise unreadable(file, "too-large", f"the workbook unpacks to more than {_LARGEST_PART >> 20} MiB")


def _row(cells: Iterable[str]) -> str:
    """The cells of a row on one line, a tab between two."""
    return "\t".join(" ".join(cell.split()) for cell in list(cells)[:MOST_CELLS])
