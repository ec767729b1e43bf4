"""The rows of a table, from CSV or a spreadsheet, as lines of notes with a tab between two cells."""

from __future__ import annotations

import csv
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO, StringIO
from typing import NamedTuple, Protocol
from warnings import catch_warnings
from zipfile import BadZipFile, ZipFile

from referee.extras import extra
from referee.game.file.document import unreadable
from referee.notes.reader.lines import LOST, MOST_LINES

_DELIMITERS = ",;\t"
_LARGEST_BOOK, _MOST_TAGS = 8 << 20, 500_000
"""Maximum bytes and tags of a workbook once it is unpacked."""

_MOST_CELLS = 500_000
"""Maximum cells of a workbook, empty ones before and between others among them."""


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
            left = _Left(_MOST_CELLS)
            sheets = [
                WorkbookSheet(one.title, "\n".join(_rows(one, two, file, left)))
                for one, two in zip(values, formulas, strict=True)
            ]
            return [sheet for sheet in sheets if sheet.rows.strip()]
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
    left, tags = _LARGEST_BOOK, _MOST_TAGS
    with ZipFile(BytesIO(content)) as packed:
        for part in packed.infolist():
            with packed.open(part) as unpacked:
                text = unpacked.read(left + 1)
            left, tags = left - len(text), tags - text.count(b"<")
            if left < 0 or tags < 0:
                most = f"{_LARGEST_BOOK >> 20} MiB and {_MOST_TAGS:,} tags"
                raise unreadable(file, "too-large", f"a workbook unpacks to at most {most}")


@dataclass
class _Left:
    """Number of cells of a workbook that may still be read."""

    cells: int


class _Sheet(Protocol):
    """The methods used of a sheet that openpyxl opens."""

    def reset_dimensions(self) -> None: ...

    def iter_rows(self, *, values_only: bool) -> Iterable[tuple[object, ...]]: ...


def _rows(values: _Sheet, formulas: _Sheet, file: str, left: _Left) -> Iterator[str]:
    """The rows of a sheet on a line each, from the sheet with values and the one with formulas.

    A sheet may claim any size, so that is measured. A formula whose value is not stored is lost.
    """
    for sheet in (values, formulas):
        sheet.reset_dimensions()
    rows = zip(values.iter_rows(values_only=True), formulas.iter_rows(values_only=True), strict=True)
    for number, (row, written) in enumerate(rows, 1):
        left.cells -= len(row)
        if left.cells < 0 or number > MOST_LINES:
            most = f"a sheet has at most {MOST_LINES:,} rows, and a workbook {_MOST_CELLS:,} cells"
            raise unreadable(file, "too-large", most, number)
        cells = (
            LOST if one is None and formula is not None else one for one, formula in zip(row, written, strict=True)
        )
        yield _row("" if cell is None else str(cell) for cell in cells)


def _row(cells: Iterable[str]) -> str:
    """The cells of a row on one line, a tab between two."""
    return "\t".join(" ".join(cell.split()) for cell in cells)
