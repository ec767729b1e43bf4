"""`referee check`."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee import start
from referee.game import loads, read, to_json
from tests.support.command_line import referee

WRONG = "game: beams\nid: no\nmoves: |\n  1. P S A2 | P S A1\n  2. foo | P S A4\n"
LIST = "1. P S A2 | P S A4\n2. P S A6\n"


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    path = tmp_path / "wrong.yaml"
    path.write_text(WRONG, encoding="utf-8")
    return path


def test_a_file_that_holds_is_one_line(at_once: Path) -> None:
    assert referee("check", at_once) == (0, f"{at_once}: ok, 2 plies; south 1, north 0; not over\n", "")


@pytest.mark.parametrize(
    ("end", "says"),
    [
        ("{how: resignation, by: north}", "south 0, north 0; south wins"),
        ("{how: agreement}", "south 0, north 0; a draw"),
    ],
)
def test_a_game_that_is_over_names_the_winner(tmp_path: Path, end: str, says: str) -> None:
    path = tmp_path / "over.yaml"
    path.write_text(f"game: beams\nend: {end}\n", encoding="utf-8")
    assert referee("check", path).out == f"{path}: ok, 0 plies; {says}\n"


def test_findings_have_place_line_and_suggestions(wrong: Path) -> None:
    run = referee("check", wrong)
    assert (run.status, run.err) == (1, "")
    assert [line for line in run.lines if not line.startswith("    try: P ")] == [
        f"{wrong}:2:5: ambiguous: programs that read YAML turn 'no' into a truth value: "
        "put it in quotes if it is text",
        "    id: no",
        "        ^",
        '    try: "no"',
        f"{wrong}:4:15: unknown-cell: there is no cell A1: row A has the even columns",
        "    1. P S A2 | P S A1",
        "                ^",
        f"{wrong}:5:6: syntax: 'foo' does not fit; expected P to place a piece or R to rotate one",
        "    2. foo | P S A4",
        "       ^",
    ]
    tried = [line.removeprefix("    try: ") for line in run.lines[7:10]]
    assert len(tried) == 3
    assert set(tried) <= {str(move) for move in start("beams").legal_moves("north")}


def test_objects_of_a_line_have_the_shape_of_the_design(at_once: Path, wrong: Path) -> None:
    run = referee("check", "--format", "jsonl", at_once, wrong)
    good, bad = run.objects
    assert good == {"file": str(at_once), "ok": True, "plies": 2, "findings": []}
    assert list(bad) == ["file", "ok", "plies", "findings"]
    assert (bad["file"], bad["ok"], bad["plies"]) == (str(wrong), False, 0)
    assert [list(finding) for finding in bad["findings"]] == [
        ["line", "column", "code", "message", "suggestions"]
    ] * 3
    assert bad["findings"][0] == {
        "line": 2,
        "column": 5,
        "code": "ambiguous",
        "message": "programs that read YAML turn 'no' into a truth value: put it in quotes if it is text",
        "suggestions": ['"no"'],
    }
    assert run.status == 1


def test_the_worst_file_decides_the_exit_status(at_once: Path, wrong: Path, tmp_path: Path) -> None:
    missing = tmp_path / "missing.yaml"
    assert referee("check", at_once, at_once).status == 0
    assert referee("check", wrong, at_once).status == 1
    run = referee("check", missing, wrong, at_once)
    assert run.status == 2
    assert run.lines[0] == f"{missing}:1:1: unreadable: the file cannot be read: no such file or directory"
    assert run.lines[-1].startswith(f"{at_once}: ok")


def test_the_standard_input(at_once: Path) -> None:
    run = referee("check", "-", stdin=at_once.read_bytes())
    assert run == (0, "-: ok, 2 plies; south 1, north 0; not over\n", "")
    assert referee("check", "-", stdin=WRONG.encode()).status == 1
    assert referee("check", "-", stdin=b"").lines[0].startswith("-:1:1: empty")


def test_an_archive_on_the_standard_input(at_once: Path, one_by_one: Path) -> None:
    lines = "".join(f"{to_json(read(path))}\n" for path in (at_once, one_by_one))
    assert referee("check", "-", stdin=lines.encode()).out == "-: ok, 5 plies in 2 games\n"


def test_a_bare_move_list_needs_its_game(tmp_path: Path) -> None:
    path = tmp_path / "list.moves"
    path.write_text(LIST, encoding="utf-8")
    run = referee("check", path)
    assert (run.status, run.lines[0]) == (
        1,
        f"{path}:1:1: unknown-game: a bare move list does not name its game; name it with --game",
    )
    assert referee("check", "--game", "beams", path).lines[0].startswith(f"{path}:2:4: missing-move")
    run = referee("check", "--game", "beams", "--option", "mode=synchronous", "--option", "columns=17", path)
    assert run == (0, f"{path}: ok, 3 plies; south 0, north 0; not over\n", "")


def test_a_bare_move_list_on_the_standard_input() -> None:
    run = referee("check", "--game", "beams", "-", stdin=b"\xef\xbb\xbf1. P S A2 | P S A1\r\n")
    assert run.lines[0] == "-:1:13: unknown-cell: there is no cell A1: row A has the even columns"


def test_a_bare_move_list_from_a_position(at_once: Path) -> None:
    position = "board 15x13 | south M1 B3 12 | south-hand R1 | north-hand M1x2 S | turn north"
    run = referee("check", "--game", "beams", "--position", position, "-", stdin=b"P S A2 | R B3 R")
    assert run == (0, "-: ok, 2 plies; south 1, north 0; not over\n", "")
    run = referee("check", "--game", "beams", "--position", position.replace("B3", "B4"), "-", stdin=b"P S A2")
    assert (run.status, run.lines[0]) == (
        1,
        "-:1:1: position: there is no cell B4: row B has the odd columns",
    )
    run = referee("check", "--game", "beams", "--position", position, at_once)
    assert "whole-file: this is a whole game file of beams: --game, --option and --position are for bare" in run.out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "Missing argument"),
        (("--position", "board 15x13", "x"), "--position is for bare move lists: give --game too"),
        (("--option", "rows=13", "x"), "--option is for bare move lists: give --game too"),
        (("--game", "chess", "x"), "there is no game 'chess'"),
        (("--game", "beams", "--option", "rows", "x"), "'rows' is not KEY=VALUE"),
        (("--game", "beams", "--option", "rows=013", "x"), "turn '013' into another number"),
        (("--game", "beams", "--option", "rows=[", "x"), "rows: this is not YAML"),
        (("--format", "xml", "x"), "'text', 'jsonl'"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], says: str) -> None:
    run = referee("check", *arguments)
    assert (run.status, run.out) == (2, "")
    assert says in run.err


def test_options_that_no_game_can_have_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "list.moves"
    path.write_text(LIST, encoding="utf-8")
    run = referee("check", "--game", "beams", "--option", "rows=3", "--option", "size=3", path)
    assert run.status == 1
    assert [line.split(": ")[1] for line in run.lines if ": option: " in line] == ["option", "option"]


SLIP = "game: laser-chess\nmoves: |\n  1. M c4-d5 | M f5-e6\n  2. M e5-d4 | M c1-d2\n  3. R d1 L  | M c7-b7\n"
REPAIR = "round 2: M e5-d4 and M c1-d2 change places: all 3 rounds hold"


def test_repairs_are_listed_only_on_request(tmp_path: Path) -> None:
    path = tmp_path / "slip.yaml"
    path.write_text(SLIP, encoding="utf-8")
    plain, asked = referee("check", path), referee("check", "--repair", path)
    assert asked.status == plain.status == 1
    assert asked.lines == [*plain.lines, f"    repair: {REPAIR}"]
    assert path.read_text(encoding="utf-8") == SLIP


@pytest.mark.parametrize("each", [(), ("--each",)])
def test_objects_have_repairs_only_if_they_are_asked_for(tmp_path: Path, each: tuple[str, ...]) -> None:
    path = tmp_path / "slips.jsonl"
    path.write_text(f"{to_json(loads(SLIP))}\n" * 2, encoding="utf-8")
    plain = referee("check", path, *each, "--format", "jsonl").objects
    asked = referee("check", path, *each, "--format", "jsonl", "--repair").objects
    assert all("repairs" not in one for one in plain)
    found = [repair for one in asked for repair in one["repairs"]]
    assert [one["line"] for one in found] == [1, 2]
    assert found[0] == {
        "line": 1,
        "column": 25,
        "round": 2,
        "change": "M e5-d4 and M c1-d2 change places",
        "rounds": 3,
        "holds": True,
        "result": True,
    }


def test_a_list_without_a_small_repair_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "hopeless.yaml"
    path.write_text("game: laser-chess\nmoves: |\n  1. M c4-h8 {x\n", encoding="utf-8")
    assert referee("check", "--repair", path).lines[-1] == "    repair: none found"


def test_repairs_go_with_no_journal(tmp_path: Path, wrong: Path) -> None:
    run = referee("check", "--repair", "--resume", tmp_path / "journal", wrong)
    assert (run.status, run.lines) == (2, [])
    assert "--repair cannot be combined with --resume or --against" in run.err
