"""Games are values: one goes on with them, and no change refers to the text that a game was read from."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import referee
from referee.game import GameFile, Player
from tests.support.rows import each

PLAYED = referee.new("beams", id="one").play("P M1 A2 12", "P S B1", "R A2 L", "P S D1")
BOUNDARY = referee.loads("game: boundary\nmoves: |\n  1. P a1-b2 | P f1-e2  {why} ; not\n  {last}\n", "b.yaml")


@pytest.mark.parametrize("name", referee.GAMES)
def test_a_game_that_is_played_move_by_move_is_the_one_that_is_played_at_once(name: str) -> None:
    chance, game = random.Random(name), referee.new(name, **SECRETS.get(name, {}))
    texts: list[str] = []
    for _ in range(12):
        position = game.position
        moves = [
            str(position.any_move(side, chance.randrange)) for side in position.sides if side in position.to_move
        ]
        texts += moves
        game = game.play(*moves)
    assert game.plies[-1].number == 12
    assert game == referee.new(name, **SECRETS.get(name, {})).play(*texts)
    assert game == referee.loads(str(game))
    assert referee.judge(game).findings == ()
    assert game.undo(12) == referee.new(name, **SECRETS.get(name, {}))
    assert game.undo(5).play(*[str(move) for ply in game.plies[7:] for move in ply.moves.values()]) == game


SECRETS: dict[str, dict[str, Any]] = {"the-beam": {"deal": {"seed": "any"}}}


def test_moves_can_be_values() -> None:
    start = referee.new("boundary")
    move = start.position.any_move("south", lambda _: 0)
    assert start.play(move) == start.play(str(move))


def test_a_new_game_names_every_option_and_its_players() -> None:
    game = referee.new("beams", players={"south": "Ada", "north": Player("Ben", "ben@example.org")}, columns=17)
    assert game.options["columns"] == 17
    assert game.options["mode"] == "asynchronous"
    assert [one.name for one in game.players.values()] == ["Ada", "Ben"]
    position = "board 6 / 6 / 6 / 6 / 6 / GLMS 3 rS 1 | turn north"
    assert referee.new("boundary", position=position).play("P e1-e2").plies[0].number == 1


@each(
    [
        (lambda: referee.new("beems"), "unknown-game"),
        (lambda: referee.new("beams", colums=3), "option"),  # type: ignore[call-overload]
        (lambda: referee.new("beams", players={"west": "Ada"}), "unknown-side"),
        (lambda: referee.new("boundary", position="no board"), "position"),
        (lambda: PLAYED.play("P M1 A2 12", "P S C2"), "occupied"),
        (lambda: PLAYED.play("P S C2"), "missing-move"),
        (lambda: PLAYED.play("S", "P S C2"), "syntax"),
        (lambda: PLAYED.end("agreement").play("P S C2", "P S E2"), "game-over"),
        (lambda: PLAYED.undo(3), "no-such-ply"),
        (lambda: PLAYED.undo(-1), "no-such-ply"),
        (lambda: PLAYED.end("score", "south"), "end"),
        (lambda: PLAYED.end("resignation"), "end"),
        (lambda: PLAYED.end("resignation", by="west"), "end"),
        (lambda: PLAYED.end("repetition", by="south"), "end"),
        (lambda: PLAYED.comment("two\nlines"), "comment"),
        (lambda: PLAYED.comment(""), "comment"),
        (lambda: PLAYED.comment("good", 3), "no-such-ply"),
        (lambda: PLAYED.comment("good", -1), "no-such-ply"),
        (lambda: PLAYED.mark("!", 0), "no-such-ply"),
        (lambda: PLAYED.mark("!", side="west"), "no-such-move"),
    ],
    name=lambda row: row[1],
)
def test_a_change_that_cannot_be_is_refused(row: tuple[Callable[[], GameFile], str]) -> None:
    change, code = row
    with pytest.raises(referee.RefereeError) as refused:
        change()
    assert refused.value.code == code


@each([lambda: PLAYED.end("victory", "south"), lambda: PLAYED.mark("!?!")])
def test_words_that_there_are_not_are_mistakes_of_the_program(change: Callable[[], GameFile]) -> None:
    with pytest.raises(ValueError, match=r"victory|expected a mark"):
        change()


HEADERS: list[dict[str, Any]] = [{"players": {"south": "a\nb"}}, {"id": "a\nb"}, {"event": ""}, {"date": "\u202e"}]
OTHER_TYPES: list[dict[str, Any]] = [{"players": "Ada"}, {"players": {"south": 3}}, {"options": 3}]


@each(HEADERS)
def test_a_header_that_no_file_may_have_is_refused(header: dict[str, Any]) -> None:
    with pytest.raises(referee.FileError):
        referee.new("boundary", **header)


@each(OTHER_TYPES)
def test_values_of_other_types_are_mistakes_of_the_program(wrong: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="expected a"):
        referee.new("boundary", **wrong)


def test_comments_and_marks_are_behind_their_moves() -> None:
    noted = PLAYED.comment("bold", 1).mark("!?", 1, "south").comment("begun", 0).comment("end")
    assert str(noted).partition("moves: |\n")[2] == (
        "  {begun}\n  1. P M1 A2 12 !? | P S B1 {bold}\n  2. R A2 L        | P S D1 {end}\n"
    )
    assert noted.mark("", 1, "south").mark("!").rounds[0].moves[0].mark == ""
    assert referee.loads(str(noted)) == noted


def test_a_comment_on_its_own_line_stays_before_the_next_round() -> None:
    begun = referee.new("boundary").comment("begun")
    game = begun.play("P a1-b2", "P f1-e2").comment("well")
    noted = referee.loads(f"{game}  ; so far\n")
    played = noted.play("P b2-b3")
    wanted = "  {begun}\n  1. P a1-b2 | P f1-e2 {well}\n  {so far}\n  2. P b2-b3\n"
    assert str(played).partition("moves: |\n")[2] == wanted
    assert (played.undo(), played.undo(3)) == (noted, begun.comment("so far"))


def test_in_a_game_of_turns_each_ply_has_its_place_in_the_round() -> None:
    game = referee.new("boundary").play("P a1-b2", "P f1-e2").mark("!", 1).mark("?", 2).comment("well")
    assert str(game).partition("moves: |\n")[2] == "  1. P a1-b2 ! | P f1-e2 ? {well}\n"


def test_an_end_is_the_outcome() -> None:
    ended = PLAYED.end("resignation", by="north")
    assert ended.outcome is not None
    assert (ended.outcome.winner, PLAYED.outcome) == ("south", None)
    assert ended.undo().outcome is None
    assert referee.judge(ended).findings == ()


def test_a_changed_game_belongs_to_no_text() -> None:
    for changed in (
        BOUNDARY.play("P b2-a1"),
        BOUNDARY.undo(),
        BOUNDARY.comment("x", 1),
        BOUNDARY.mark("!"),
        BOUNDARY.end("agreement"),
    ):
        assert (changed.source, changed.file) == (None, "")
        assert referee.loads(str(changed)) == changed
    assert BOUNDARY.source is not None
    assert str(referee.loads("game: boundary\nmoves: P a1-b2 ; {x}\n").comment("hey")).endswith("{{x)} {hey}\n")
    assert str(BOUNDARY.undo(2)) == "game: boundary\nmoves: |\n  {last}\n"


def test_a_wrong_game_does_not_go_on() -> None:
    wrong = referee.loads("game: boundary\nmoves: |\n  1. P a1-a4 | P f1-e2\n")
    for change in (lambda: wrong.play("P a1-b2"), wrong.undo, lambda: wrong.position, lambda: wrong.end("agreement")):
        with pytest.raises(referee.FileError):
            change()


def test_a_closing_brace_ends_no_comment_that_has_more_behind_it() -> None:
    read = referee.loads("game: boundary\nmoves: |\n  1. P a1-b2 ; a } b\n")
    assert str(read).splitlines()[-1] == "  1. P a1-b2 ; a } b"
    assert str(read.play("P f1-e2")).splitlines()[-1] == "  1. P a1-b2 {a ) b} | P f1-e2"
    assert str(read.comment("more")).splitlines()[-1] == "  1. P a1-b2 {a ) b} {more}"
    with pytest.raises(
        referee.RefereeError, match=r"comment: a comment behind a move is in braces.*: write \( and \)"
    ):
        read.comment("c } d")
    begun = read.comment("c } d", 0)
    assert str(begun).splitlines()[-2] == "  ; c } d"
    assert referee.loads(str(begun)) == begun


def test_a_game_ends_once_and_as_a_file_can_say() -> None:
    over = referee.new("boundary").end("agreement")
    with pytest.raises(referee.RefereeError, match=r"end: the game is over \(agreement\)"):
        over.end("resignation", by="south")
    with pytest.raises(referee.RefereeError, match="end: no game file can say that its game ended by abandoned"):
        referee.new("boundary").end("abandoned")
    with pytest.raises(
        ValueError, match="one of resignation, agreement, repetition, timeout, adjudication, not 'lost'"
    ):
        referee.new("boundary").end("lost")


def test_an_option_is_given_once_and_every_fault_is_told() -> None:
    begins: list[Callable[..., object]] = [referee.new, referee.start]
    for begin in begins:
        with pytest.raises(TypeError, match="columns is given twice"):
            begin("beams", options={"columns": 17}, columns=15)
        with pytest.raises(referee.OptionError) as error:
            begin("beams", options={"columns": 16, "rows": "x", "color": 1})
        assert sorted(name for name, _ in error.value.faults) == ["color", "columns", "rows"]
