"""A game of one person against engines: the seats, and the moves that an undo takes back."""

from __future__ import annotations

import pytest

import referee
from referee.engine.practice import Practice, engines_of, moves_in
from referee.errors import RefereeError
from referee.game import new_game
from referee.rules import Termination

TEXT = """\
game: boundary
players:
  south: {name: Ada}
  north: {name: "engine, level 4"}
moves: |
  {a quiet beginning}
  1. P a1-a2 {as always} | P f1-f2
  {and then}
  2. P a2-a3 | P f2-f3
"""


def answered(practice: Practice, text: str) -> Practice:
    """The practice after a move of the person, and the engine's answer where they move in turn."""
    own = {practice.side: practice.position.parse(practice.side, text)}
    if len(practice.position.to_move) > 1:
        answers = practice.answers()
        return practice.moved({**own, **moves_in(answers)}, answers)
    practice = practice.moved(own)
    answers = practice.answers()
    return practice.moved(moves_in(answers), answers)


def test_engines_are_known_by_their_names_and_the_person_keeps_theirs() -> None:
    game = referee.loads(TEXT)
    assert engines_of(game) == {"north": 4}
    resumed = Practice.resumed(game, None, 2, "any")
    assert (resumed.game, resumed.side, resumed.level) == (game, "south", 4)


def test_a_game_of_others_goes_on_as_a_new_one() -> None:
    """The names of its players, its id and its date are dropped."""
    game = referee.loads(f"id: club-7\ndate: 2027-05-06\n{TEXT.replace('engine, level 4', 'Ben')}")
    resumed = Practice.resumed(game, "south", 2, "any")
    assert (resumed.game.id, resumed.game.date, [*resumed.game.players]) == (None, None, ["north"])
    assert engines_of(resumed.game) == {"north": 2}
    assert engines_of(Practice.resumed(game, "north", 2, "any").game) == {"south": 2}
    assert resumed.game.rounds == game.rounds


def test_engines_of_several_levels_do_not_go_on() -> None:
    """Otherwise the person would play against engines of another level than the file says."""
    players = "".join(
        f'  p{number}: {{name: "engine, level {level}"}}\n' for number, level in ((2, 8), (3, 8), (4, 1))
    )
    with pytest.raises(RefereeError, match="levels 1 and 8") as raised:
        Practice.resumed(referee.loads(f"game: the-beam\nplayers:\n{players}moves: |\n"), None, 3, "any")
    assert raised.value.code == "level"


def test_no_level_is_above_the_highest() -> None:
    assert engines_of(referee.loads(TEXT.replace("level 4", "level 9"))) == {}


def test_an_undo_takes_a_move_and_its_answer_back_and_nothing_else() -> None:
    practice = Practice(referee.loads(TEXT), "south", 1, "any").undone()
    (first,) = practice.game.rounds
    assert first.comments == ("a quiet beginning",)
    assert first.moves[0].comments == ("as always",)
    assert practice.undone().game.rounds == ()
    assert practice.undone().undone().game == practice.undone().game


def test_an_undo_leaves_no_variation_behind_its_end() -> None:
    text = "variations:\n- moves: 1. P a1-b2\n- moves: 2. P a2-b2\n- moves: 3. P a3-b3\n"
    practice = Practice(referee.loads(TEXT + text), "south", 1, "any").undone()
    assert [one.label for one in practice.game.variations] == ["1.", "2."]


def test_an_end_is_taken_back_before_any_move() -> None:
    practice = Practice(referee.loads(TEXT), "south", 1, "any")
    resigned = practice.ended(Termination.RESIGNATION)
    assert resigned.is_over
    assert resigned.undone() == practice


@pytest.mark.slow
def test_an_engine_draws_again_after_an_undo() -> None:
    practice = Practice.begun(new_game("beams", {}), "south", 1, "any")
    drawn = set()
    for _ in range(4):
        drawn.add(practice.answers()["north"].move)
        practice = answered(practice, "P M1 A2 12").undone()
        assert practice.position == practice.game.start()
    assert len(drawn) > 1


def test_reasons_are_those_of_the_remaining_moves() -> None:
    practice = Practice.begun(new_game("boundary", {}), "south", 1, "any")
    once = answered(practice, "P f6-f5")
    twice = answered(once, "P f5-f4")
    assert twice.last_reasons()["north"].move == twice.ply.moves["north"]
    back = twice.undone()
    assert back.last_reasons()["north"].move == back.ply.moves["north"] == once.ply.moves["north"]
    assert back.undone().last_reasons() == {}
