"""Boundary: its figures, the comparison with the naive oracle, and properties of every position."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import parse_move
from referee.rules import Position, perft, start
from referee.rules.boundary import Momentum, Move, Walk
from referee.rules.boundary.events import PyramidMoved, StoneMoved, TreeRebuilt
from referee.rules.squares import Square
from tests.oracles.boundary import OWNER, SQUARES, NaiveBoard
from tests.support.examples import examples
from tests.support.positions import boundary
from tests.support.strategies import (
    accepts,
    facts_of,
    game_numbers,
    legal,
    played,
    plies,
    position_numbers,
    positions,
)

SWAPPED = {"south": "north", "north": "south"}


@cache
def late() -> list[Position]:
    """Positions of random play with a side to move."""
    return [position for position in positions("boundary")[::3] if position.to_move]


def squares() -> st.SearchStrategy[Square]:
    """Any square that can be written down, most of them on the board."""
    on = st.builds(Square, st.integers(1, 6), st.integers(1, 6))
    return st.one_of(on, on, on, st.builds(Square, st.integers(1, 26), st.integers(0, 9)))


def moves() -> st.SearchStrategy[Move]:
    """Any move that can be written down."""
    return st.one_of(
        st.builds(Walk, squares(), squares()), st.builds(Momentum, squares(), squares(), squares(), squares())
    )


# --- Figures -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", ["south", "north"])
def test_42_first_moves_and_1820_sequences_of_two(first: str) -> None:
    position = start("boundary", options={"first": first})
    assert (perft(position, 1), perft(position, 2)) == (42, 1_820)


# --- The naive oracle --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", [10, pytest.param(1, marks=pytest.mark.slow)])
def test_legal_moves_are_the_oracles(step: int) -> None:
    for position in late()[::step]:
        naive = NaiveBoard(facts_of(position))
        for side in position.to_move:
            assert {str(move) for move in position.legal_moves(side)} == set(naive.legal(side))


def test_every_move_does_what_the_oracle_does() -> None:
    for ply in plies("boundary"):
        ((side, move),) = ply.moves.items()
        naive = NaiveBoard(facts_of(ply.before))
        assert naive.may(side, str(move))
        assert facts_of(ply.after) == naive.after(str(move))


@pytest.mark.parametrize("boards", [40, pytest.param(2000, marks=pytest.mark.slow)])
def test_a_side_without_a_move_on_a_crowded_board_has_lost_and_no_other(boards: int) -> None:
    chance, lost = random.Random(4), 0
    for _ in range(boards):
        free = chance.sample([square for square in SQUARES if square not in ("a1", "f1", "a6", "f6")], 32)
        stones = {free.pop(): chance.choice(("south", "south", "north")) for _ in range(8)}
        stacks = {free.pop(): f"{chance.choice(('green', 'blue'))} {chance.choice('LMS')}" for _ in range(18)}
        stacks |= {free.pop(): f"{chance.choice(('red', 'yellow'))} {chance.choice('LMS')}" for _ in range(2)}
        position = boundary({"stacks": stacks, "stones": stones, "first": "north"})
        stuck = next(NaiveBoard(facts_of(position)).legal("north"), None) is None
        won = {"winner": "south", "how": "no-move", "score": {"south": 1, "north": 0}}
        assert (position.outcome and position.outcome.as_json()) == (won if stuck else None)
        lost += stuck
    assert 0.05 < lost / boards < 0.95


@examples(6)
@given(st.deferred(lambda: st.sampled_from(late())), st.data())
def test_a_move_of_pieces_that_are_there_is_judged_as_by_the_oracle(position: Position, data: st.DataObject) -> None:
    (side,) = position.to_move
    facts = facts_of(position)
    stones, stacks = sorted(facts["stones"]), sorted(facts["stacks"])
    origin, target = data.draw(st.sampled_from(stacks)), data.draw(st.sampled_from(SQUARES))
    text = f"P {origin}-{target}"
    if data.draw(st.booleans()):
        text = f"S {data.draw(st.sampled_from(stones))}-{data.draw(st.sampled_from(SQUARES))} {text}"
    assert accepts(position, side, parse_move("boundary", text)) == NaiveBoard(facts).may(side, text)


@examples(6)
@given(position_numbers("boundary"), st.data())
def test_a_legal_move_with_one_square_changed_is_judged_as_by_the_oracle(number: int, data: st.DataObject) -> None:
    position = positions("boundary")[number]
    for side in position.to_move:
        text = str(data.draw(st.sampled_from(sorted(legal("boundary", number, side), key=str))))
        names = [word for words in text.split() for word in words.split("-") if len(word) == 2]
        text = text.replace(data.draw(st.sampled_from(names)), data.draw(st.sampled_from(SQUARES)), 1)
        move = parse_move("boundary", text)
        may = NaiveBoard(facts_of(position)).may(side, text)
        assert accepts(position, side, move) == may == (move in legal("boundary", number, side))


# --- Legal moves -------------------------------------------------------------------------------------------------


@examples(8)
@given(position_numbers("boundary"), st.sampled_from(["south", "north"]), moves())
def test_a_move_is_listed_if_and_only_if_it_is_accepted(number: int, side: str, move: Move) -> None:
    assert accepts(positions("boundary")[number], side, move) == (move in legal("boundary", number, side))


@examples(3)
@given(moves())
def test_every_move_is_read_as_it_was_written(move: Move) -> None:
    assert parse_move("boundary", str(move)) == move


# --- Pieces ------------------------------------------------------------------------------------------------------


def test_no_piece_is_ever_lost() -> None:
    for position in positions("boundary"):
        facts = facts_of(position)
        pyramids = [name for names in facts["stacks"].values() for name in names]
        assert sorted(pyramids) == sorted(f"{colour} {size}" for colour in OWNER for size in "LMS")
        assert Counter(facts["stones"].values()) == {"south": 2, "north": 2}
        assert not facts["stacks"].keys() & facts["stones"].keys()


def test_stacks_are_on_bases_and_bases_hold_their_owners_pieces() -> None:
    bases = {"a1": "south", "f6": "south", "f1": "north", "a6": "north"}
    for position in positions("boundary"):
        facts = facts_of(position)
        for square, names in facts["stacks"].items():
            assert len(names) == 1 or square in bases
            assert {OWNER[name.split()[0]] for name in names} <= {
                bases.get(square, "south"),
                bases.get(square, "north"),
            }
        for square, owner in facts["stones"].items():
            assert bases.get(square, owner) == owner


def test_a_position_that_was_reached_in_two_ways_is_the_same() -> None:
    texts = ("P a1-a2", "P f1-f2", "P f6-f5", "P a6-a5")
    position, other = start("boundary"), start("boundary")
    for one, two in zip(texts, (texts[2], texts[3], texts[0], texts[1]), strict=True):
        position = position.play(dict.fromkeys(position.to_move, parse_move("boundary", one)))
        other = other.play(dict.fromkeys(other.to_move, parse_move("boundary", two)))
    assert position == other
    assert position != start("boundary")


# --- Symmetries --------------------------------------------------------------------------------------------------

HALF_TURN = {"green": "blue", "blue": "green", "red": "yellow", "yellow": "red"}
MIRROR = {"green": "red", "red": "green", "blue": "yellow", "yellow": "blue"}


def on_other_square(square: str, *, turned: bool) -> str:
    """The square after a half turn, or in a mirror that swaps left and right."""
    return f"{'fedcba'['abcdef'.index(square[0])]}{7 - int(square[1]) if turned else square[1]}"


def on_other_facts(facts: dict[str, dict[str, object]], *, turned: bool) -> object:
    """The facts after a half turn, which keeps each side, or in a mirror, which swaps the sides."""
    colours, sides = (HALF_TURN, {}) if turned else (MIRROR, SWAPPED)

    def other(value: object) -> object:
        if isinstance(value, list):
            return [" ".join(colours.get(word, word) for word in name.split()) for name in value]
        return sides.get(str(value), value)

    return {
        key: {on_other_square(square, turned=turned): other(value) for square, value in board.items()}
        for key, board in facts.items()
    }


def on_other_move(move: object, *, turned: bool) -> Move:
    words = str(move).replace("-", " ").split()
    text = " ".join(on_other_square(word, turned=turned) if len(word) == 2 else word for word in words)
    found: Move = parse_move("boundary", text)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("turned", [False, True], ids=["mirror", "half turn"])
@pytest.mark.parametrize("number", game_numbers("boundary"))
def test_a_half_turn_keeps_each_side_and_a_mirror_swaps_them(number: int, turned: bool) -> None:
    options, game = played("boundary")[number]
    first = options.get("first", "south")
    other = start("boundary", options={"first": first if turned else SWAPPED[first]})
    for ply in game:
        ((side, move),) = ply.moves.items()
        there = side if turned else SWAPPED[side]
        listed = {on_other_move(one, turned=turned) for one in ply.before.legal_moves(side)}
        assert set(other.legal_moves(there)) == listed
        other = other.play({there: on_other_move(move, turned=turned)})
        assert on_other_facts(facts_of(other), turned=turned) == facts_of(ply.after)


# --- Events ------------------------------------------------------------------------------------------------------


def test_events_say_what_was_moved() -> None:
    crossed = 0
    for ply in plies("boundary"):
        ((side, move),) = ply.moves.items()
        *first, last = [
            event for event in ply.before.events(ply.moves, ply.after) if not isinstance(event, TreeRebuilt)
        ]
        assert isinstance(last, PyramidMoved)
        assert (last.origin, last.target) == (move.origin, move.target)
        assert str(last.pyramid) == facts_of(ply.before)["stacks"][str(move.origin)][-1]
        assert str(last.pyramid) == facts_of(ply.after)["stacks"][str(move.target)][-1]
        assert last.crossed == ((move.origin.rank > 3) != (move.target.rank > 3))
        crossed += last.crossed
        stone = [StoneMoved(side, move.stone, move.stone_target)] if isinstance(move, Momentum) else []
        assert first == stone
    assert crossed > len(plies("boundary")) // 36
