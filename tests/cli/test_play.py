"""`referee play`, `match`, `annotate` and `puzzles`: an engine to play with, and its eye on games."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import referee as library
from referee.desk.seals import commitment
from referee.game import GameFile
from referee.game.dumper import dumps
from referee.game.judge import judge
from tests.support.command_line import Run, referee


def play(*arguments: object, lines: str) -> Run:
    return referee("play", *arguments, stdin=lines.encode())


def test_the_engine_answers_a_move() -> None:
    run = play("laser-chess", "--against", 1, lines="r j1 l\nquit\n")
    assert run.status == 0, run.err
    assert re.search(r"^red: [MR] ", run.out, re.MULTILINE)
    assert "round 1, after ply 2" in run.out


def test_the_engine_begins_where_a_person_wants_the_second_side() -> None:
    run = play("boundary", "--against", 1, "--side", "north", lines="")
    assert re.search(r"^south: [PS] ", run.out, re.MULTILINE)
    assert "to move       north" in run.out


def test_a_sealed_move_is_opened_after_ones_own_and_is_what_was_sealed() -> None:
    run = play("beams", "--against", 1, lines="P M1 A2 12\n")
    sealed = re.search(r"north has sealed its move: ([0-9a-f]{64})", run.out)
    opened = re.search(r"north had sealed (.+), with the nonce ([0-9a-f]{64})", run.out)
    assert sealed is not None
    assert opened is not None
    assert sealed.start() < opened.start()
    assert sealed[1] == commitment("play", 1, "north", "beams 1", opened[1], bytes.fromhex(opened[2]))


def test_a_wrong_move_costs_nothing() -> None:
    run = play("laser-chess", "--against", 1, lines="r j9 l\nr j1 l\nquit\n")
    assert "unknown-square" in run.out
    assert "round 1, after ply 2" in run.out


def test_one_can_ask_and_take_back() -> None:
    said = "why\nundo\nclaim\nhint\nlegal R j\nsave\nhelp\nr j1 l\nwhy\nundo\nboard\nquit\n"
    run = play("laser-chess", "--against", 1, lines=said)
    lines = run.lines
    for line in (
        "no engine has moved yet",
        "you have made no move yet",
        "there is no repetition to claim",
        "R j1 L",
        "say where: save FILE",
        "undo         take your last move back",
    ):
        assert line in lines, line
    assert any(re.match(r"red: [MR] .* \([+-]\d+\.\d\d\)$", line) for line in lines)
    assert lines.count("Laser Chess: before the first ply") == 3


def test_a_game_is_kept_and_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    assert play("laser-chess", "--against", 2, "-o", file, lines="r j1 l\nquit\n").status == 0
    first = library.read(file)
    assert (len(first.rounds), first.players["red"].name) == (1, "engine, level 2")
    run = play(file, lines="r j1 r\nresign\n")
    assert "you have resigned" in run.lines
    kept = library.read(file)
    assert kept.rounds[0] == first.rounds[0]
    assert kept.end is not None
    assert (kept.end.how, kept.end.by) == ("resignation", "blue")
    assert not judge(kept).findings


def test_save_keeps_a_game_from_then_on(tmp_path: Path) -> None:
    file = tmp_path / "kept.yaml"
    play("boundary", "--against", 1, lines=f"save {file}\np a1-b1\nsave {file}\n")
    assert len(library.read(file).rounds[0].moves) == 2


def test_in_a_game_for_a_team_engines_play_the_others(tmp_path: Path) -> None:
    file = tmp_path / "team.yaml"
    run = play("the-beam", "--against", 1, "--side", "p3", "-o", file, lines="quit\n")
    assert run.status == 0, run.err
    game = library.read(file)
    assert sorted(game.players) == ["p1", "p2", "p4"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["laser-chess", "--side", "green"], "--side must be one of blue, red, not green"),
        (["laser-chess", "--against", "9"], "9 is not in the range 1<=x<=8"),
        (["nowhere.yaml"], "nowhere.yaml"),
    ],
)
def test_what_cannot_be_played_is_refused(arguments: list[str], said: str) -> None:
    run = play(*arguments, lines="")
    assert run.status == 2
    assert said in run.err


def test_a_match_prints_the_score_with_its_interval() -> None:
    run = referee("match", "1", "chance", "--game", "laser-chess", "-n", 2, "-j", 1, "--plies", 200)
    assert run.lines[:2] == ["2 games: 1 won 2, chance won 0, drawn 0", "share of 1: 1.000 (0.342 to 1.000)"]


def test_a_match_of_a_team_prints_points() -> None:
    run = referee("match", "1", "chance", "--game", "the-beam", "-n", 2, "-j", 1)
    assert run.lines[0].startswith("2 games; points of 1: ")


def test_an_annotated_game_has_values_and_marks_and_stays_the_same_game(tmp_path: Path) -> None:
    file = Path("games/laser-chess/curiosity.yaml")
    run = referee("annotate", file, "--level", 2)
    assert run.status == 0, run.err
    assert "{value +0.00}" in run.out
    assert "{value won}" in run.out
    noted, game = library.loads(run.out), library.read(file)
    assert [ply.moves for ply in noted.replay()] == [ply.moves for ply in game.replay()]
    again = tmp_path / "noted.yaml"
    again.write_text(run.out, encoding="utf-8")
    assert referee("annotate", again, "--level", 2).out == run.out


def test_a_record_draws_the_values_as_a_curve(tmp_path: Path) -> None:
    noted, page = tmp_path / "noted.yaml", tmp_path / "noted.html"
    assert referee("annotate", "games/laser-chess/curiosity.yaml", "--level", 1, "-o", noted).status == 0
    assert referee("record", noted, "-o", page).status == 0
    assert '<h2 id="value">Value by ply</h2>' in page.read_text(encoding="utf-8")


def test_puzzles_are_found_with_their_solutions(tmp_path: Path) -> None:
    folder, sheet = tmp_path / "puzzles", tmp_path / "sheet.pdf"
    run = referee("puzzles", "games/laser-chess", "-o", folder, "--sheet", sheet, "-j", 1)
    assert run.status == 0, run.err
    found: list[GameFile] = [library.read(one) for one in sorted(folder.glob("*.yaml"))] if folder.exists() else []
    assert run.lines[0].startswith(f"{len(found)} puzzle")
    for one in found:
        (comment,) = one.trailing_comments
        start = one.start()
        (side,) = start.to_move
        assert start.parse(side, comment.removeprefix("solution: ")) in start.legal_moves(side)
        assert library.loads(dumps(one)) == one
    assert sheet.exists() == bool(found)
