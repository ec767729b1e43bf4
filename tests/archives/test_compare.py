"""Two runs compared: each game whose verdict changed is named, and the ply at which the runs part."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from referee.archives.compare import Earlier, VerdictChange
from referee.archives.files.shards import Shard
from referee.archives.judge import CheckSettings, check_shard
from referee.archives.verdict import GameVerdict
from referee.errors import FileError
from tests.support.archives import BAD, lines

GAMES = (*lines("beams", 4), BAD[0])


@cache
def verdicts(*, trace: bool) -> tuple[GameVerdict, ...]:
    (report,) = check_shard(Shard.of_lines(GAMES, "a.jsonl"), CheckSettings(each=True, trace=trace))
    return report.verdicts


def earlier(path: Path, before: list[dict[str, Any]]) -> Earlier:
    path.write_text("".join(f"{json.dumps(one)}\n" for one in before), encoding="utf-8")
    return Earlier(path)


def changes(path: Path, before: list[dict[str, Any]], *, trace: bool = True) -> list[VerdictChange]:
    old = earlier(path, before)
    return [change for one in verdicts(trace=trace) if (change := old.change(one))] + list(old.gone())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "old.jsonl"


@pytest.fixture
def before() -> list[dict[str, Any]]:
    return [json.loads(json.dumps(one.as_json())) for one in verdicts(trace=True)]


@pytest.mark.slow
def test_the_same_verdicts_are_no_change(path: Path, before: list[dict[str, Any]]) -> None:
    before[4]["findings"][0].update(message="said in better words", suggestions=[])
    assert changes(path, before) == []
    assert changes(path, before[::-1]) == []
    assert earlier(path, before).traced
    assert not earlier(path, []).traced


def test_another_position_is_found_at_its_ply(path: Path, before: list[dict[str, Any]]) -> None:
    before[1]["trace"][6] = "00000000"
    (change,) = changes(path, before)
    assert (change.ply, change.as_json()["line"]) == (7, 2)
    assert change.as_text().startswith("a.jsonl:2: changed at ply 7: was ok, ")


def test_a_game_that_was_refused_earlier_changed_where_it_was(path: Path, before: list[dict[str, Any]]) -> None:
    shown = before[2]
    shown.update(ok=False, plies=3, trace=shown["trace"][:3], outcome=None)
    shown["findings"] = [{"line": 3, "column": 1, "code": "occupied", "message": "", "suggestions": []}]
    (change,) = changes(path, before)
    assert change.as_json()["ply"] == 4
    assert change.as_json()["before"]["codes"] == ["occupied"]
    assert "was 3 plies, then occupied; now ok, " in change.as_text()


def test_without_checksums_only_the_number_of_plies_can_tell(path: Path) -> None:
    plain = [json.loads(json.dumps(one.as_json())) for one in verdicts(trace=False)]
    plain[0]["plies"] -= 5
    plain[1]["score"]["south"] += 1
    first, second = changes(path, plain, trace=False)
    assert first.ply == plain[0]["plies"] + 1
    assert second.ply is None
    assert "at a ply that only verdicts with --trace can tell" in second.as_text()


def test_added_and_removed_games_are_reported(path: Path, before: list[dict[str, Any]]) -> None:
    gone = {**before[0], "line": 77}
    came, went = changes(path, [gone, *before[1:]])
    assert came.as_text() == "a.jsonl:1: not judged before"
    assert went.as_text() == "a.jsonl:77: no longer there"
    assert (came.as_json()["before"], went.as_json()["after"]) == (None, None)


@pytest.mark.parametrize(
    "line", ["no JSON", "[]", "{}", '{"file": "a", "line": 1}', "[" * 100_000], ids=lambda line: line[:20]
)
def test_a_value_that_is_no_verdict_is_refused(path: Path, before: list[dict[str, Any]], line: str) -> None:
    path.write_text(f"{json.dumps(before[0])}\n{line}\n", encoding="utf-8")
    with pytest.raises(FileError) as caught:
        list(Earlier(path).gone())
    assert [(one.code, one.line) for one in caught.value.findings] == [("no-verdict", 2)]
    assert caught.value.unreadable


@pytest.mark.parametrize(
    "wrong",
    [
        {"file": []},
        {"file": 5},
        {"line": "1"},
        {"ok": False},
        {"plies": None},
        {"score": [1]},
        {"outcome": "draw"},
        {"findings": [{}]},
        {"trace": 5},
        {"id": {}},
    ],
    ids=str,
)
def test_a_verdict_with_another_value_than_any_has_is_refused(
    path: Path, before: list[dict[str, Any]], wrong: dict[str, Any]
) -> None:
    with pytest.raises(FileError) as caught:
        changes(path, [before[0], {**before[1], **wrong}])
    assert [(one.code, one.line) for one in caught.value.findings] == [("no-verdict", 2)]
