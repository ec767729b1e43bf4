"""Positions as text: every position is one line that is read back, and no text gives anything but a position."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import referee
import tests.support.examples
from referee.errors import NotationError, OptionError, RefereeError
from referee.notation.fields import LONGEST_POSITION
from referee.notation.positions import parse_position, position_text
from referee.rules import GAMES, Position, game_named, start
from tests.support.playthroughs import examples
from tests.support.rows import each
from tests.support.strategies import Options, games, mutated, played, variants
from tests.support.tables import table

every_game = pytest.mark.parametrize("name", GAMES)


class Case(NamedTuple):
    """A text that is no position, and its error: column, and sentence."""

    shows: str
    game: str
    position: str
    wrong: str
    options: Options = {}  # noqa: RUF012 - only read


def cases() -> list[Case]:
    return [Case(**one) for one in table(Path(__file__).with_name("positions.yaml"))]


def reached(name: str) -> list[tuple[Options, Position]]:
    """The starts of every variant and every position of its random games, each with its options."""
    begun = [(options, start(name, **options)) for options in variants(name)]
    return begun + [(options, ply.after) for options, plies in played(name) for ply in plies]


@cache
def texts(name: str) -> list[tuple[Options, str]]:
    """The texts of some of those positions, each with its options."""
    return [(options, str(position)) for options, position in reached(name)[::7]]


def alike(one: Position, two: Position) -> bool:
    """True if two positions are equal, and give the same answers."""
    assert one == two
    assert hash(one) == hash(two)
    assert one.facts() == two.facts()
    assert (one.to_move, one.outcome, dict(one.score)) == (two.to_move, two.outcome, dict(two.score))
    return all(one.claims(side) == two.claims(side) for side in one.sides)


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)])
@every_game
def test_every_position_is_read_back(name: str, step: int) -> None:
    for options, position in reached(name)[::step]:
        text = str(position)
        again = start(name, position=text, **options)
        assert alike(position, again)
        assert str(again) == text


@every_game
def test_a_position_that_was_read_back_has_the_same_legal_moves(name: str) -> None:
    for options, position in reached(name)[::25]:
        again = start(name, position=str(position), **options)
        for side in position.sides:
            assert list(position.legal_moves(side)) == list(again.legal_moves(side))


@every_game
def test_play_goes_on_from_the_text_as_from_the_position(name: str) -> None:
    for options, plies in played(name):
        half = len(plies) // 2
        position = start(name, position=str(plies[half].before), **options)
        for ply in plies[half:]:
            after = position.play(ply.moves)
            assert set(position.events(ply.moves, after)) == set(ply.before.events(ply.moves, ply.after))
            assert after.facts() == ply.after.facts()
            assert after.to_move == ply.after.to_move
            position = after


@pytest.mark.slow
@every_game
def test_every_position_of_the_examples_is_read_back(name: str) -> None:
    for file in examples(name):
        game = referee.read(file)
        for ply in game.replay():
            assert alike(ply.position, start(name, position=str(ply.position), options=game.options))


@every_game
def test_a_text_can_be_mailed(name: str) -> None:
    for _, position in reached(name):
        text = position_text(position)
        assert text.isascii()
        assert text.isprintable()
        assert text[0].isalpha()
        assert len(text) <= LONGEST_POSITION


@each(cases, name=lambda case: f"{case.game}: {case.shows}")
def test_a_text_that_is_no_position_is_refused(case: Case) -> None:
    with pytest.raises(NotationError) as caught:
        parse_position(case.game, case.position, case.options)
    error = caught.value
    assert error.code == "position"
    assert error.span is not None
    assert f"{error.span.column}: {error.message}" == case.wrong


@pytest.mark.parametrize("name", GAMES)
def test_each_game_has_positions_that_are_refused(name: str) -> None:
    assert any(case.game == name for case in cases())


@tests.support.examples.examples(5)
@given(st.data())
def test_no_text_makes_anything_but_a_position_or_a_refusal(data: st.DataObject) -> None:
    name = data.draw(games())
    options, text = data.draw(st.sampled_from(texts(name)))
    said = data.draw(st.just(text) | mutated(st.just(text)) | st.text(max_size=60))
    given = data.draw(st.sampled_from((options, {})))
    try:
        position = parse_position(name, said, given)
    except RefereeError:
        return
    assert alike(position, parse_position(name, str(position), given))
    assert (position.outcome is None) or not position.to_move
    for side in position.to_move:
        assert next(iter(position.legal_moves(side)), None) is not None


def mixed(name: str) -> st.SearchStrategy[tuple[Options, str]]:
    """Each field from one of two texts of a game, with the options of the first."""

    def mix(one: tuple[Options, str], two: tuple[Options, str], taken: list[bool]) -> tuple[Options, str]:
        firsts, seconds = (dict(field.split(" ", 1) for field in text.split(" | ")) for _, text in (one, two))
        names = [*firsts, *(name for name in seconds if name not in firsts)]
        picked = ((name, (seconds if swap else firsts).get(name)) for name, swap in zip(names, taken, strict=False))
        return one[0], " | ".join(f"{name} {value}" for name, value in picked if value)

    text = st.sampled_from(texts(name))
    return st.builds(mix, text, text, st.lists(st.booleans(), min_size=12, max_size=12))


@pytest.mark.slow
@tests.support.examples.examples(4)
@given(st.data(), st.integers(0, 99))
def test_a_position_that_is_accepted_can_be_played_on(data: st.DataObject, seed: int) -> None:
    name, chance = data.draw(games()), random.Random(seed)
    options, text = data.draw(mixed(name))
    try:
        position = parse_position(name, text, options)
    except RefereeError:
        return
    for _ in range(5):
        assert alike(position, parse_position(name, str(position), options))
        due = [side for side in position.sides if side in position.to_move]
        if not due:
            break
        position = position.play({side: position.any_move(side, chance.randrange) for side in due})


@example("")
@example("|")
@example("board")
@given(st.text(alphabet="board turn 15x13|/,()MSX0123456789-", max_size=80))
def test_any_text_is_refused_with_its_place(text: str) -> None:
    for name in GAMES:
        with pytest.raises(NotationError) as caught:
            parse_position(name, text)
        assert caught.value.span is not None
        assert 1 <= caught.value.span.column <= len(text) + 1


def test_a_repetition_is_counted_in_the_text() -> None:
    position = start("laser-chess")
    turns = [referee.parse_move("laser-chess", text) for text in ("R e4 R", "R e5 R")]
    texts = [str(position)]
    for _ in range(4):
        for side, move in zip(("blue", "red"), turns, strict=True):
            position = position.play({side: move})
        texts.append(str(position))
    assert [text.partition("stood ")[2][:1] for text in texts] == ["", "", "2", "2", "3"]
    again = start("laser-chess", position=texts[-1])
    assert again.claims("blue") == {"repetition"}
    assert start("laser-chess", position=texts[2]) != again


def test_a_fault_of_the_options_stays_one() -> None:
    text = str(start("beams"))
    with pytest.raises(OptionError, match="no option 'colour'"):
        start("beams", position=text, options={"colour": "blue"})
    with pytest.raises(RefereeError, match="there is no game 'chess'"):
        parse_position("chess", text)


def test_a_position_is_a_text() -> None:
    wrong: Any = 12
    with pytest.raises(TypeError, match="expected the text of a position, not 12"):
        parse_position("beams", wrong)


def test_no_option_of_a_game_takes_the_place_of_its_position() -> None:
    assert all(option.name != "position" for name in GAMES for option in game_named(name).options)
