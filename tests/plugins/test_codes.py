"""The codes of another package's game: explained if the game names a file, and else just not listed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee.codes import chapters, explanations_of
from referee.codes.presentation import entry_text, findings
from referee.rules import game_named
from tests.support.command_line import referee

EXPLAINED = """
page: https://example.org/three-crows
codes:
- code: unknown-tree
  says: there is no such tree
  example: {moves: 1. F 13 | W | W}
- code: distance
  says: the tree is too far, or the crow sits on it
  example: {moves: 1. F 5 | W | W}
"""


@pytest.mark.slow
def test_a_game_that_explains_nothing_is_not_listed() -> None:
    assert game_named("three-crows").refusals is None
    assert "Three Crows" not in {chapter.title for chapter in chapters()}
    run = referee("explain", "distance", "--game", "three-crows")
    assert (run.status, run.err.partition(":")[0]) == (1, "unknown-code")
    assert referee("explain", "syntax", "--game", "three-crows").status == 0


def test_a_game_explains_its_codes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "refusals.yaml"
    file.write_text(EXPLAINED, encoding="utf-8")

    explaining = replace(game_named("three-crows"), refusals=file)
    monkeypatch.setattr("referee.codes.explanations.all_games", lambda: [explaining.name])
    monkeypatch.setattr("referee.codes.explanations.game_named", lambda _: explaining)
    (chapter,) = [chapter for chapter in chapters() if chapter.game == "three-crows"]
    assert chapter.title == "Three Crows"
    for one in chapter.explanations:
        assert one.code in {finding.code for finding in findings(chapter, one.example)}
    ((_, distance),) = explanations_of("distance", "three-crows")
    assert entry_text(chapter, distance).splitlines()[:2] == [
        "distance: the tree is too far, or the crow sits on it",
        "Three Crows: https://example.org/three-crows",
    ]
