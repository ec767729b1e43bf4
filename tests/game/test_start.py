"""Games that begin in another position: all operations on games work from there."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import referee
from referee.errors import NotationError, RefereeError
from referee.game import GameFile, Ply, Round, loads, read
from referee.game.amend.edit import add_ply
from referee.game.file.dumper import to_json
from referee.game.file.judge import completions, judge
from referee.game.file.loader import dumps
from tests.support.playthroughs import examples

every_game = pytest.mark.parametrize("name", referee.GAMES)

PUZZLE = """\
game: boundary
start: board yLMS 4 BLMS / 6 / 2 (n) (S) 2 / 2 (S) (n) 2 / 6 / GLMS 4 rLMS | turn north
moves: |
  1. P a6-a5 | P a1-a2
"""


def second_half(game: GameFile) -> tuple[GameFile, list[Ply]]:
    """A game that begins in the middle of another one, at the end of a round; and the plies from there on."""
    plies = list(game.replay())
    line = len(game.rounds) // 2
    rest = [ply for ply in plies if ply.round > line]
    rounds: tuple[Round, ...] = game.rounds[line:]
    begun = GameFile(game.game, rounds, options=game.options, start_text=str(rest[0].before), result=game.result)
    return begun, rest


@every_game
def test_the_second_half_of_a_game_is_a_game(name: str) -> None:
    for file in examples(name):
        whole = read(file)
        game, rest = second_half(whole)
        verdict = judge(replace(game, ending=whole.ending))
        if whole.ending is None or whole.ending.how != "repetition":  # positions before the start are forgotten
            assert verdict.findings == ()
        assert verdict.plies == len(rest)
        assert [ply.position.facts() for ply in game.replay()] == [ply.position.facts() for ply in rest]


@every_game
def test_a_start_is_written_and_read(name: str) -> None:
    game, _ = second_half(read(examples(name)[0]))
    assert loads(dumps(game)) == game
    assert loads(to_json(game)) == game
    assert f"\nstart: {game.start_text}\n" in dumps(game)
    assert json.loads(to_json(game))["start"] == game.start_text


def test_a_ply_is_added(tmp_path: Path) -> None:
    file = tmp_path / "puzzle.yaml"
    file.write_text(PUZZLE, encoding="utf-8")
    ply = add_ply(file, {"north": "p a5 b4"})
    assert (ply.round, ply.number) == (2, 3)
    assert file.read_text(encoding="utf-8") == PUZZLE + "  2. P a5-b4\n"


def test_legal_moves_are_those_after_the_start() -> None:
    game = loads(PUZZLE)
    assert set(completions(game)) == {"north"}
    with pytest.raises(RefereeError, match="not-your-turn"):
        completions(game, "south")


def test_a_start_that_is_no_position_is_a_notation_error() -> None:
    with pytest.raises(NotationError, match="position: "):
        GameFile("boundary", start_text="board 6 | turn south").start()


def test_a_round_begins_with_the_side_to_move() -> None:
    first, second = loads(PUZZLE).replay()
    assert ({*first.moves}, {*second.moves}) == ({"north"}, {"south"})
    assert (first.round, second.round) == (1, 1)
