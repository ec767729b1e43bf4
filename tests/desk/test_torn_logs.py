"""An audit reports the faults of any JSON in a log, and never fails."""

from __future__ import annotations

import json

import pytest

from tests.oracles.verifier import verify
from tests.support.logs import audit_text
from tests.support.torn_logs import chained, sampled_logs
from tests.support.vectors import FOLDER


def audited_alike(first: int, every: int) -> int:
    number = 0
    for one in sampled_logs(first, every):
        number += 1
        found = audit_text(one.text).findings
        assert bool(found) == bool(verify(one.text)), f"the verifiers do not agree: {one.shows}"
    return number


@pytest.mark.slow
def test_both_verifiers_say_alike_whether_a_torn_log_holds() -> None:
    assert audited_alike(0, 449) > 30


@pytest.mark.slow(minutes=2)
@pytest.mark.parametrize("first", range(5))
def test_so_it_is_with_thousands_of_torn_logs(first: int) -> None:
    assert audited_alike(first, 24) > 500


@pytest.mark.parametrize("depth", [16, 17, 300, 497, 900])
def test_no_depth_of_a_value_ends_an_audit(depth: int) -> None:
    entries = [json.loads(line) for line in (FOLDER / "beams-invited.jsonl").read_text("utf-8").splitlines()]
    deep: object = 0
    for _ in range(depth - 1):
        deep = [deep]
    entries[0]["body"]["options"] = {"pieces": deep}
    text = chained(entries)
    (found, *_) = audit_text(text).findings
    assert found.code == ("option" if depth == 16 else "event")
    assert verify(text) == [(1, found.code)]
