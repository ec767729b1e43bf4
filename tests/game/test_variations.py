"""Variations in comments: read back as they were written, and nothing else is taken for one."""

from __future__ import annotations

from dataclasses import replace

import pytest

import referee
from referee.game.variations import Variation, variations_of, with_variations

GAME = referee.loads("game: boundary\nmoves: |\n  {a plan}\n  1. P a1-a2 | P f1-f2 {hm}\n  2. P a1-b1\n")


def other(ply: int, *texts: str) -> Variation:
    sides = ("south", "north")
    plies = ({sides[(ply + place + 1) % 2]: referee.parse_move("boundary", one)} for place, one in enumerate(texts))
    return Variation(ply, tuple(plies))


def test_variations_are_read_as_they_were_written() -> None:
    wanted = (other(2, "P f1-e1", "P a1-b1"), other(4, "P a6-b6"))
    assert variations_of(GAME) == ()
    written = with_variations(GAME, wanted)
    assert variations_of(referee.loads(referee.dumps(written))) == wanted


def test_other_comments_stay() -> None:
    twice = with_variations(with_variations(GAME, [other(2, "P f1-e1")]), [])
    assert twice == GAME


def test_a_variation_between_rounds_counts_when_the_game_went_on() -> None:
    rounds = (GAME.rounds[0], GAME.rounds[1]._replace(comments=(str(other(2, "P f1-e1")),)))
    assert variations_of(replace(GAME, rounds=rounds)) == (other(2, "P f1-e1"),)


def test_the_moves_of_a_ply_are_in_the_order_of_the_sides() -> None:
    comment = "variation 1: P M1 A2 12 | P S B3; P S C4 | P S C4"
    beams = referee.loads(f"game: beams\nmoves: |\n  1. P S A2 | P S B3\n  {{{comment}}}\n")
    (found,) = variations_of(beams)
    assert [{side: str(move) for side, move in moves.items()} for moves in found.plies] == [
        {"south": "P M1 A2 12", "north": "P S B3"},
        {"south": "P S C4", "north": "P S C4"},
    ]
    assert str(found) == comment


@pytest.mark.parametrize(
    "comment",
    ["variation 9: P f1-e1", "variation 2: P f1-f9", "variation 2: hello", "variation: P f1-e1", "variation 2: ;"],
)
def test_a_comment_that_is_no_legal_variation_is_only_a_comment(comment: str) -> None:
    assert variations_of(replace(GAME, trailing_comments=(comment,))) == ()
