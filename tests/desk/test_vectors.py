"""The test vectors of spec/log.md: files, page and audit agree."""

from __future__ import annotations

from typing import Any

import pytest

from referee.desk import audit
from referee.desk.log.events import KINDS
from referee.desk.log.heads import heads_in
from referee.desk.log.log import read_entry
from referee.desk.log.roots import read_inclusion
from referee.desk.proof.histories import Evidence, chain_of, fork_of
from referee.mail.evidence.evidence import LetterEvidence
from referee.mail.evidence.signers import read_keys
from tests.oracles.verifier import verify
from tests.support.logs import audit_text
from tests.support.rows import each
from tests.support.vectors import (
    EARLY,
    FOLDER,
    FORGED,
    LETTERS,
    SIGNED,
    Log,
    feet,
    forked,
    index,
    letters,
    proof,
    vectors,
)


@pytest.mark.slow
@each(vectors, name=lambda log: log.name, every=6)
def test_a_log_is_found_as_its_page_says(log: Log) -> None:
    text = (FOLDER / f"{log.name}.jsonl").read_text(encoding="utf-8")
    first = next(iter(audit_text(text).findings), None)
    assert (first and first.line, first and first.code) == (log.line, log.code)
    assert verify(text) == ([] if log.line is None else [(log.line, log.code)])


@pytest.mark.slow
def test_the_files_are_those_that_the_data_make() -> None:
    assert (FOLDER / "README.md").read_text(encoding="utf-8") == index([*vectors()])
    files = {path.relative_to(FOLDER).with_suffix("").as_posix() for path in FOLDER.rglob("*.jsonl")}
    assert files == {log.name for log in vectors()}


def test_the_heads_of_a_log_and_one_that_proves_another_history() -> None:
    assert ((FOLDER / "feet.txt").read_text("utf-8"), (FOLDER / "forked.txt").read_text("utf-8")) == (
        feet(),
        forked(),
    )
    log = (FOLDER / f"{SIGNED}.jsonl").read_text(encoding="utf-8").splitlines()
    report = audit(log, shown=heads_in(feet()))
    assert (report.findings, report.shown) == ((), len(log))
    for text, proves in ((forked(), False), (forked() + feet(), True)):
        report = audit(log, shown=heads_in(text))
        (finding,) = report.findings
        assert (finding.code, finding.line, "prove it" in finding.message) == ("shown", 6, proves)
        assert report.whole, "the log agrees with itself"
    found = fork_of(Evidence(chain=chain_of(log)), Evidence((*heads_in(forked()), *heads_in(feet()))))
    assert found is not None
    assert (found.proven, found.first.number, found.second.number) == (True, 5, 5)


def test_the_proof_of_a_day_leads_from_the_log_to_its_root() -> None:
    assert (FOLDER / "proof.txt").read_text("utf-8") == proof()
    read = read_inclusion(proof())
    assert read.holds
    assert read.head.digest == chain_of((FOLDER / f"{SIGNED}.jsonl").read_text("utf-8").splitlines()).digests[-1]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "codes"), [(LETTERS, []), (FORGED, ["dkim"]), (EARLY, ["letter"])])
def test_letters_bring_the_acts_of_a_log_and_one_that_was_changed_does_not(name: str, codes: list[str]) -> None:
    made = letters(name)
    log, mbox, keys = ((FOLDER / f"{name}.{end}").read_bytes() for end in ("jsonl", "mbox", "mbox.keys"))
    assert (log.decode(), mbox, keys.decode()) == made
    witness = LetterEvidence([mbox], read_keys([(name, keys)]))
    report = audit(made.log.splitlines(), witness=witness)
    assert ([one.code for one in report.findings], witness.found) == (codes, witness.acts)
    provided = [entry.came.provider for entry in map(read_entry, made.log.splitlines()) if entry.came]
    assert {*map(bool, provided)} == {True, False}


@pytest.mark.slow
def test_every_kind_of_entry_is_in_a_log_that_holds() -> None:
    found: set[Any] = {
        type(read_entry(line).event) for log in vectors() if not log.code for line in log.text.splitlines()
    }
    assert found == set(KINDS.values())
