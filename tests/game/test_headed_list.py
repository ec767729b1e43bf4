"""Move lists with their header in comments (.moves): every command reads and changes them like game files."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.draw.record import record
from referee.errors import FileError
from referee.game import loads, read
from referee.game.amend.amendments import set_end, take_back
from referee.game.amend.edit import add_ply
from referee.game.file.dumper import as_mapping, list_text
from referee.game.file.gamefile import without_addresses
from referee.game.file.judge import judge
from referee.notes import game_file
from tests.support.command_line import referee
from tests.support.examples import sampled

GAMES = sorted(Path("games").glob("*/*.yaml"))


@pytest.fixture
def running(tmp_path: Path) -> Path:
    path = tmp_path / "game.moves"
    path.write_text(
        "; game: laser-chess\n; id: cup-1\n; moves:\n; a remark\n1. M c4-d5 | M f5-e6\n", encoding="utf-8"
    )
    return path


@pytest.mark.parametrize("path", sampled(GAMES, 5), ids=lambda path: path.stem)
def test_a_list_with_its_header_is_the_same_game(path: Path) -> None:
    game = read(path)
    assert loads(list_text(as_mapping(game))) == game


@pytest.mark.parametrize("path", sampled(GAMES, 5), ids=lambda path: path.stem)
def test_a_printed_record_is_imported_as_the_same_game(path: Path) -> None:
    game = read(path)
    found = game_file(record(game, "txt").decode(), "record.txt")
    assert found is not None
    assert found.is_sure
    assert loads(found.text) == without_addresses(game)


def test_a_move_is_added_and_taken_back_and_all_else_stays(running: Path) -> None:
    before = running.read_text(encoding="utf-8")
    add_ply(running, {"blue": "M c1-d2"})
    assert running.read_text(encoding="utf-8") == before + "2. M c1-d2\n"
    take_back(running)
    assert running.read_text(encoding="utf-8") == before


def test_a_header_is_changed_in_its_comments(running: Path) -> None:
    set_end(running, "resignation", "blue")
    assert running.read_text(encoding="utf-8").splitlines()[:4] == [
        "; game: laser-chess",
        "; id: cup-1",
        "; end: {how: resignation, by: blue}",
        "; moves:",
    ]


def test_findings_are_at_their_places(running: Path) -> None:
    running.write_text(running.read_text(encoding="utf-8").replace("f5", "x5"), encoding="utf-8")
    with pytest.raises(FileError) as caught:
        add_ply(running, {"blue": "M c1-d2"})
    assert [(one.line, one.column) for one in caught.value.findings] == [(5, 16)]


def test_findings_about_a_header_are_at_their_places() -> None:
    header = (
        "; game: boundary\n; result: {south: 9, north: 0}\n; variations:\n;   - moves: |\n;       1. ... | P f1-a1\n"
    )
    found = judge(loads(f"{header}; moves:\n1. P a1-b2 | P f1-e2\n")).findings
    assert [(one.line, one.column, one.code) for one in found] == [(2, 3, "wrong-result"), (5, 18, "distance")]
    assert header.splitlines()[1] == found[0].excerpt


@pytest.mark.parametrize("command", sampled(["check", "report", "legal", "annotate"], 2))
def test_a_command_reads_a_list_like_the_game_file(running: Path, tmp_path: Path, command: str) -> None:
    same = tmp_path / "game.yaml"
    referee("convert", running, same)
    options = ("--level", 1) if command == "annotate" else ()
    runs = [referee(command, path, *options) for path in (running, same)]
    assert runs[0].status == runs[1].status == 0
    assert runs[0].out.replace(".moves", ".yaml") == runs[1].out
