"""The test vectors of docs/desk-log.md: the files say what the page and the audit say."""

from __future__ import annotations

from typing import Any

from referee.desk.events import KINDS
from referee.desk.log import read_entry
from tests.oracles.verifier import verify
from tests.support.logs import audit_text
from tests.support.rows import each
from tests.support.vectors import FOLDER, Log, index, vectors


@each(vectors, name=lambda log: log.name, every=3)
def test_a_log_is_found_as_its_page_says(log: Log) -> None:
    text = (FOLDER / f"{log.name}.jsonl").read_text(encoding="utf-8")
    first = next(iter(audit_text(text).findings), None)
    assert (first and first.line, first and first.code) == (log.line, log.code)
    assert verify(text) == ([] if log.line is None else [(log.line, log.code)])


def test_the_files_are_those_that_the_data_make() -> None:
    assert (FOLDER / "README.md").read_text(encoding="utf-8") == index([*vectors()])
    files = {path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.jsonl")}
    assert files == {log.name for log in vectors()}


def test_every_kind_of_entry_is_in_a_log_that_holds() -> None:
    found: set[Any] = {
        type(read_entry(line).event) for log in vectors() if not log.code for line in log.text.splitlines()
    }
    assert found == set(KINDS.values())
