"""`referee edit`: its changes, everything else unchanged, and its refusals."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from referee.errors import RefereeError
from referee.game import GameFile, dumps, judge, read, to_json
from referee.game.amend.amendments import add_comment, set_key, set_mark, take_back
from referee.game.amend.move_lines import LONGEST_COMMENT, MARKS
from referee.rules import Move
from tests.support.command_line import referee
from tests.support.examples import examples
from tests.support.game_files import game_files
from tests.support.rows import each

GAME = """\
game: beams
id: spring   # ours
moves: |
  1. P S A2 | P S E14
  2. P M1 D13 10 {wide} | P S A4
"""


class Case(NamedTuple):
    """An edit of a file: the result, or the code of its refusal."""

    shows: str
    edit: list[Any]
    before: str = ""
    after: str = ""
    file: str = GAME
    refused: str = ""


DATA = yaml.safe_load(Path(__file__).with_name("edits.yaml").read_text(encoding="utf-8"))
CASES = [Case(**one) for one in DATA]
EDITS = [case for case in CASES if not case.refused]
REFUSALS = [case for case in CASES if case.refused]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.yaml"
    path.write_text(GAME, encoding="utf-8")
    return path


@each(EDITS, name=lambda case: case.shows, every=3)
def test_only_what_is_asked_for_changes(case: Case, file: Path) -> None:
    file.write_bytes(case.before.encode())
    tried = referee("edit", file, *case.edit, "--dry-run")
    assert (tried.status, tried.err) == (0, "")
    assert file.read_bytes() == case.before.encode()
    run = referee("edit", file, *case.edit)
    assert (run.status, run.err) == (0, "")
    assert file.read_bytes().decode() == case.after
    changed = [line[1:] for line in tried.lines[3:] if line.startswith("+")]
    assert [line for line in case.after.splitlines() if line not in case.before.splitlines()] == changed


@each(REFUSALS, name=lambda case: case.shows, every=3)
def test_a_refusal_changes_nothing(case: Case, file: Path) -> None:
    file.write_bytes(case.file.encode())
    known = file.stat()
    run = referee("edit", file, *case.edit)
    assert (run.status, run.out) == (1, "")
    assert f"{case.refused}: " in run.err.splitlines()[0]
    assert file.read_bytes() == case.file.encode()
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (known.st_ino, known.st_mtime_ns)
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("set", "id", "summer"), "id: summer"),
        (("set", "id", "--remove"), "id: taken away"),
        (("end", "resignation", "--by", "north"), "end: resignation by north"),
        (("undo",), "round 2, ply 2 taken back: south P M1 D13 10; north P S A4\n    {wide}"),
        (("comment", "1/north", "so"), "1/north: so"),
        (("annotate", "1", "north", "!?"), "1/north: !?"),
    ],
)
def test_an_edit_says_what_it_did(file: Path, words: tuple[str, ...], said: str) -> None:
    assert referee("edit", file, *words) == (0, f"{file}: {said}\n", "")


def test_moves_that_no_longer_hold_are_reported_at_their_place(file: Path) -> None:
    run = referee("edit", file, "set", "options.columns", "9")
    assert run.err.startswith(f"{file}:4:15: unknown-cell: with this options.columns, there is no cell E14")


def test_a_dry_run_shows_the_lines_that_change(file: Path) -> None:
    run = referee("edit", file, "undo", "--dry-run")
    assert run.lines == [
        f"--- {file}",
        f"+++ {file}",
        "@@ -4,2 +4 @@",
        "   1. P S A2 | P S E14",
        "-  2. P M1 D13 10 {wide} | P S A4",
    ]


@each(
    [
        ("set", "id"),
        ("set", "id", "a", "--remove"),
        ("set", "options.rows", "[1"),
        ("end",),
        ("end", "checkmate"),
        ("end", "--remove", "--by", "south"),
        ("comment", "south", "so"),
        ("comment", "1"),
        ("annotate", "1", "south"),
        ("annotate", "1", "south", "!!!"),
        ("annotate", "0", "south", "!"),
        ("repair",),
    ]
)
def test_wrong_usage(words: tuple[str, ...], file: Path) -> None:
    run = referee("edit", file, *words)
    assert (run.status, run.out) == (2, "")
    assert "Usage: referee edit" in run.err
    assert file.read_text(encoding="utf-8") == GAME


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert referee("edit", tmp_path / "none.yaml", "undo").status == 2


def test_a_comment_can_be_so_long_and_no_longer(file: Path) -> None:
    with pytest.raises(RefereeError, match="at most 2,000 characters"):
        add_comment(file, 1, "south", "x" * (LONGEST_COMMENT + 1))
    add_comment(file, 1, "south", "x" * LONGEST_COMMENT)
    assert read(file).rounds[0].moves[0].comments == ("x" * LONGEST_COMMENT,)


@given(game=game_files(), as_json=st.booleans(), end=st.sampled_from(("\n", "\r\n")), data=st.data())
@examples(0.2, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_an_edit_changes_nothing_else_in_any_file(
    file: Path, game: GameFile, as_json: bool, end: str, data: st.DataObject
) -> None:
    game = replace(game, start_text=None, result=None, ending=None)
    file.write_bytes((to_json(game) if as_json else dumps(game)).replace("\n", end).encode())
    event = data.draw(st.sampled_from(("no", "a: b", "{x}", "# 1", "\\n", '"')))
    assert set_key(file, "event", event).game == replace(game, event=event)
    if game.rounds:
        line = data.draw(st.integers(1, len(game.rounds)))
        add_comment(file, line, None, "above")
        side = next(side for ply in game.replay() if ply.round == line for side in ply.moves)
        add_comment(file, line, side, "so")
        set_mark(file, line, side, data.draw(st.sampled_from(MARKS)))
        take_back(file)
        set_key(file, "event", game.event)
        assert moves(read(file)) == moves(game)[: len(moves(read(file)))]
        assert judge(read(file)).plies == judge(game).plies - 1


def moves(game: GameFile) -> list[Move]:
    return [noted.move for one in game.rounds for noted in one.moves]


@pytest.mark.parametrize("options", [["--color", "always"], ["--no-pager", "--color=always"]])
def test_the_options_of_every_command_go_between_file_and_edit_too(file: Path, options: list[str]) -> None:
    run = referee("edit", file, *options, "set", "id", "summer")
    assert (run.status, run.out) == (0, f"{file}: id: summer\n")
    run = referee("edit", file, *options, "undo", "--dry-run", "3")
    assert (run.status, run.out) == (2, "")


def test_a_comment_after_a_semicolon_is_reported_as_it_is_written(file: Path) -> None:
    file.write_text("game: beams\nmoves: |\n  P S A2 | P S A2 ; solid } really\n", encoding="utf-8")
    assert referee("edit", file, "undo").out == (
        f"{file}: round 1, ply 1 taken back: south P S A2; north P S A2\n    ; solid }} really\n"
    )
