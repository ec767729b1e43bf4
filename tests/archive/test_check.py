"""Judging files and archives: every file gets its report, whatever the others are."""

from __future__ import annotations

import itertools
import json
import time
import tracemalloc
from pathlib import Path

import pytest

from referee.archive import FileReport, check_files
from referee.errors import Finding

GOOD = '{"game": "beams", "moves": "1. P S A2 | P S A2\\n"}'
WRONG = '{"game": "beams", "id": 7, "moves": "1. P S A2 | P S A1\\n"}'


def check(path: Path, content: str | bytes) -> FileReport:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    (report,) = check_files([str(path)])
    return report


def places(report: FileReport) -> list[str]:
    return [f"{one.line}:{one.column} {one.code}" for one in report.findings]


def test_an_archive_has_a_game_on_each_line(tmp_path: Path) -> None:
    report = check(tmp_path / "games.jsonl", f"{GOOD}\n\n{GOOD}\n  \n{GOOD}")
    assert (report.ok, report.games, report.plies, report.exit_status) == (True, 3, 3, 0)
    assert report.as_text() == f"{tmp_path / 'games.jsonl'}: ok, 3 plies in 3 games"
    assert report.as_json() == {"file": report.file, "ok": True, "plies": 3, "findings": []}


def test_a_finding_in_an_archive_has_the_line_of_its_game(tmp_path: Path) -> None:
    report = check(tmp_path / "games.jsonl", f"{GOOD}\n{WRONG}\n\nno game\n{GOOD}\n")
    assert places(report) == ["2:19 wrong-type", "2:28 unknown-cell", "4:1 wrong-type"]
    assert (report.exit_status, report.games, report.plies) == (1, 4, 2)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("name", ["games.jsonl", "games.json", "games"])
def test_an_archive_is_known_by_its_name_or_its_lines(tmp_path: Path, name: str, end: str) -> None:
    report = check(tmp_path / name, f"\ufeff{GOOD}{end}{GOOD}{end}")
    assert (report.ok, report.games) == (True, 2)


def test_one_object_on_many_lines_is_no_archive(tmp_path: Path) -> None:
    report = check(tmp_path / "game.json", json.dumps(json.loads(GOOD), indent=1))
    assert (report.ok, report.games, report.plies) == (True, 1, 1)


def test_an_empty_archive_has_no_games(tmp_path: Path) -> None:
    assert check(tmp_path / "games.jsonl", "").as_text().endswith("ok, 0 plies in 0 games")


@pytest.mark.parametrize("name", ["games.jsonl", "games.json"])
def test_a_line_that_is_no_text_makes_the_archive_unreadable(tmp_path: Path, name: str) -> None:
    report = check(tmp_path / name, f"{GOOD}\n".encode() + b'{"id": "\xff"}\n')
    assert (report.exit_status, [one.code for one in report.findings]) == (2, ["encoding"])
    assert (report.findings[0].line, report.findings[0].column) == (2, 9)


def test_a_line_larger_than_a_file_may_be(tmp_path: Path) -> None:
    report = check(tmp_path / "games.jsonl", GOOD.encode() + b"\n" + b"{" * (17 << 20))
    assert (report.exit_status, places(report)) == (2, ["2:1 too-large"])


def test_files_that_cannot_be_read_do_not_stop_the_rest(tmp_path: Path) -> None:
    good = tmp_path / "good.json"
    good.write_text(GOOD, encoding="utf-8")
    reports = list(check_files([str(tmp_path / "missing.yaml"), str(tmp_path), str(good)]))
    assert [(one.exit_status, [finding.code for finding in one.findings]) for one in reports] == [
        (2, ["unreadable"]),
        (2, ["unreadable"]),
        (0, []),
    ]


def test_files_are_judged_one_by_one(tmp_path: Path) -> None:
    """A report comes before the next file is touched, so that there may be any number of files."""
    good = tmp_path / "good.json"
    good.write_text(GOOD, encoding="utf-8")
    assert all(report.ok for report in itertools.islice(check_files(itertools.repeat(str(good))), 3))


def test_a_move_list_may_end_in_moves_or_be_named_by_the_caller(tmp_path: Path) -> None:
    path = tmp_path / "list.moves"
    path.write_text("1. P S A2 | P S A4\n", encoding="utf-8")
    (unnamed,) = check_files([str(path)])
    (named,) = check_files([str(path)], "beams", {"columns": 17})
    assert (places(unnamed), named.ok, named.plies) == (["1:1 unknown-game"], True, 1)


def test_a_report_tells_its_findings() -> None:
    report = FileReport("x.yaml", 3, (Finding("syntax", "no", 2, 5, ("yes",)),))
    assert report.as_text() == "x.yaml:2:5: syntax: no\n    try: yes"
    assert report.as_json() == {
        "file": "x.yaml",
        "ok": False,
        "plies": 3,
        "findings": [{"line": 2, "column": 5, "code": "syntax", "message": "no", "suggestions": ["yes"]}],
    }


def listed(lines: int) -> str:
    """A move list of so many lines: after the first mistake it is still read to its end."""
    return "1. P S A2 | P S A2\n" + "".join(
        f"{number}. R A2 L | P M1 B3 {number}\n" for number in range(2, lines + 1)
    )


def seconds(path: Path, lines: int) -> float:
    path.write_text(listed(lines), encoding="utf-8")
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        (report,) = check_files([str(path)], "beams")
        best = min(best, time.process_time() - start)
        assert len(report.findings) > lines / 2
    return best


def test_a_long_move_list_takes_no_quadratic_time(tmp_path: Path) -> None:
    """Eight times the lines would take sixty-four times as long; bench/ measures how near to eight it is."""
    path = tmp_path / "list.moves"
    assert seconds(path, 20_000) < 24 * seconds(path, 2_500)


def test_an_archive_is_not_held_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    comment = "x" * 20_000
    line = json.dumps({"game": "beams", "moves": f"{{{comment}}}"})
    check(path, f"{line}\n" * 2)
    path.write_text(f"{line}\n" * 300, encoding="utf-8")
    tracemalloc.start()
    (report,) = check_files([str(path)])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert report.games == 300
    assert peak < path.stat().st_size / 4
