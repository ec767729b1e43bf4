"""The rows of a table, from CSV or a spreadsheet, as lines of notes with a tab between two cells."""

from __future__ import annotations

import csv
import zlib
from collections.abc import Iterable, Iterator
from io import BytesIO, StringIO
from typing import Any, NamedTuple
from warnings import catch_warnings
from zipfile import BadZipFile, ZipFile

from referee.extras import extra
from referee.game import unreadable
from referee.notes.reader.lines import LOST, MOST_LINES

_DELIMITERS = ",;\t"
_LARGEST_BOOK, _MOST_TAGS = 8 << 20, 500_000
"""Maximum bytes and tags of a workbook once it is unpacked."""

_MOST_CELLS = 500_000
"""Maximum cells of a workbook, empty ones before and between others among them."""

_BROKEN = (BadZipFile, zlib.error, LookupError, TypeError, ValueError, AttributeError, SyntaxError, OSError, EOFError)
"""Errors of a workbook that is no whole one, beside RuntimeError."""


def rows_of_csv(text: str) -> str:
    """The rows of comma-separated values, whichever of comma, semicolon and tab divides most of them."""
    lines = text.splitlines()
    often = max(_DELIMITERS, key=lambda sign: sum(sign in line for line in lines))
    try:
        rows = list(csv.reader(StringIO(text), delimiter=often))
    except csv.Error:
        return text
    return "\n".join(_row(cells) for cells in rows)


class WorkbookSheet(NamedTuple):
    """A sheet of a workbook: its title, and its rows as text."""

    title: str
    rows: str


def rows_of_workbook(content: bytes, file: str) -> list[WorkbookSheet]:
    """The sheets of a workbook (.xlsx) that are not empty.

    Raises:
        FileError: `unreadable` or `too-large`.
        RefereeError: `missing-extra`.
    """
    openpyxl = extra("openpyxl", "sheets")
    try:
        _measure(content, file)
        with catch_warnings(action="ignore"):
            values, formulas = (
                openpyxl.load_workbook(BytesIO(content), read_only=True, data_only=data).worksheets
                for data in (True, False)
            )
            return [sheet for sheet in _sheets(values, formulas, file) if sheet.rows.strip()]
    except (*_BROKEN, RuntimeError) as error:
        message = f"the workbook cannot be read: {type(error).__name__}"
        raise unreadable(file, "unreadable", message) from None


def _measure(content: bytes, file: str) -> None:
    """Refuse a workbook that unpacks to too much."""
    left, tags = _LARGEST_BOOK, _MOST_TAGS
    with ZipFile(BytesIO(content)) as packed:
        for part in packed.infolist():
            with packed.open(part) as unpacked:
                text = unpacked.read(left + 1)
            left, tags = left - len(text), tags - text.count(b"<")
            if left < 0 or tags < 0:
                most = f"{_LARGEST_BOOK >> 20} MiB and {_MOST_TAGS:,} tags"
                raise unreadable(file, "too-large", f"a workbook unpacks to at most {most}")


def _sheets(values: Iterable[Any], formulas: Iterable[Any], file: str) -> Iterator[WorkbookSheet]:
    """The sheets of a workbook, from those with values and those with formulas.

    A sheet may claim any size, so that is measured. A formula whose value is not stored is lost.
    """
    left = _MOST_CELLS
    for sheet, written in zip(values, formulas, strict=True):
        sheet.reset_dimensions()
        written.reset_dimensions()
        rows = []
        both = zip(sheet.iter_rows(values_only=True), written.iter_rows(values_only=True), strict=True)
        for number, (cells, texts) in enumerate(both, 1):
            left -= len(cells)
            if left < 0 or number > MOST_LINES:
                most = f"a sheet has at most {MOST_LINES:,} rows, and a workbook {_MOST_CELLS:,} cells"
                raise unreadable(file, "too-large", most, number)
            told = (LOST if one is None and text is not None else one for one, text in zip(cells, texts, strict=True))
            rows.append(_row("" if cell is None else str(cell) for cell in told))
        yield WorkbookSheet(sheet.title, "\n".join(rows))


def _row(cells: Iterable[str]) -> str:
    """The cells of a row on one line, a tab between two."""
    return "\t".join(" ".join(cell.split()) for cell in cells)
