"""Mistakes of a game that works for a while: the contract tests report each of them in one sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.errors import PackageFault, RefereeError
from referee.testing import contract
from tests.plugins.test_broken import called, offered
from tests.support.rows import each
from tests.support.tables import table

MISTAKES = table(Path(__file__).parent / "mistakes.yaml")
TESTS: list[Callable[[str], None]] = [test for name, test in vars(contract).items() if name.startswith("test_")]


@pytest.mark.slow
@each(MISTAKES, name=called, every=9)
def test_a_mistake_is_reported_in_one_sentence(case: dict[str, Any], tmp_path: Path) -> None:
    number = MISTAKES.index(case)
    with offered(tmp_path / str(number), 500 + number, named_file(case, tmp_path)):
        said = [sentence for test in TESTS if (sentence := failure(test))]
    assert [one for one in said if case["says"] in one], said
    assert not [one for one in said if "\n" in one]


def named_file(case: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The case itself, or one that names a file with its content."""
    for part in {"lesson", "refusals"} & case.keys():
        file = folder / f"{part}.yaml"
        file.write_text(case[part], encoding="utf-8")
        return {**case, "from": "moves_per_round=3", "to": f"moves_per_round=3, {part}=Path({str(file)!r})"}
    return case


def failure(test: Callable[[str], None]) -> str:
    """The sentence with which a test fails, as pytest shows it; empty if it passes."""
    try:
        test("hop")
    except (pytest.fail.Exception, PackageFault, RefereeError) as error:
        return str(error)
    return ""


def test_a_game_without_mistakes_passes(tmp_path: Path) -> None:
    whole = {"file": "__init__.py", "from": "GAME = Game(", "to": "GAME = Game("}
    with offered(tmp_path / "site", 499, whole):
        assert [test.__name__ for test in TESTS if failure(test)] == ["test_its_examples_hold_and_one_of_them_ends"]
