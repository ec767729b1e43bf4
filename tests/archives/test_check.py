"""Judging files and archives: every file gets its report, even among bad ones."""

from __future__ import annotations

import itertools
import json
import time
import tracemalloc
from pathlib import Path

import pytest

from referee.archives.files.shards import shards
from referee.archives.judge import check_shard
from tests.support.archives import Report, printed, report

GOOD = '{"game": "beams", "moves": "1. P S A2 | P S A2\\n"}'
WRONG = '{"game": "beams", "id": 7, "moves": "1. P S A2 | P S A1\\n"}'


def check(path: Path, content: str | bytes) -> Report:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return report(path)


def places(found: Report) -> list[str]:
    return [f"{one.line}:{one.column} {one.code}" for one in found.findings]


def counts(found: Report) -> tuple[int, int, int]:
    """Games, plies and the exit status."""
    return found.summary.games, found.summary.plies, found.summary.exit_status


def test_an_archive_has_a_game_on_each_line(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    assert counts(check(path, f"{GOOD}\n\n{GOOD}\n  \n{GOOD}")) == (3, 3, 0)
    assert printed(path) == f"{path}: ok, 3 plies in 3 games\n"
    assert json.loads(printed(path, objects=True)) == {"file": str(path), "ok": True, "plies": 3, "findings": []}


def test_a_finding_in_an_archive_has_the_line_of_its_game(tmp_path: Path) -> None:
    found = check(tmp_path / "games.jsonl", f"{GOOD}\n{WRONG}\n\nno game\n{GOOD}\n")
    assert places(found) == ["2:19 wrong-type", "2:28 unknown-cell", "4:1 wrong-type"]
    assert counts(found) == (4, 2, 1)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("name", ["games.jsonl", "games.json", "games"])
def test_an_archive_is_known_by_its_name_or_its_lines(tmp_path: Path, name: str, end: str) -> None:
    assert counts(check(tmp_path / name, f"\ufeff{GOOD}{end}{GOOD}{end}")) == (2, 2, 0)


def test_one_object_on_many_lines_is_no_archive(tmp_path: Path) -> None:
    assert counts(check(tmp_path / "game.json", json.dumps(json.loads(GOOD), indent=1))) == (1, 1, 0)


def test_an_empty_archive_has_no_games(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    assert counts(check(path, "")) == (0, 0, 0)
    assert printed(path) == f"{path}: ok, 0 plies in 0 games\n"


@pytest.mark.parametrize("name", ["games.jsonl", "games.json"])
def test_a_line_that_is_no_text_makes_the_archive_unreadable(tmp_path: Path, name: str) -> None:
    found = check(tmp_path / name, f"{GOOD}\n".encode() + b'{"id": "\xff"}\n')
    assert (found.summary.exit_status, places(found)) == (2, ["2:9 encoding"])


def test_a_line_larger_than_a_file_may_be(tmp_path: Path) -> None:
    found = check(tmp_path / "games.jsonl", GOOD.encode() + b"\n" + b"{" * (17 << 20))
    assert (found.summary.exit_status, places(found)) == (2, ["2:1 too-large"])


def test_files_that_cannot_be_read_do_not_stop_the_rest(tmp_path: Path) -> None:
    good = tmp_path / "good.json"
    good.write_text(GOOD, encoding="utf-8")
    (shard,) = shards([str(tmp_path / "missing.yaml"), str(tmp_path), str(good)])
    assert [(part.broken, list(part.codes)) for part in check_shard(shard)] == [
        (1, ["unreadable"]),
        (1, ["unreadable"]),
        (0, []),
    ]


@pytest.mark.slow
def test_there_may_be_any_number_of_files(tmp_path: Path) -> None:
    """Work begins before all files are read."""
    good = tmp_path / "good.json"
    good.write_text(GOOD, encoding="utf-8")
    shard = next(shards(itertools.repeat(str(good))))
    assert all(part.wrong == 0 for part in check_shard(shard))


def test_a_move_list_may_end_in_moves_or_be_named_by_the_caller(tmp_path: Path) -> None:
    path = tmp_path / "list.moves"
    path.write_text("1. P S A2 | P S A4\n", encoding="utf-8")
    unnamed, named = report(path), report(path, "beams", {"columns": 17})
    assert (places(unnamed), counts(named)) == (["1:1 unknown-game"], (1, 1, 0))


def test_findings_are_printed_with_their_places(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    check(path, "game: beams\nmoves: |\n  P S A2 | P S A1\n")
    assert printed(path).startswith(f"{path}:3:12: unknown-cell: ")
    assert "\n    try: P S A" in printed(path)
    found = json.loads(printed(path, objects=True))
    assert (found["file"], found["ok"], found["plies"]) == (str(path), False, 0)
    (finding,) = found["findings"]
    assert list(finding) == ["line", "column", "code", "message", "suggestions"]
    assert (finding["line"], finding["column"], finding["code"]) == (3, 12, "unknown-cell")


def listed(lines: int) -> str:
    """A move list of a number of lines: after the first mistake it is still read to its end."""
    return "1. P S A2 | P S A2\n" + "".join(
        f"{number}. R A2 L | P M1 B3 {number}\n" for number in range(2, lines + 1)
    )


def seconds(path: Path, lines: int) -> float:
    path.write_text(listed(lines), encoding="utf-8")
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        found = report(path, "beams")
        best = min(best, time.process_time() - start)
        assert len(found.findings) > lines / 2
    return best


@pytest.mark.slow
def test_a_long_move_list_takes_no_quadratic_time(tmp_path: Path) -> None:
    """Eight times the lines would take sixty-four times as long; bench/ measures the exact ratio."""
    path = tmp_path / "list.moves"
    assert seconds(path, 20_000) < 24 * seconds(path, 2_500)


@pytest.mark.slow
def test_an_archive_is_not_held_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    comment = "x" * 20_000
    line = json.dumps({"game": "beams", "moves": f"{{{comment}}}"})
    check(path, f"{line}\n" * 2)
    path.write_text(f"{line}\n" * 600, encoding="utf-8")
    tracemalloc.start()
    found = report(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.summary.games == 600
    assert peak < path.stat().st_size / 4
