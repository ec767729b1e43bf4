"""Variations: lines beside the moves of a game, written as its moves are, judged as they are, and gone on with."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import referee
from referee.errors import RefereeError
from referee.game.continuation import MOST_NESTED
from referee.game.file.dumper import as_mapping, list_text, to_json
from referee.rules import GAMES, movers
from tests.support.command_line import referee as run
from tests.support.records import VARIED


def test_a_variation_is_played_marked_and_commented_as_a_game_is() -> None:
    game = referee.new("boundary").play("P a1-b2", "P f1-e2", "P b2-b3")
    line = game.variation(at=2).play("P f1-e1").mark("!?").comment("safer").play("P b2-b1")
    game = line.variation(at=3).comment("or").play("P b2-c2").comment("bold").whole
    assert str(game.variation(at=4).play("P e2-e1").whole) == VARIED


def test_a_file_with_variations_is_read_as_it_was_written() -> None:
    game = referee.loads(VARIED)
    assert str(game) == VARIED
    assert referee.judge(game).findings == ()
    for text in (to_json(game), list_text(as_mapping(game))):
        assert referee.loads(text) == game
    assert pickle.loads(pickle.dumps(game)) == game
    assert hash(referee.loads(VARIED)) == hash(game)
    assert referee.loads(VARIED.split("variations")[0]) != game


def test_lines_are_games_that_change_their_whole() -> None:
    game = referee.loads(VARIED)
    safer, next_one = game.lines
    assert [line.first_own_ply for line in (safer, *safer.lines, next_one)] == [2, 3, 4]
    assert [str(move) for ply in safer.plies for move in ply.moves.values()] == ["P a1-b2", "P f1-e1", "P b2-b1"]
    assert "2. P b2-b1 | P e1-e2" in str(safer.play("P e1-e2").whole)
    assert "1. ... | P f1-e1 !? {safer}\n    variations" in str(safer.undo().whole)
    assert safer.lines[0].comment("why?", 2).whole.lines[0].lines[0].rounds[1].comments == ("or", "why?")
    assert next_one.whole == game == safer.lines[0].whole


@pytest.mark.parametrize(
    ("change", "code", "line", "column"),
    [
        (("P b2-c2", "P b2-f2"), "distance", 14, 14),
        (("P b2-c2", "Q b2"), "syntax", 14, 14),
        (("1. ... | P f1-e1", "1. ... | P f1-e2 | P a1-a2"), "syntax", 9, 26),
        (("      2. P b2-b1\n", "      3. P b2-b1\n"), "round-number", 10, 7),
        (("2. ... | P e2-e1", "4. P e2-e1"), "variation", 16, 7),
        (("2. ... | P e2-e1", "... | P e2-e1"), "variation", 16, 7),
        (("2. ... | P e2-e1", "{none}"), "variation", 16, 7),
        (("2. ... | P e2-e1", "2. ... | ... | ... | ... | P e2-e1"), "syntax", 16, 34),
        (("2. ... | P e2-e1", "2P e2-e1"), "variation", 16, 7),
        (("2. ... | P e2-e1", "{a} 2. {b} ; c\n      {d} 9. P e2-e1"), "syntax", 16, 21),
        (("          {or}\n          2.", "          {or} 9."), "variation", 13, 16),
        (("          {or}\n          2.", "          {open\n          2."), "syntax", 13, 11),
        (("- moves: |\n      2.", "- move: |\n      2."), "missing-key", 15, 5),
    ],
)
def test_a_fault_has_its_place(change: tuple[str, str], code: str, line: int, column: int, tmp_path: Path) -> None:
    text = VARIED.replace(*change)
    assert text != VARIED
    file = tmp_path / "game.yaml"
    file.write_text(text)
    said = run("check", file)
    assert said.status == 1
    assert f"{file}:{line}:{column}: {code}: " in said.out


def test_variations_are_a_list() -> None:
    with pytest.raises(referee.FileError, match="variations must be a list, not the text 'none'"):
        referee.loads("{game: boundary, variations: none}")
    with pytest.raises(
        referee.FileError, match="each of variations must be a mapping of keys to values, not the text"
    ):
        referee.loads("{game: boundary, variations: [P a1-b2]}")


def test_a_comment_may_be_before_the_number_of_its_round() -> None:
    game = referee.loads(VARIED.replace("          {or}\n          2.", "          {or} {else} 2."))
    assert game.variations[0].variations[0].rounds[0].comments == ("or", "else")


def test_no_line_begins_within_a_ply() -> None:
    moves = '"1. P M1 B3 12 | P S A2"'
    game = referee.loads(f"{{game: beams, moves: {moves}, variations: [{{moves: 1. ... | P S A4}}]}}")
    with pytest.raises(referee.FileError) as error:
        _ = game.lines
    assert [(one.code, one.column) for one in error.value.findings] == [("variation", 69)]


def test_a_fault_of_a_changed_game_names_its_variation() -> None:
    game = referee.loads(VARIED)
    broken = referee.loads(str(game)).undo(2)
    assert broken.variations == game.variations[:1]
    [fault] = referee.judge(referee.loads(VARIED.replace("P e2-e1", "P f2-e1")).comment("so")).findings
    assert fault.message.startswith("variation 2. ... |: round 1: ")


def test_what_no_line_may_do_is_refused() -> None:
    game = referee.loads(VARIED)
    line = game.variation(at=3)
    refusals: list[tuple[Callable[[], object], str]] = [
        (lambda: game.variation(at=5), "no-such-ply"),
        (lambda: line.variation(at=2), "no-such-ply"),
        (lambda: line.undo(), "no-such-ply"),
        (lambda: line.mark("!", 2), "no-such-ply"),
        (lambda: line.comment("no", 1), "no-such-ply"),
        (lambda: line.play("P b2-c2").end("resignation", by="north"), "end"),
        (lambda: line.whole, "variation"),
    ]
    for refused, code in refusals:
        with pytest.raises(referee.RefereeError) as error:
            refused()
        assert error.value.code == code
    with pytest.raises(referee.FileError, match=r"no ply begins at 4\., so there is nothing to vary"):
        _ = referee.loads(VARIED.replace("2. ... | P e2-e1", "4. P e2-e1")).lines


def test_a_game_goes_on_beside_its_variations(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    file.write_text(VARIED)
    assert run("move", file, "north", "P e2-e1").status == 0
    assert file.read_text() == VARIED.replace("2. P b2-b3\n", "2. P b2-b3 | P e2-e1\n")
    assert run("edit", file, "undo").status == 0
    assert file.read_text() == VARIED
    assert run("edit", file, "undo").status == 1
    assert file.read_text() == VARIED


def test_archives_keep_variations(tmp_path: Path) -> None:
    file, archive, back = tmp_path / "game.yaml", tmp_path / "games.jsonl", tmp_path / "back.yaml"
    file.write_text(VARIED)
    assert run("convert", file, archive).status == 0
    assert run("check", archive).status == 0
    assert run("convert", archive, back).status == 0
    assert back.read_text() == VARIED
    archive.write_text(archive.read_text().replace("P b2-c2", "P b2-f2"))
    assert "distance" in run("check", archive).out


@given(data=st.data())
def test_any_tree_is_read_as_it_was_written(data: st.DataObject) -> None:
    game = referee.new(data.draw(st.sampled_from(GAMES)))
    for _ in range(data.draw(st.integers(0, 4))):
        line = game
        for _ in range(data.draw(st.integers(0, 2))):
            line = data.draw(st.sampled_from(line.lines or (line,)))
        if line is not game or data.draw(st.booleans()):
            line = line.variation(at=data.draw(st.integers(line.first_own_ply, len(line.plies) + 1)))
        for _ in range(data.draw(st.integers(1, 3))):
            moves = line.position.legal_moves
            line = line.play(*(data.draw(st.sampled_from([*moves(side)][:9])) for side in movers(line.position)))
            if data.draw(st.booleans()):
                line = line.mark("?!").comment(data.draw(st.sampled_from(["a", "b | c", "1. x"])))
        game = line.whole
    assert referee.loads(str(game)) == game
    assert referee.loads(to_json(game)) == game
    assert referee.judge(referee.loads(str(game))).findings == ()
    assert yaml.safe_load(str(game)).get("variations", []) == as_mapping(game).get("variations", [])


def test_variations_are_nested_no_deeper_than_a_file_can_hold() -> None:
    line = referee.new("boundary").play("P a1-b2")
    for _ in range(MOST_NESTED):
        line = line.variation(at=len(line.plies) + 1)
        line = line.play(next(iter(line.position.legal_moves(movers(line.position)[0]))))
    assert referee.loads(str(line.whole)) == line.whole
    with pytest.raises(RefereeError, match="up to 19 deep"):
        line.variation(at=len(line.plies) + 1)
