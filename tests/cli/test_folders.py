"""Files that commands take from a folder, those left out with the reasons, and files with a format of their own."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.command_line import referee
from tests.support.rows import each

ROOT = Path(__file__).resolve().parents[2]
LIST = "1. P S A2 | P S A4\n"
GAME = f"game: beams\nmoves: |\n  {LIST}"
SETUP = "# A set-up.\nrows:\n  - l1......m2\n"
TEXTS, SUFFIX, DATA, NO_FILE = (
    "a .txt file is",
    "ends in none of .yaml, .yml",
    "data without any key",
    "not a plain file",
)
EMPTY = "unreadable: this folder holds no game file, move list or archive"


class Folder(NamedTuple):
    """Files by name, further options of `check`, its exit status, its games, and the files that it leaves out."""

    shows: str
    files: Mapping[str, str]
    status: int
    judged: tuple[str, ...]
    left: Mapping[str, tuple[str, ...]] = {}
    arguments: tuple[str, ...] = ()


BEAMS = ("--game", "beams")
FOLDERS = [
    Folder("texts need a game", {"a.txt": LIST, "b.txt": LIST}, 2, (), {TEXTS: ("a.txt", "b.txt")}),
    Folder("texts are move lists of a game", {"a.txt": LIST, "b.txt": LIST}, 0, ("a.txt", "b.txt"), {}, BEAMS),
    Folder("texts beside games", {"a.txt": LIST, "b.yaml": GAME}, 0, ("b.yaml",), {TEXTS: ("a.txt",)}),
    Folder("games beside texts", {"a.txt": LIST, "b.yaml": GAME}, 0, ("a.txt", "b.yaml"), {}, BEAMS),
    Folder("other files", {"a.md": "x", "b.yaml": GAME}, 0, ("b.yaml",), {SUFFIX: ("a.md",)}),
    Folder("data in YAML", {"a.yaml": SETUP, "b.yaml": GAME}, 0, ("b.yaml",), {DATA: ("a.yaml",)}),
    Folder("data in JSON", {"a.json": '{"rows": []}', "b.yaml": GAME}, 0, ("b.yaml",), {DATA: ("a.json",)}),
    Folder("nothing but data", {"a.yaml": SETUP}, 2, (), {DATA: ("a.yaml",)}),
    Folder("nothing", {}, 2, ()),
    Folder("hidden files are not told", {".a.yaml": GAME, "b.yaml": GAME}, 0, ("b.yaml",)),
    Folder("a game with a capital key is no data", {"a.yaml": "Game: beams\n"}, 1, ("a.yaml",)),
    Folder("a game without its game is no data", {"a.yaml": f"moves: |\n  {LIST}"}, 1, ("a.yaml",)),
    Folder("broken YAML is no data", {"a.yaml": "rows: [\n"}, 1, ("a.yaml",)),
    Folder("a list is no data", {"a.yaml": "- a\n"}, 1, ("a.yaml",)),
    Folder("nothing in a file is no data", {"a.yaml": ""}, 1, ("a.yaml",)),
]


@pytest.fixture(autouse=True)
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to fill, in the current one."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "club"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("case", FOLDERS, ids=lambda case: case.shows)
def test_files_left_out_of_a_folder_are_reported_with_the_reason(club: Path, case: Folder) -> None:
    for name, content in case.files.items():
        (club / name).write_text(content, encoding="utf-8")
    run = referee("check", "club", "--format", "jsonl", *case.arguments)
    judged = [one["file"] for one in run.objects]
    assert (run.status, judged) == (case.status, [f"club/{name}" for name in case.judged] or ["club"])
    assert (EMPTY in referee("check", "club", *case.arguments).out) == (not case.judged)
    told = run.err.splitlines()
    assert len(told) == len(case.left)
    for line, (why, names) in zip(told, case.left.items(), strict=True):
        assert line.startswith("left out (")
        assert why in line
        assert line.endswith(f"): {', '.join(f'club/{name}' for name in names)}")


def test_pipes_and_links_to_folders_are_left_out(club: Path) -> None:
    os.mkfifo(club / "a.yaml")
    (club / "b.yaml").symlink_to(club, target_is_directory=True)
    (club / "c.yaml").write_text(GAME, encoding="utf-8")
    run = referee("check", "club")
    assert (run.status, run.err) == (0, f"left out ({NO_FILE}): club/a.yaml, club/b.yaml\n")


def test_of_many_files_that_are_left_out_a_few_are_named(club: Path) -> None:
    for number in range(12):
        (club / f"{number}.md").write_text("x", encoding="utf-8")
    (line,) = referee("check", "club").err.splitlines()
    assert line.endswith("club/0.md, club/1.md, club/2.md, club/3.md, club/4.md and 7 more")


@pytest.mark.slow
@pytest.mark.parametrize("command", [("check", "FOLDER"), ("stats", "FOLDER"), ("convert", "FOLDER", "all.jsonl")])
def test_the_games_of_the_project_are_well_and_their_set_ups_are_left_out(command: tuple[str, ...]) -> None:
    run = referee(*(ROOT / "games" if word == "FOLDER" else word for word in command))
    (line,) = run.err.splitlines()
    assert run.status == 0
    assert line.startswith("left out (data without any key of a game file): ")
    assert line.count("set-ups/") == 5


def test_an_output_cannot_lie_among_the_lists_that_are_read(club: Path) -> None:
    (club / "a.txt").write_text(LIST, encoding="utf-8")
    assert referee("check", "club", *BEAMS, "-o", "club/out.txt").status == 2
    assert referee("check", "club", "-o", "club/out.txt").status == 2
    (club / "b.yaml").write_text(GAME, encoding="utf-8")
    assert referee("check", "club", "-o", "club/out.txt").status == 0


JSON = json.dumps({"id": "x", "game": "beams", "moves": LIST})
LINES = f"{JSON}\n{JSON}\n"
WITH_HEADER = f"; game: beams\n; options: {{columns: 17}}\n; moves:\n{LIST}"
WHOLE = [
    ("a.yaml", GAME, "ok, 1 ply; "),
    ("a.txt", GAME, "ok, 1 ply; "),
    ("a.json", JSON, "ok, 1 ply; "),
    ("pretty.json", json.dumps(json.loads(JSON), indent=1), "ok, 1 ply; "),
    ("a.jsonl", LINES, "ok, 2 plies in 2 games"),
    ("one.jsonl", f"{JSON}\n", "ok, 1 ply; "),
    ("a.moves", WITH_HEADER, "ok, 1 ply; "),
]


@each(WHOLE)
def test_a_whole_game_file_is_judged_as_one_with_its_game_named(row: tuple[str, str, str]) -> None:
    name, content, says = row
    Path(name).write_text(content, encoding="utf-8")
    run = referee("check", "--game", "beams", name)
    assert (run.status, run.err) == (0, "")
    assert run.out.startswith(f"{name}: {says}")


@pytest.mark.parametrize("arguments", [("--game", "boundary"), ("--game", "beams", "--option", "columns=17")])
@pytest.mark.parametrize(("name", "content", "says"), WHOLE, ids=[name for name, *_ in WHOLE])
def test_a_whole_game_file_of_another_game_or_with_options_is_one_finding(
    name: str, content: str, says: str, arguments: tuple[str, ...]
) -> None:
    Path(name).write_text(content, encoding="utf-8")
    run = referee("check", *arguments, "--format", "jsonl", name)
    assert run.status == 1
    codes = [finding["code"] for finding in run.objects[0]["findings"]]
    assert codes == ["whole-file"] * (2 if "games" in says else 1)
    assert "this is a whole game file of beams" in run.out


@pytest.mark.parametrize("first", ["{a comment}", '{"a quotation"}', "{game: the third}", "; game: beams"])
def test_a_move_list_that_begins_with_comments_is_one(first: str) -> None:
    Path("a.moves").write_text(f"{first}\n{first}\n{LIST}", encoding="utf-8")
    run = referee("check", "--game", "beams", "a.moves")
    assert run.out.startswith("a.moves: ok, 1 ply; ")


FAULTS = [
    ("a.yaml", "game: beams\nmoves: |\n  1. P S A2 | P S\n", (), 1, "a.yaml:3:18: syntax: "),
    ("a.yaml", "game: beams\nid: 12:30\n", (), 1, "a.yaml:2:5: ambiguous: "),
    ("a.jsonl", f"{JSON}\nno game\n", (), 1, "a.jsonl:2:1: wrong-type: "),
    ("a.moves", "P S A2 | P S\n", BEAMS, 1, "a.moves:1:13: syntax: "),
    ("a.moves", "P S A2 | P S\n", (), 1, "a.moves:1:1: unknown-game: "),
]


@pytest.mark.parametrize(("name", "content", "arguments", "status", "says"), FAULTS)
def test_games_that_cannot_be_converted_are_reported_as_by_check(
    name: str, content: str, arguments: tuple[str, ...], status: int, says: str
) -> None:
    Path(name).write_text(content, encoding="utf-8")
    run = referee("convert", *arguments, name, "out.jsonl")
    assert (run.status, run.err[: len(says)]) == (status, says)
    assert run.err == referee("check", "--no-suggest", *arguments, name).out


def test_statistics_name_the_games_that_they_leave_out(club: Path) -> None:
    (club / "a.jsonl").write_text(f"{JSON}\nno game\n{JSON}\n[]\n", encoding="utf-8")
    (club / "b.yaml").write_text("game: beams\nmoves: |\n  P S A1 | P S A2\n", encoding="utf-8")
    (club / "notes.txt").write_text("x", encoding="utf-8")
    run = referee("stats", "club")
    assert run.status == 1
    assert run.lines[0] == "beams: 2 games"
    assert run.lines[-3:] == [
        "left out because something is wrong with them: 3 games (wrong-type 2, unknown-cell 1)",
        "  club/a.jsonl: 2 games",
        "  club/b.yaml: 1 game",
    ]
    assert run.err == "left out (a .txt file is a move list only with --game): club/notes.txt\n"
    data = json.loads(referee("stats", "--format", "json", "club").out)
    assert data["wrong"] == 3
    assert data["left_out"] == {
        "codes": {"wrong-type": 2, "unknown-cell": 1},
        "files": {"club/a.jsonl": 2, "club/b.yaml": 1},
    }
    page = referee("stats", "--format", "html", "club").out
    assert "3 games (wrong-type 2, unknown-cell 1)" in page
    assert "club/a.jsonl: 2 games" in page


def test_statistics_of_what_cannot_be_read_have_status_2() -> None:
    run = referee("stats", "missing.jsonl")
    assert (run.status, run.lines[-1]) == (2, "  missing.jsonl: 1 game")
