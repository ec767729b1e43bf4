"""Moves in everyday words: the suggestion is the intended move (spoken.yaml)."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.notation.moves import notation, parse_move
from referee.notation.nearest import nearest
from referee.notation.spoken import is_spoken_move, meant, suggested
from referee.rules import GAMES, start
from tests.support.rows import each
from tests.support.strategies import games, mutated, positions
from tests.support.tables import table

TABLE = table(Path(__file__).with_name("spoken.yaml"))
SAID = [(game, entry) for game, entries in TABLE.items() for entry in entries]


@each(SAID, name=lambda row: f"{row[0]}: {row[1]['text']}", every=3)
def test_everyday_words_suggest_what_was_meant(row: tuple[str, dict[str, Any]]) -> None:
    game, entry = row
    position = start(game, **entry.get("options", {}))
    for ply in entry.get("after", []):
        due = [side for side in position.sides if side in position.to_move]
        position = position.play(
            {side: parse_move(game, text) for side, text in zip(due, ply.split("|"), strict=True)}
        )
    (side, *_) = (side for side in position.sides if side in position.to_move)
    first, *_ = (*suggested(game, entry["text"], position.legal_moves(side)), None)
    assert first == entry["first"]


@pytest.mark.parametrize("text", ["rotate b3 left", "place M1 on b3 12", "put a booster on d1"])
def test_a_whole_move_in_everyday_words_is_known_as_one(text: str) -> None:
    assert is_spoken_move("beams", text)


@pytest.mark.parametrize("text", ["P M1 B3 12", "I turn left here", "put it there", "draw", "", "foo"])
def test_an_incomplete_move_in_everyday_words_is_none(text: str) -> None:
    assert not is_spoken_move("beams", text)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_words_for_each_of_its_keywords(game: str) -> None:
    keywords = {
        str(move).split(" ")[0]
        for one in positions(game)[::8]
        for side in one.to_move
        for move in one.legal_moves(side)
    }
    assert notation(game).BEGINNINGS.keys() == keywords
    for keyword, words in notation(game).BEGINNINGS.items():
        assert meant(game, f"{words.split('|')[0]} x9") == f"{keyword} x9"


@given(st.data())
def test_notation_is_read_unchanged(data: st.DataObject) -> None:
    name = data.draw(games())
    position = data.draw(st.sampled_from([one for one in positions(name)[::15] if one.to_move]))
    legal = list(position.legal_moves(min(position.to_move)))
    text = data.draw(mutated(st.sampled_from(legal).map(str)))
    if meant(name, text) == text:
        assert suggested(name, text, legal) == nearest(text, legal)
    move = str(data.draw(st.sampled_from(legal)))
    assert meant(name, move) == move


@pytest.mark.parametrize("game", GAMES)
def test_a_long_text_costs_no_more_than_a_short_one(game: str) -> None:
    begun = time.process_time()
    for unit in ("turn left ", "mirror 3 ", "move the ", "1 to the ", " ", "counter-"):
        meant(game, unit * 100_000)
    assert time.process_time() - begun < 1
