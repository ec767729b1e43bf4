"""Three Crows, a game of another package: three sides that move at once, from the file to the letter."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import referee
from referee.cli import cli
from referee.draw.page import page
from referee.draw.record import letter_picture
from referee.draw.text import report_text
from referee.draw.words import alt_text, words
from referee.engine.match import Contest, play_match
from referee.errors import FileError, NotationError, RefereeError
from referee.game import GameFile, dumps, judge, to_json, zeroth_ply
from referee.notation.spoken import suggested
from referee.rules import Termination, game_named
from tests.support.examples import sampled
from tests.support.rows import each

CROWS = Path(__file__).parent / "crows"
AUTUMN = CROWS / "referee_crows" / "games" / "autumn.yaml"
LINES = 300
"""Maximum lines of the whole package."""


def run(*arguments: object) -> Result:
    """The result of a command of referee, in this process."""
    return CliRunner().invoke(cli, [str(argument) for argument in arguments], standalone_mode=False)


def told(*arguments: object) -> str:
    """The output of a command, which must succeed."""
    result = run(*arguments)
    assert result.exception is None, result.output
    return result.output


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """A game file before its first ply."""
    path = tmp_path / "begun.yaml"
    told("new", "three-crows", "--amber", "Ada", "--jade", "Ben <ben@example.org>", "--nuts", 1, "-o", path)
    return path


# --- The package ------------------------------------------------------------------------------------------------


def test_the_package_is_small() -> None:
    files = [path for path in CROWS.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) <= LINES


def test_its_examples_hold_and_are_canonical() -> None:
    examples = list(game_named("three-crows").examples.glob("*.yaml"))
    assert examples == [path for path in examples if referee.read(path).game == "three-crows"]
    for path in examples:
        assert "ok, " in told("check", path)
        assert dumps(referee.read(path)) == path.read_text(encoding="utf-8")


@pytest.mark.slow
def test_pip_installs_it_without_a_network(tmp_path: Path) -> None:
    """In a new environment that finds everything else where these tests find it."""
    shutil.copytree(CROWS, tmp_path / "crows", ignore=shutil.ignore_patterns("__pycache__"))
    venv.create(tmp_path / "env", with_pip=False)
    (packages,) = (tmp_path / "env" / "lib").glob("python*/site-packages")
    shared = [path for path in sys.path if path.endswith("site-packages")]
    lines = [f"import site; site.addsitedir({path!r})\n" for path in shared]
    (packages / "shared.pth").write_text("".join(lines), encoding="utf-8")
    python = tmp_path / "env" / "bin" / "python"
    pip = (
        python,
        "-m",
        "pip",
        "install",
        "-q",
        "--no-index",
        "--no-deps",
        "--no-build-isolation",
        tmp_path / "crows",
    )
    subprocess.run(pip, check=True, timeout=300)
    command = (python, "-m", "referee", "new", "three-crows")
    made = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True, timeout=60).stdout
    assert referee.loads(made) == GameFile("three-crows", rules=1, options={"nuts": 2})
    listed = subprocess.run(
        (python, "-c", "import referee_crows; print(referee_crows.GAME.examples)"),
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    assert (Path(listed) / "autumn.yaml").is_file()


# --- Rounds of three moves --------------------------------------------------------------------------------------


def test_a_ply_of_three_moves_is_a_round() -> None:
    plies = list(referee.read(AUTUMN).replay())
    assert [(ply.number, ply.round) for ply in plies] == [(number, number) for number in range(1, 6)]
    assert {side: str(move) for side, move in plies[1].moves.items()} == {
        "amber": "W",
        "jade": "F 8",
        "violet": "F 7",
    }
    assert plies[-1].outcome is not None
    assert (plies[-1].outcome.winner, dict(plies[-1].outcome.score)) == ("jade", {"amber": 3, "jade": 5, "violet": 4})


def test_a_written_game_is_read_again_with_its_notes() -> None:
    game = referee.read(AUTUMN)
    assert referee.loads(dumps(game)) == referee.loads(to_json(game)) == game
    assert [noted.comments for noted in game.rounds[1].moves] == [(), (), ("the last tree of this side",)]


@each(
    [
        ("1. F 2 | F 6", {"6:12 missing-move"}),
        ("1. F 2", {"6:6 missing-move"}),
        ("1. F 2 | F 6\n2. W | W | W", {"6:3 half-round"}),
        ("1. F 2 | F 6 | F 10 | W", {"6:23 syntax"}),
        ("1. F 2 ! | F 6 | F 10 {x} | W", {"6:29 syntax"}),
        ("1. F 2 | F 6 | ", {"6:17 syntax"}),
        ("1. F 2 | F 6 | F 9x", {"6:20 syntax"}),
        ("1. F 2 | F 6 | F 1", {"6:18 distance"}),
        ("1. F 2 | F 5 | F 10", {"6:12 distance"}),
        ("1. F 2 | F 6 | F 10\n2. W | W | F 13", {"7:14 unknown-tree"}),
    ]
)
def test_faults_of_a_round_of_three_are_reported_at_their_places(row: tuple[str, set[str]]) -> None:
    moves, found = row
    indented = "".join(f"  {line}\n" for line in moves.split("\n"))
    text = f"game: three-crows\nplayers:\n  amber: {{name: Ada}}\noptions: {{nuts: 2}}\nmoves: |\n{indented}"
    try:
        findings = judge(referee.loads(text)).findings
    except FileError as error:
        findings = error.findings
    assert {f"{one.line}:{one.column} {one.code}" for one in findings} == found


def test_a_short_round_is_reported_with_the_game_s_own_number() -> None:
    with pytest.raises(FileError, match="a move is missing: only the last round may be without all 3"):
        referee.loads("game: three-crows\nmoves: |\n  1. W | W\n  2. W | W | W\n")


def test_a_ply_is_added_below_the_others(begun: Path) -> None:
    assert told("legal", begun, "violet") == "W\nF 10\nF 8\nF 11\nF 7\nF 12\nF 6\n"
    told("move", begun, "jade", "f 6", "violet", "f 12", "amber", "w")
    said = told("move", begun, "amber", "F 2", "jade", "F 7", "violet", "F 11")
    assert said == "round 2, ply 2: amber F 2; jade F 7; violet F 11\n"
    assert begun.read_text(encoding="utf-8").endswith("moves: |\n  1. W | F 6 | F 12\n  2. F 2 | F 7 | F 11\n")
    refused = run("move", begun, "amber", "F 3", "jade", "F 6")
    assert str(refused.exception) == "missing-move: violet owes a move: these moves are made at once"


def test_new_rounds_are_aligned_with_those_above(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text("game: three-crows\nmoves: |\n  1. F 12 | F 6 | F 12\n", encoding="utf-8")
    told("move", path, "amber", "W", "jade", "W", "violet", "W")
    assert path.read_text(encoding="utf-8").splitlines()[-1] == "  2. W    | W   | W"


def test_everyday_words_are_understood() -> None:
    position = referee.start("three-crows")
    assert suggested("three-crows", "fly to tree 3", position.legal_moves("amber"))[0] == "F 3"
    with pytest.raises(NotationError, match="a tree: 1 to 12"):
        referee.parse_move("three-crows", "F")


# --- Text and pictures for people -------------------------------------------------------------------------------


def test_a_report_names_all_who_move() -> None:
    game = referee.read(AUTUMN)
    said = report_text(game, next(game.replay()), view="jade")
    assert "last ply      amber F 12; jade F 7; violet W" in said
    assert "to move       amber, jade and violet, at the same time" in said


def test_a_narrow_report_has_the_board_in_parts() -> None:
    game = referee.read(AUTUMN)
    lines = report_text(game, next(game.replay()), view="jade", width=45).split("\n")
    assert max(map(len, lines)) <= 45
    tree, more = lines.index(next(line for line in lines if line.startswith("tree"))), 4
    assert (lines[tree] + lines[tree + more]).split() == ["tree", *map(str, range(1, 13))]
    assert "\x1b" not in told("report", AUTUMN, "--color", "always")


def test_the_words_of_a_game_without_words_are_its_facts() -> None:
    for ply in referee.read(AUTUMN).replay():
        position = ply.position
        title, state, *said = words(position, "jade")
        assert title == "Three Crows."
        assert state.startswith("Result: " if position.outcome else "To move: amber, jade and violet")
        told = {name: text.removesuffix(".") for name, text in (line.split(": ") for line in said)}
        facts: dict[str, Any] = dict(position.facts())
        assert int(told["Round"]) == facts["round"]
        assert [int(nuts) for nuts in told["Nuts"].split(", ")] == facts["nuts"]
        for name in ("crows", "score"):
            pairs = (one.split(" ") for one in told[name.capitalize()].split(", "))
            assert {side: int(number) for side, number in pairs} == facts[name]


@pytest.mark.slow
def test_a_letter_shows_it_too() -> None:
    ply = next(referee.read(AUTUMN).replay())
    short = alt_text(ply.position, "jade", ply.events)
    assert short.startswith("Three Crows, as jade sees it. To move: amber, jade and violet, at the same time. ")
    assert "took a nut on tree" in short
    assert 1000 < len(letter_picture(ply.position, "jade", ply.events)) < 60_000


def test_a_tie_of_three_has_no_winner() -> None:
    *_, last = referee.read(AUTUMN).replay()
    game = GameFile("three-crows", options={"nuts": 1}, ending=referee.game.End(Termination.AGREEMENT))
    assert report_text(game, zeroth_ply(game), view="amber").endswith("result        no winner (agreement)")
    assert last.position.ended(Termination.RESIGNATION, "amber").winner is None


def test_a_page_has_a_column_for_each_move() -> None:
    html = page(referee.read(AUTUMN))
    assert "--moves: 3" in html
    assert 'class="ply together"' in html
    assert html.count("<li>") > 5


@pytest.mark.parametrize(
    ("form", "begins"), sampled([("svg", "<svg"), ("pdf", "%PDF"), ("html", "<!doctype"), ("txt", "Three")], 4)
)
def test_a_record_in_every_form(form: str, begins: str, tmp_path: Path) -> None:
    path = tmp_path / f"record.{form}"
    told("record", AUTUMN, "-o", path)
    assert path.read_bytes().lstrip().startswith(begins.encode())


def test_a_record_as_data(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    told("record", AUTUMN, "-o", path)
    assert [len(ply["moves"]) for ply in json.loads(path.read_bytes())["plies"]] == [3] * 5


@pytest.mark.slow
def test_a_board_to_print(tmp_path: Path) -> None:
    told("print", "three-crows", "-o", tmp_path / "board.pdf")
    assert (tmp_path / "board.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.slow
def test_an_archive_is_made_and_judged(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    told("generate", "three-crows", "-n", 30, "--option", "nuts=1", "-o", path)
    assert "30 games" in told("check", path)
    assert "three-crows" in told("stats", path)


def test_its_games_are_explored(tmp_path: Path) -> None:
    path = tmp_path / "openings.html"
    told("explore", AUTUMN, "--least", 1, "--depth", 2, "-o", path)
    html = path.read_text(encoding="utf-8")
    assert "To move: amber, jade and violet, at the same time." in html
    assert html.count(" | ") >= 4


@pytest.mark.data
def test_its_games_become_rows() -> None:
    frame = referee.frame(referee.read(AUTUMN))
    assert [len(sides) for sides in frame["side"]] == [3] * 5


@pytest.mark.parametrize(
    ("right", "slip", "repair"),
    [
        ("F 11 | F 2 ", "F 21 | F 2 ", "round 5: F 21 -> F 11: all 5 rounds hold"),
        ("F 10 | F 5   | F 1", "F 10 | F 1 | F 5", "round 4: F 1 and F 5 change places: all 5 rounds hold"),
        ("W    | F 6   | F 4", "W    | F 6", "round 3: add a move of violet's after F 6, such as F 4"),
        ("nuts: 1", "nuts: 2", "options: nuts: 1"),
    ],
)
def test_a_slip_is_repaired(tmp_path: Path, right: str, slip: str, repair: str) -> None:
    text = AUTUMN.read_text(encoding="utf-8")
    path = tmp_path / "slip.yaml"
    path.write_text(text.replace(right, slip), encoding="utf-8")
    assert repair in run("check", "--repair", path).output


def test_there_is_no_match_between_two_in_a_game_for_three() -> None:
    with pytest.raises(RefereeError) as caught:
        play_match(Contest("three-crows", "chance", "chance", {}), 1)
    assert caught.value.code == "no-match"
