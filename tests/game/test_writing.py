"""A written game is the same game when it is read again, in the layout of the format."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import FileError
from referee.game import GameFile, loads
from referee.game.file.dumper import to_json
from referee.game.file.loader import dumps
from tests.support.examples import examples
from tests.support.game_files import ANY_TEXT, game_files

Place = Callable[[str], dict[str, Any]]

CANONICAL = """\
game: beams
rules: 1
id: spring-b3-7
date: 2027-03-01
event: Spring cup
players:
  south: {name: Ada Lovelace, email: ada@example.org}
  north: {name: "no"}
options: {mode: synchronous, columns: 15}
end: {how: resignation, by: north}
result: {south: 7, north: 5}
moves: |
  {before}
  1. P M2Y B3 10 | P M1 A2 12 {a strong} {opening}
  2. R B3 L ?!   | P S C4 !? ; a brace } here
  3. P S C2 {commented} | P S C6
  ; a brace } there
  4. P S C8
  {the end}
"""


@pytest.mark.slow
@given(game_files())
@examples(3, quick=8)
def test_a_game_written_is_the_same_game_when_it_is_read(game: GameFile) -> None:
    assert loads(dumps(game)) == game
    assert loads(to_json(game)) == game


@given(game_files())
def test_written_files_mean_the_same_to_other_programs(game: GameFile) -> None:
    class Dates(yaml.SafeLoader):
        """A reader of YAML that leaves dates as they are written, as nearly all others do."""

    Dates.add_constructor("tag:yaml.org,2002:timestamp", lambda loader, node: node.value)
    assert yaml.load(dumps(game), Dates) == json.loads(to_json(game))


@given(game_files())
def test_writing_what_was_read_changes_nothing(game: GameFile) -> None:
    for write in (dumps, to_json):
        text = write(game)
        assert write(loads(text)) == text


@pytest.mark.parametrize(
    "place",
    [
        lambda text: {"id": text},
        lambda text: {"date": text},
        lambda text: {"players": {"south": {"name": text}}},
        lambda text: {"players": {"north": {"name": "x", "email": text}}},
        lambda text: {"end": {"how": "timeout", "by": text}},
        lambda text: {"moves": f"; {text}"},
        lambda text: {"moves": f"P S A2 {{{text}}} | P S A2 ; {text}"},
        lambda text: {"moves": text},
        lambda text: {"options": {"pieces": text}},
        lambda text: {"options": {text: text}},
        lambda text: {text: text},
    ],
)
@given(text=ANY_TEXT | st.text(st.characters(codec=None), max_size=5))
@examples(1.2, quick=2)
def test_games_that_cannot_be_written_are_refused_and_never_changed(place: Place, text: str) -> None:
    data = {"game": "beams", **place(text)}
    for ascii_only in (True, False):
        try:
            game = loads(json.dumps(data, ensure_ascii=ascii_only))
        except FileError:
            continue
        assert loads(dumps(game)) == game
        assert loads(to_json(game)) == game
        for key in ("id", "date", "players", "options"):
            assert json.loads(to_json(game)).get(key, {}) == data.get(key, {})


def test_the_canonical_file() -> None:
    game = loads(CANONICAL)
    assert dumps(game) == CANONICAL
    assert dumps(loads(to_json(game))) == CANONICAL


def test_json_is_one_line_with_the_keys_in_order() -> None:
    assert to_json(loads("moves: P S A2 | P S A2\nid: \u00e9\ngame: beams\n")) == (
        '{"game": "beams", "id": "\u00e9", "moves": "1. P S A2 | P S A2\\n"}'
    )


def test_moves_are_written_canonical() -> None:
    game = loads("game: beams\nmoves: |\n  p  m2y b3 10:00|r A2 l\n")
    assert dumps(game).endswith("  1. P M2Y B3 10 | R A2 L\n")


@pytest.mark.parametrize("text", ["game: beams\n", "game: beams\nmoves: ''\n", "game: beams\nmoves: |\n"])
def test_a_game_without_moves(text: str) -> None:
    assert dumps(loads(text)) == "game: beams\nmoves: |\n"


def test_a_value_that_is_no_game_is_reported() -> None:
    with pytest.raises(TypeError, match=r"expected a game file.*, not 3"):
        dumps(3)  # type: ignore[arg-type] # on purpose


@pytest.mark.parametrize("text", ["game: beams\n", '{"game": "beams"}'])
def test_a_byte_order_mark_before_a_text_is_no_part_of_it(text: str) -> None:
    assert loads(f"\ufeff{text}") == loads(text)


@pytest.mark.parametrize(
    "wrong", [{"players": {"south": "Ada"}}, {"rounds": (1,)}, {"ending": 3}, {"result": "x"}, {"variations": ("x",)}]
)
def test_a_value_of_a_wrong_type_in_a_game_is_reported(wrong: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="the game holds a value of a wrong type: "):
        dumps(replace(GameFile("beams"), **wrong))
