"""Positions in words: nothing is left out, every line is a sentence, and the short form stays short."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import referee
from referee.draw import drawing
from referee.draw.words import ALT_LENGTH, alt_text, words
from referee.errors import RefereeError
from referee.rules import Position
from tests.oracles.spoken import facts_of_words
from tests.support.playthroughs import examples
from tests.support.positions import the_beam
from tests.support.strategies import facts_of, plies, random_play

QUICK = 25
"""Positions of each game that are read back by the quick tests."""


def comparable(facts: dict[str, Any]) -> dict[str, Any]:
    """Facts without differences in order, and without empty ones."""
    if "pieces" not in facts:
        return facts
    hands = {side: {piece: n for piece, n in hand.items() if n} for side, hand in facts["hands"].items()}
    lists = {key: sorted(facts[key], key=repr) for key in ("pieces", "beams")}
    return {**facts, **lists, "hands": hands}


def assert_told(position: Position) -> None:
    """Check that the words for every side contain the facts, in ASCII."""
    wanted = comparable(facts_of(position))
    for view in position.sides:
        lines = words(position, view)
        assert comparable(facts_of_words(position.game, lines)) == wanted
        assert all(line.isascii() and line.isprintable() for line in lines)


@pytest.mark.parametrize("game", referee.GAMES)
def test_words_say_all_facts(game: str) -> None:
    found = [referee.start(game), *(ply.after for ply in plies(game))]
    for position in found[:: max(1, len(found) // QUICK)]:
        assert_told(position)


def many(game: str) -> Iterator[Position]:
    """Every position of every example, and of random games on the largest boards."""
    for file in examples(game):
        yield from (ply.position for ply in referee.read(file).replay())
    yield from (ply.after for ply in plies(game))
    if game == "beams":
        for size in ({"columns": 51, "rows": 26}, {"columns": 7, "rows": 26}):
            yield from (ply.after for ply in random_play(game, 7, size, 60))


@pytest.mark.slow
@pytest.mark.parametrize("game", referee.GAMES)
def test_words_say_all_facts_of_many_positions(game: str) -> None:
    for position in many(game):
        assert_told(position)


@pytest.mark.parametrize("game", referee.GAMES)
def test_the_pieces_of_the_viewer_come_first(game: str) -> None:
    first, second, *_ = referee.start(game).sides
    here, there = (words(referee.start(game), side) for side in (first, second))
    assert sorted(here) == sorted(there)
    assert (here == there) == (game == "the-beam")
    assert words(referee.start(game)) == here


@pytest.mark.parametrize("game", referee.GAMES)
def test_a_short_form_is_short_and_says_whose_turn_it_is(game: str) -> None:
    for ply in [*referee.read(examples(game)[0]).replay()][::3]:
        for view in ply.position.sides:
            text = alt_text(ply.position, view, ply.events, outcome=ply.outcome)
            assert len(text) <= ALT_LENGTH
            assert f", as {view} sees it. {'Result' if ply.outcome else 'To move'}: " in text
            assert drawing(game).sentence(ply.events[0])[:60] in text


def test_hidden_information_is_not_in_the_words() -> None:
    known = the_beam({"decks": [[2], [4]]})
    more = the_beam({"decks": [[2, 6], [4, 1]]})
    assert words(known) == words(more)
    assert alt_text(known) == alt_text(more)


def test_an_end_that_the_moves_do_not_show_is_in_the_words() -> None:
    position = referee.start("laser-chess")
    ended = position.ended("resignation", "red")
    assert words(position, outcome=ended)[1:3] == ("Result: blue wins (resignation).", "Score: blue 1, red 0.")
    assert "To move" not in alt_text(position, outcome=ended)


def test_there_is_no_view_of_a_stranger() -> None:
    for told in (words, alt_text):
        with pytest.raises(RefereeError, match="unknown-side: there is no side 'east'"):
            told(referee.start("beams"), "east")
