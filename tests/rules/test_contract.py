"""The contract of every position of every game (design: "The contract"). A new game in GAMES is tested as well."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import referee
from referee import parse_move
from referee.errors import IllegalMove, NotationError, OptionError, RefereeError
from referee.rules import GAMES, Position, game_named, start
from referee.terminal import join_words
from referee.testing import contract
from tests.support.examples import examples
from tests.support.strategies import accepts, facts_of, games, legal, listed, mutated, plies, positions

every_game = pytest.mark.parametrize("name", GAMES)


CONTRACT = {name: test for name, test in vars(contract).items() if name.startswith("test_")}
LONG = {"test_a_move_is_listed_if_and_only_if_it_is_accepted", "test_each_legal_move_can_be_chosen_on_the_board"}
"""Tests that take a second or two; one game has them quickly."""


@pytest.mark.parametrize(
    ("name", "test"),
    [
        pytest.param(name, test, id=f"{name}-{title}", marks=[pytest.mark.slow] if title in LONG and number else [])
        for title, test in CONTRACT.items()
        for number, name in enumerate(sorted(GAMES, reverse=True))
    ],
)
def test_the_tests_for_games_of_other_packages_hold_for_ours(name: str, test: Callable[[str], None]) -> None:
    test(name)


# --- Legal moves -------------------------------------------------------------------------------------------------


@pytest.mark.slow
@examples(4, quick=12)
@given(st.data())
def test_a_move_of_another_position_is_listed_if_and_only_if_it_is_accepted(data: st.DataObject) -> None:
    name = data.draw(games())
    here, there = (data.draw(st.integers(0, len(positions(name)) - 1)) for _ in range(2))
    side, other = (data.draw(st.sampled_from(game_named(name).sides)) for _ in range(2))
    elsewhere = sorted(legal(name, there, other), key=str)
    if elsewhere:
        move = data.draw(st.sampled_from(elsewhere))
        assert accepts(positions(name)[here], side, move) == listed(name, here, side, move)


@examples(4)
@given(st.data())
def test_a_mutated_move_is_listed_if_and_only_if_it_is_accepted(data: st.DataObject) -> None:
    name = data.draw(games())
    here = data.draw(st.integers(0, len(positions(name)) - 1))
    side = data.draw(st.sampled_from(game_named(name).sides))
    made = [str(move) for ply in plies(name) for move in ply.moves.values()]
    try:
        move = parse_move(name, data.draw(mutated(st.sampled_from(made))))
    except NotationError:
        return
    assert accepts(positions(name)[here], side, move) == listed(name, here, side, move)


# --- Refusals of the contract itself --------------------------------------------------------------------------


def refusal(position: Position, moves: dict[str, Any]) -> tuple[str, str]:
    with pytest.raises(IllegalMove) as caught:
        position.play(moves)
    return caught.value.code, caught.value.message


@every_game
def test_a_ply_without_its_moves_is_refused(name: str) -> None:
    assert refusal(start(name), {})[0] == "missing-move"


@every_game
def test_an_unknown_side_is_the_same_error_everywhere(name: str) -> None:
    ply = plies(name)[0]
    here, move = ply.before, next(iter(ply.moves.values()))
    asked: list[Callable[[], object]] = [
        lambda: here.check("nobody", move),
        lambda: here.play({**ply.moves, "nobody": move}),
        lambda: here.parse("nobody", str(move)),
        lambda: here.legal_moves("nobody"),
        lambda: here.any_move("nobody", lambda below: 0),
        lambda: here.ended("resignation", "nobody"),
        lambda: here.text("nobody"),
        lambda: referee.svg(here, view="nobody"),
    ]
    said = f"unknown-side: there is no side 'nobody'; the sides are: {join_words(here.sides)}"
    for ask in asked:
        with pytest.raises(RefereeError) as caught:
            ask()
        assert str(caught.value) == said


@every_game
def test_a_move_is_drawn_only_for_a_side_that_is_to_move(name: str) -> None:
    ended = next((one for one in positions(name) if not one.to_move), None)
    if ended is not None:
        with pytest.raises(IllegalMove):
            ended.any_move(ended.sides[0], lambda below: 0)


def test_a_missing_move_is_named() -> None:
    move = parse_move("beams", "P M1 A2 12")
    assert refusal(start("beams"), {"south": move}) == (
        "missing-move",
        "north owes a move: these moves are made at once",
    )


def test_no_moves_are_no_ply() -> None:
    assert refusal(start("boundary"), {}) == ("missing-move", "south owes a move")


@pytest.mark.parametrize(("how", "by"), [("king", "blue"), ("trees", None), ("resignation", None), ("bored", "blue")])
def test_only_an_end_that_the_moves_leave_open_ends_a_game(how: str, by: str | None) -> None:
    with pytest.raises(ValueError, match=r"expected|valid"):
        start("laser-chess").ended(how, by)


def test_a_wrong_move_comes_before_a_missing_one() -> None:
    assert refusal(start("beams"), {"south": parse_move("beams", "P M1 A1 12")})[0] == "unknown-cell"


def test_after_the_end_every_ply_is_refused() -> None:
    over = next(position for position in positions("beams") if not position.to_move)
    assert refusal(over, {})[0] == "game-over"
    assert refusal(over, {"south": parse_move("beams", "P M1 A2 12")})[0] == "game-over"
    with pytest.raises(IllegalMove, match="game-over"):
        over.check("south", parse_move("beams", "P M1 A2 12"))


def test_the_moves_of_a_ply_are_judged_against_the_position_before_it() -> None:
    moves = {"south": parse_move("beams", "P M1 A2 12"), "north": parse_move("beams", "P M1 A14 12")}
    both = start("beams").play(moves)
    assert both == start("beams").play(dict(reversed(moves.items())))
    assert len(facts_of(both)["pieces"]) == 2


# --- Ends that the moves do not show ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "by", "winner"),
    [
        ("resignation", "south", "north"),
        ("timeout", "north", "south"),
        ("adjudication", "south", "north"),
        ("adjudication", None, None),
        ("agreement", None, None),
        ("agreement", "south", None),
        ("repetition", "south", None),
    ],
)
def test_winners_by_ends_outside_the_moves(how: str, by: str | None, winner: str | None) -> None:
    outcome = start("beams").ended(how, by)
    assert outcome.as_json() == {"winner": winner, "how": how, "score": {"south": 0, "north": 0}}


def test_nothing_can_be_claimed_in_beams() -> None:
    assert all(
        position.claims(side) == frozenset() for position in positions("beams")[:50] for side in position.sides
    )


# --- Games and options ------------------------------------------------------------------------------------------


@every_game
def test_a_game_is_described(name: str) -> None:
    described = game_named(name)
    assert described.name == name
    assert described.title
    assert described.designer
    assert described.sides == start(name).sides
    assert all(option.says for option in described.options)
    assert 1 in described.versions


@every_game
def test_the_defaults_of_all_options_can_be_said(name: str) -> None:
    said: dict[str, Any] = {
        option.name: option.default for option in game_named(name).options if option.default is not None
    }
    assert start(name, **said) == start(name)


@every_game
def test_an_option_that_no_game_has_is_refused(name: str) -> None:
    with pytest.raises(OptionError, match="no option 'colour'"):
        start(name, options={"colour": "blue"})


@every_game
def test_every_preset_starts_a_game(name: str) -> None:
    for options in game_named(name).presets.values():
        assert start(name, **dict[str, Any](options)).to_move


def test_an_unknown_game() -> None:
    with pytest.raises(RefereeError, match="there is no game 'chess'; the games are: beams") as caught:
        start("chess")
    assert caught.value.code == "unknown-game"
