"""`referee import`: the file that it writes, its reports and questions, and its exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.game import read
from tests.support.command_line import referee

PLAIN = "1. P M3 E6 10 | P M3 E10 10\n2. P M2V A8 10 | P M2V E12 10\n"
UNSURE = "1. P M3 E6 10 | P M3 E10 10\n2. narrow double A8 10 | P M2V E12 10\n"
ROUNDS = ["P M3 E6 10", "P M3 E10 10", "P M2V A8 10", "P M2V E12 10"]


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes.txt"
    path.write_text(PLAIN, encoding="utf-8")
    return path


def moves(path: Path) -> list[str]:
    return [str(one.move) for each in read(path).rounds for one in each.moves]


def test_plain_notes_become_a_game_file(notes: Path, tmp_path: Path) -> None:
    run = referee("import", notes, "-o", tmp_path / "game.yaml")
    assert (run.status, run.out) == (0, "")
    assert run.err.endswith("Beams, Boosters and Barriers, 4 moves: nothing is unsure\n")
    assert moves(tmp_path / "game.yaml") == ROUNDS


def test_the_game_goes_to_the_output_without_a_file() -> None:
    run = referee("import", "-", stdin=PLAIN.encode())
    assert run.out.startswith("game: beams\nmoves: |\n  1. P M3 E6 10")


def test_unsure_readings_are_reported_and_marked(notes: Path, tmp_path: Path) -> None:
    notes.write_text(UNSURE, encoding="utf-8")
    run = referee("import", notes, "-o", tmp_path / "game.yaml", "--format", "json")
    report = json.loads(run.err)
    assert run.status == 1
    assert report["doubts"][0]["choices"] == ["P M2V A8 10", "P R2V A8 10"]
    assert report["doubts"][0]["line"] == f"{notes}:2"
    assert "{unsure: or P R2V A8 10}" in (tmp_path / "game.yaml").read_text(encoding="utf-8")


def test_a_person_chooses_what_is_unsure(notes: Path, tmp_path: Path) -> None:
    notes.write_text(UNSURE, encoding="utf-8")
    run = referee("import", notes, "-o", tmp_path / "game.yaml", "--ask", stdin=b"2\n")
    assert run.status == 0, run.err
    assert moves(tmp_path / "game.yaml")[2] == "P R2V A8 10"


def test_a_move_that_is_wrong_is_found_in_the_file(notes: Path, tmp_path: Path) -> None:
    notes.write_text(PLAIN.replace("P M2V A8", "P M3 A8"), encoding="utf-8")
    assert referee("import", notes, "-o", tmp_path / "game.yaml").status == 1
    checked = referee("check", tmp_path / "game.yaml")
    assert (checked.status, "not-in-hand" in checked.out) == (1, True)


def test_a_move_of_the_last_ply_that_is_wrong_is_not_missing() -> None:
    run = referee("import", "--game", "beams", "-", stdin=b"P S A2 | P S A3")
    assert (run.status, "missing" in run.err) == (1, False)
    assert run.out.endswith("1. P S A2 | P S A3\n")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("nowhere.txt",), "unreadable"),
        (("--option", "setup=ace", "notes.txt"), "--option belongs to a game"),
        (("--game", "chess", "notes.txt"), "there is no game 'chess'"),
        (("--game", "beams", "--option", "size=3", "notes.txt"), "has no option 'size'"),
        (("talk.txt",), "no-moves: no line holds a move of any game"),
    ],
)
def test_unusable_input_has_status_2(
    notes: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], says: str
) -> None:
    monkeypatch.chdir(notes.parent)
    Path("talk.txt").write_text("Dear Ben,\nhow are you?\n", encoding="utf-8")
    run = referee("import", *arguments)
    assert run.status == 2
    assert says in run.err


def test_no_file_is_written_over(notes: Path, tmp_path: Path) -> None:
    there = tmp_path / "game.yaml"
    there.write_text("mine", encoding="utf-8")
    assert referee("import", notes, "-o", there).status == 2
    assert there.read_text(encoding="utf-8") == "mine"


def test_a_workbook_is_read_by_its_first_sheet(tmp_path: Path) -> None:
    book = pytest.importorskip("openpyxl").Workbook()
    sheet = book.active
    for row in (("Round", "South", "North"), (1, *ROUNDS[:2]), (2, *ROUNDS[2:])):
        sheet.append(row)
    book.save(tmp_path / "club.xlsx")
    assert referee("import", tmp_path / "club.xlsx", "-o", tmp_path / "game.yaml").status == 0
    assert moves(tmp_path / "game.yaml") == ROUNDS


def test_a_broken_workbook_is_no_crash(tmp_path: Path) -> None:
    (tmp_path / "club.xlsx").write_bytes(b"PK\x03\x04 and nothing else")
    run = referee("import", tmp_path / "club.xlsx")
    assert (run.status, "the workbook cannot be read" in run.err) == (2, True)


BLOCK_STYLE = """# kept by hand
game: beams
rules: 1
players:
  south:
    name: Ada
  north:
    name: Ben
end:
  how: resignation
  by: north
moves: |
  1. P M3 E6 10 |   P M3 E10 10 {a note}
"""


def test_a_game_file_stays_as_it_is(notes: Path, tmp_path: Path) -> None:
    notes.write_text(BLOCK_STYLE, encoding="utf-8")
    run = referee("import", notes, "-o", tmp_path / "game.yaml", "--format", "json")
    assert (run.status, "this is a game file already" in run.err) == (0, True)
    assert (tmp_path / "game.yaml").read_text(encoding="utf-8") == BLOCK_STYLE


@pytest.mark.parametrize(
    "slip", [("P M3 E10 10", "P M3 E10 13"), ("  by: north", "  by: nobody"), ("rules: 1", "rule: 1")]
)
def test_a_game_file_with_a_slip_is_read_as_notes_and_loses_nothing_in_silence(slip: tuple[str, str]) -> None:
    run = referee("import", "-", stdin=BLOCK_STYLE.replace(*slip).encode())
    assert (run.status, "unsure: 'end:' is a line of a header" in run.err) == (1, True)


def test_a_game_file_of_another_game_or_set_up_is_read_as_notes() -> None:
    game = "game: laser-chess\nmoves: |\n  1. M c4-d5 | M f5-e6\n"
    run = referee("import", "-", "--game", "laser-chess", "--option", "setup=curiosity", stdin=game.encode())
    assert "already" not in run.err


def test_missing_answers_are_reported(notes: Path) -> None:
    notes.write_text(UNSURE, encoding="utf-8")
    run = referee("import", notes, "--ask", stdin=b"")
    assert (run.status, "--ask needs answers, and the input has ended" in run.err) == (2, True)
