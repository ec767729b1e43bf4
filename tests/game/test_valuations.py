"""Valuations of an engine are in the comments of a game, distinct from people's comments."""

from __future__ import annotations

import pytest

import referee
from referee.game.file.loader import dumps
from referee.game.valuations import (
    CERTAIN,
    kept_value,
    line_comment,
    notable,
    opinion_in,
    opinions,
    remarks,
    value_comment,
    value_in,
)

COMMENTS = (
    "a strong move",
    "value +0.40",
    "line: M f7-g7; R g8 L",
    "better: M f7-g7",
    "better: think first",
    "value",
)
TEXT = """\
game: laser-chess
moves: |
  1. R j1 L {line: M c4-d4; R h8 L} {good} {value +0.40} | M e8-e7 ?? {better: R h8 L} {value won}
"""


@pytest.mark.parametrize("value", [0, 40, -125, 99_900, CERTAIN, -CERTAIN, CERTAIN + 5])
def test_a_value_is_read_as_it_was_written(value: int) -> None:
    assert value_in(value_comment(value)) == max(-CERTAIN, min(CERTAIN, value))


@pytest.mark.parametrize(
    ("comment", "opinion"),
    [
        ("value -1.20", ("value", "-1.20")),
        ("value lost", ("value", "lost")),
        ("line: M f7-g7; R g8 L", ("line", "M f7-g7; R g8 L")),
        ("better: M f7-g7", ("better", "M f7-g7")),
        ("better: M f7-g7; and then we will see", None),
        ("better: P M1 A2 12", None),
        ("line: ", None),
        ("the value of this is +1.00", None),
        ("a better: M f7-g7", None),
    ],
)
def test_only_moves_of_the_game_are_a_line(comment: str, opinion: tuple[str, str] | None) -> None:
    assert opinion_in(comment, "laser-chess") == opinion


def test_a_line_is_written_ply_by_ply() -> None:
    moves = [referee.parse_move("laser-chess", text) for text in ("M f7-g7", "R g8 L")]
    assert line_comment(moves, better=True) == "better: M f7-g7; R g8 L"
    assert line_comment(moves[:1], better=False) == "line: M f7-g7"


def test_the_remarks_of_people_are_distinguished_from_an_engines() -> None:
    assert remarks(COMMENTS, "laser-chess") == ("a strong move", "better: think first", "value")
    assert notable(COMMENTS, "laser-chess") == ("a strong move", "better: M f7-g7", "better: think first", "value")


def test_a_ply_tells_what_an_engine_says_of_it() -> None:
    game = referee.loads(TEXT)
    first, second = game.replay()
    assert opinions(first) == [("line", "M c4-d4; R h8 L"), ("value", "+0.40")]
    assert opinions(second) == [("better", "R h8 L"), ("value", "won for blue")]
    assert (kept_value(first), kept_value(second)) == (40, CERTAIN)
    assert dumps(game) == TEXT


def test_where_moves_are_made_at_once_a_line_names_its_side() -> None:
    game = referee.loads("game: beams\nmoves: |\n  P S A2 {better: P S A4} | P S A2 {better: P S A4} {value +0.00}\n")
    assert opinions(next(game.replay())) == [
        ("better (south)", "P S A4"),
        ("better (north)", "P S A4"),
        ("value", "+0.00"),
    ]
