"""Replay: plies, rounds, the sides to move, and the end of a game."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from referee import parse_move
from referee.errors import FileError, RefereeError
from referee.game import AnnotatedMove, GameFile, Round, loads, loads_moves, read
from referee.game.file.gamefile import new_game, ply_at, zeroth_ply
from referee.game.file.judge import completions, judge
from referee.rules import game_named

ONE_BY_ONE = """\
game: beams
options: {mode: synchronous, first: north}
moves: |
  P S A2 | P S A4
  P S A6
"""
AT_ONCE = """\
game: beams
moves: |
  P M1 B3 12 ! {south's} | P S A2 {north's}
  R B3 R | P S A4
"""


def test_moves_one_after_the_other_begin_with_the_first_mover() -> None:
    plies = list(loads(ONE_BY_ONE).replay())
    assert [(ply.number, ply.round, list(ply.moves)) for ply in plies] == [
        (1, 1, ["north"]),
        (2, 1, ["south"]),
        (3, 2, ["north"]),
    ]
    assert [sorted(ply.position.to_move) for ply in plies] == [["south"], ["north"], ["south"]]


def test_moves_at_once_are_one_ply_a_round() -> None:
    plies = list(loads(AT_ONCE).replay())
    assert [(ply.number, ply.round, {side: str(move) for side, move in ply.moves.items()}) for ply in plies] == [
        (1, 1, {"south": "P M1 B3 12", "north": "P S A2"}),
        (2, 2, {"south": "R B3 R", "north": "P S A4"}),
    ]
    assert plies[0].annotated["south"] == AnnotatedMove(plies[0].moves["south"], "!", ("south's",))
    assert plies[0].before == loads(AT_ONCE).start()
    assert plies[1].before == plies[0].position


def test_a_game_runs_until_it_ends() -> None:
    verdict = judge(loads(AT_ONCE))
    assert (verdict.plies, verdict.findings, verdict.outcome) == (2, (), None)


@pytest.mark.parametrize(
    ("end", "winner"),
    [
        ("{how: resignation, by: north}", "south"),
        ("{how: resignation, by: south}", "north"),
        ("{how: timeout, by: south}", "north"),
        ("{how: adjudication, by: north}", "south"),
        ("{how: adjudication}", None),
        ("{how: agreement}", None),
        ("{how: agreement, by: south}", None),
    ],
)
def test_an_end_that_the_moves_do_not_show(end: str, winner: str | None) -> None:
    game = loads(f"end: {end}\n{AT_ONCE}")
    verdict = judge(game)
    assert verdict.findings == ()
    assert verdict.outcome is not None
    assert (verdict.outcome.winner, verdict.outcome.termination) == (winner, end.strip("{}").split()[1].strip(","))
    assert dict(verdict.outcome.score) == dict(verdict.position.score)
    first, last = game.replay()
    assert (first.outcome, last.outcome) == (None, verdict.outcome)
    assert last.as_json()["to_move"] == []


def test_a_game_may_end_before_its_first_ply() -> None:
    game = loads("game: beams\nend: {how: resignation, by: south}\n")
    outcome = {"winner": "north", "how": "resignation", "score": {"south": 0, "north": 0}}
    assert dict(zeroth_ply(game).as_json()) | {"position": {}} == {
        "ply": 0, "round": 0, "moves": {}, "position": {}, "to_move": [], "outcome": outcome,
    }  # fmt: skip


COMPLETE = sorted((Path(__file__).parents[2] / "games" / "beams").glob("*.yaml"))


@pytest.mark.parametrize("path", COMPLETE, ids=lambda path: path.stem)
def test_the_end_of_every_example_is_the_end(path: Path) -> None:
    """A game that the moves end takes no move after it, and no 'end' either."""
    game = read(path)
    verdict = judge(game)
    assert verdict.findings == ()
    if verdict.position.outcome is None:
        return
    side = "south"
    more = Round((AnnotatedMove(parse_move("beams", "R B3 L")), AnnotatedMove(parse_move("beams", "R B3 L"))))
    text = path.read_text(encoding="utf-8")
    over = judge(GameFile("beams", (*game.rounds, more), options=game.options))
    assert [finding.code for finding in over.findings] == ["game-over"]
    (twice,) = judge(loads(f"end: {{how: resignation, by: {side}}}\n{text}")).findings
    assert (twice.code, twice.line) == ("end", 1)
    (after,) = judge(loads(text.rstrip() + "\n  R B3 L | R B3 L\n")).findings
    assert (after.code, after.line) == ("game-over", len(text.rstrip().split("\n")) + 1)


def test_some_example_is_complete() -> None:
    assert any(judge(read(path)).position.outcome for path in COMPLETE)


@pytest.mark.parametrize(("number", "held"), [(0, 0), (1, 1), (2, 2), (None, 2)])
def test_the_position_after_a_ply(number: int | None, held: int) -> None:
    ply = ply_at(loads(AT_ONCE), number)
    assert ply.number == held


def test_a_ply_that_is_not_there() -> None:
    with pytest.raises(RefereeError, match="no-such-ply: there is no ply 3: the game has 2"):
        ply_at(loads(AT_ONCE), 3)


def test_moves_after_the_shown_ply_are_not_judged() -> None:
    game = loads(AT_ONCE + "  P S A1 | P S A2\n", "game.yaml")
    ply = ply_at(game, 2)
    assert ply is not None
    with pytest.raises(FileError) as caught:
        ply_at(game)
    assert str(caught.value).startswith("game.yaml:5:3: unknown-cell: there is no cell A1")


def test_a_game_that_was_not_read_tells_the_round() -> None:
    move = parse_move("beams", "P S A1")
    (finding,) = judge(GameFile("beams", (Round((AnnotatedMove(move), AnnotatedMove(move))),))).findings
    assert (finding.line, finding.column, finding.code) == (1, 1, "unknown-cell")
    assert finding.message.startswith("round 1: ")


def test_a_bare_move_list_takes_its_game_and_options_from_elsewhere() -> None:
    text = "1. P S A2 | P S A4\n2. P S A6\n"
    game = loads_moves(text, GameFile("beams", options={"mode": "synchronous"}))
    assert judge(game).plies == 3
    assert game == loads(
        f"game: beams\noptions: {{mode: synchronous}}\nmoves: |\n  {text.strip().replace(chr(10), chr(10) + '  ')}\n"
    )


@pytest.mark.parametrize(
    ("text", "game", "options", "finding"),
    [
        ("P S A2 | foo\n", "beams", {}, "1:10 syntax"),
        ("\n\n P S A2 | P S A1\n", "beams", {}, "3:11 unknown-cell"),
        ("", "chess", {}, "1:1 unknown-game"),
        ("", "beams", {"rows": 3}, "1:1 option"),
    ],
)
def test_findings_in_a_bare_move_list_have_its_own_places(
    text: str, game: str, options: dict[str, Any], finding: str
) -> None:
    try:
        (one,) = judge(loads_moves(text, GameFile(game, options=options))).findings
    except FileError as error:
        (one,) = error.findings
    assert f"{one.line}:{one.column} {one.code}" == finding


@pytest.mark.parametrize(
    ("side", "prefix", "expected"),
    [
        (
            "south",
            "p m2y  b5",
            ["P M2Y B5 12", "P M2Y B5 2", "P M2Y B5 4", "P M2Y B5 6", "P M2Y B5 8", "P M2Y B5 10"],
        ),
        ("south", "P M2Y B5 1", ["P M2Y B5 12", "P M2Y B5 10"]),
        ("south", "P M2Y B5 4", ["P M2Y B5 4"]),
        ("north", "P S M1", ["P S M10", "P S M12", "P S M14"]),
    ],
)
def test_moves_that_begin_with_a_typed_text(side: str, prefix: str, expected: list[str]) -> None:
    moves = completions(loads(AT_ONCE), side, prefix)
    assert {one: [str(move) for move in legal] for one, legal in moves.items()} == {side: expected}


@pytest.mark.parametrize(
    ("prefix", "expected"),
    [
        ("c1-c2", ["M c1-c2"]),
        ("C1c2", ["M c1-c2"]),
        ("m c1 c2", ["M c1-c2"]),
        ("c1", ["M c1-c2", "M c1-b1", "M c1-d2", "M c1-b2"]),
        ("R e4", ["R e4 R"]),
        ("r e4 l", ["R e4 L"]),
    ],
)
def test_a_text_that_is_accepted_as_a_move_is_among_the_legal_ones(prefix: str, expected: list[str]) -> None:
    """The notation can do without the M, and both turns of a switch are accepted, although one is listed."""
    (moves,) = completions(loads("game: laser-chess"), "blue", prefix).values()
    assert [str(move) for move in moves] == expected


@pytest.mark.parametrize(
    ("side", "prefix", "code", "tries"),
    [
        ("south", "P M2Y B3", "no-legal-move", 3),
        ("south", "R B3", "no-legal-move", 3),
        ("south", "P M2Y B3 13", "syntax", 3),
        ("south", "M2Y B5", "syntax", 3),
        (None, "X", "syntax", 3),
        ("west", "", "unknown-side", 0),
    ],
)
def test_why_no_move_begins_like_this(side: str | None, prefix: str, code: str, tries: int) -> None:
    with pytest.raises(RefereeError) as caught:
        completions(loads(AT_ONCE), side, prefix)
    assert caught.value.code == code
    assert len(caught.value.suggestions) == tries


def test_no_move_is_left_when_the_game_is_over() -> None:
    with pytest.raises(RefereeError, match="game-over"):
        completions(loads(f"end: {{how: agreement}}\n{AT_ONCE}"))


def test_a_coin_decides_fairly_and_says_so_in_the_options() -> None:
    seen = {game_named("beams").flips({"first": "flip"})["first"] for _ in range(200)}
    assert seen == {"south", "north"}
    assert game_named("beams").flips({"first": "north"}) == {}
    assert new_game("beams", {"mode": "synchronous", "first": "north"}).options["first"] == "north"


def test_the_way_of_a_plain_file_is_short() -> None:
    """As docs/design.md draws it: the functions of `game/file` and `notation` that read it, and their files."""
    text = "game: boundary\nplayers:\n  south: {name: Ada}\nmoves: |\n  1. P a1-b2 | P f1-e2\n"
    loads(text)
    called: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        code, file = frame.f_code, frame.f_code.co_filename
        if event == "call" and ("/game/file/" in file or "/notation/" in file) and not code.co_name.startswith("<"):
            called.add((file, code.co_qualname))

    sys.setprofile(note)
    try:
        loads(text)
    finally:
        sys.setprofile(None)
    assert len(called) <= 25
    assert len({file for file, _ in called}) <= 8
