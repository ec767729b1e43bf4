"""Workbooks that are damaged, too large, or full of formulas: refused at once or reported, and never cut off."""

from __future__ import annotations

import random
from contextlib import suppress
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from referee.errors import FileError
from referee.notes import import_notes, note_lines
from referee.notes.reader.sheets import rows_of_csv, rows_of_workbook
from tests.support.examples import sampled
from tests.support.timing import within

openpyxl = pytest.importorskip("openpyxl")

SHEET = "xl/worksheets/sheet1.xml"
BEGINS = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
ENDS = "</sheetData></worksheet>"
SECONDS = 3.0


def workbook(*rows: tuple[object, ...]) -> bytes:
    """A workbook with some rows."""
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    file = BytesIO()
    book.save(file)
    return file.getvalue()


def with_part(content: bytes, part: str, text: str) -> bytes:
    """A workbook with another text instead of one of its parts."""
    file = BytesIO()
    with ZipFile(BytesIO(content)) as old, ZipFile(file, "w", ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, text if name == part else old.read(name))
    return file.getvalue()


BOMBS = {
    "a row of many cells": "<row>" + "<c/>" * 600_000 + "</row>",
    "tags that are never closed": "<a>" * 600_000,
    "many empty rows": "<row/>" * 600_000,
    "many wide rows": '<row><c r="XFD1"/></row>' * 9_000,
    "a cell far below": '<row r="999999999"><c r="A999999999"><v>1</v></c></row>',
    "many rows": "<row><c><v>1</v></c></row>" * 10_001,
    "a long part": " " * (9 << 20),
}
NO_SHEETS = {"tags": BEGINS + "<a>" * 100_000, "rows": BEGINS + "<row>" * 100_000, "nothing": "", "a sign": "<"}


@pytest.mark.parametrize("shows", sampled(BOMBS, 4))
def test_a_workbook_that_is_too_large_is_refused_at_once(shows: str) -> None:
    content = with_part(workbook(("P S A2",)), SHEET, BEGINS + BOMBS[shows] + ENDS)
    with within(SECONDS), pytest.raises(FileError) as caught:
        rows_of_workbook(content, "club.xlsx")
    assert caught.value.code == "too-large"


@pytest.mark.parametrize("shows", sampled(NO_SHEETS, 2))
def test_a_sheet_that_is_no_sheet_is_refused_at_once(shows: str) -> None:
    with within(SECONDS), pytest.raises(FileError):
        rows_of_workbook(with_part(workbook(("P S A2",)), SHEET, NO_SHEETS[shows]), "club.xlsx")


def test_a_damaged_workbook_is_read_or_refused() -> None:
    whole = workbook(("South", "North"), ("P S A2", "P S A3"))
    chance = random.Random(7)
    for _ in range(40):
        content = bytearray(whole)
        for _ in range(3):
            content[chance.randrange(len(content))] = chance.randrange(256)
        damaged = bytes(content[: chance.randrange(len(content))]) if chance.random() < 0.3 else bytes(content)
        with suppress(FileError):
            rows_of_workbook(damaged, "club.xlsx")


@pytest.mark.filterwarnings("error")
def test_a_workbook_without_styles_is_read_without_a_warning() -> None:
    styles = '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"/>'
    content = with_part(workbook(("P S A2",)), "xl/styles.xml", styles)
    assert [sheet.rows for sheet in rows_of_workbook(content, "club.xlsx")] == ["P S A2"]


@pytest.mark.slow
def test_no_row_and_no_cell_is_cut_off() -> None:
    rows = [(number, "P S A2", *[None] * 90, "P S A3") for number in range(1, 200)]
    read = rows_of_workbook(workbook(*rows), "club.xlsx")[0].rows.split("\n")
    assert [line.split("\t")[-1] for line in read] == ["P S A3"] * 199
    assert rows_of_csv(",".join(["P S A2"] * 99)).count("P S A2") == 99


@pytest.mark.slow
def test_a_row_that_is_too_long_is_refused_with_its_place() -> None:
    row = rows_of_workbook(workbook(("P S A2",), tuple(["P S A2"] * 2_000)), "club.xlsx")[0].rows
    with pytest.raises(FileError) as caught:
        note_lines(row, "club.xlsx")
    assert (caught.value.code, caught.value.findings[0].line) == ("too-large", 2)


def test_a_formula_without_a_value_is_reported() -> None:
    content = workbook((1, "M c4-d5", "M f5-e6"), (2, "M c1-d2", '="M e5-"&"d4"'))
    found = import_notes(note_lines(rows_of_workbook(content, "club.xlsx")[0].rows, "club.xlsx"), "laser-chess")
    assert not found.is_sure
    assert any("a formula whose value is not stored" in one.message for one in found.remarks)


@pytest.mark.slow
def test_all_moves_of_a_long_line_are_read() -> None:
    found = import_notes(note_lines("game: laser-chess\n" + "M c4-d5 " * 700, "notes"))
    assert sum(len(one.moves) for one in found.game.rounds) == 700
