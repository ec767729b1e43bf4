"""Properties of beams in every position that play can reach."""

from __future__ import annotations

import functools
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import parse_move
from referee.rules import Event, Position, start
from referee.rules.beams import Cell, Clock, Move, PieceType, Place, PlacedPiece, Rotate, Turn
from referee.rules.beams.board import Exit
from referee.rules.beams.events import BeamGained, BeamLost, Placed, PowerChanged, Rotated, ScoreChanged
from tests.support.examples import examples, sampled
from tests.support.strategies import (
    Options,
    accepts,
    facts_of,
    legal,
    played,
    plies,
    position_numbers,
    positions,
    variants,
)

PIECES = [piece for piece in PieceType if piece is not PieceType.S]
SWAPPED = {"south": "north", "north": "south"}


def cells() -> st.SearchStrategy[Cell]:
    """Any cell that can be written down, most of them on or near a board."""
    near = st.builds(Cell, st.integers(1, 17), st.integers(0, 17))
    return st.one_of(near, st.builds(Cell, st.integers(1, 26), st.integers(0, 99)))


def moves() -> st.SearchStrategy[Move]:
    """Any move that can be written down."""
    return st.one_of(
        st.builds(Place, st.sampled_from(PIECES), cells(), st.sampled_from(Clock)),
        st.builds(Place, st.just(PieceType.S), cells()),
        st.builds(Rotate, cells(), st.sampled_from(Turn)),
    )


# --- Legal moves -------------------------------------------------------------------------------------------------


@pytest.mark.slow
@examples(10, quick=60)
@given(position_numbers("beams"), st.sampled_from(["south", "north"]), moves())
def test_a_move_is_listed_if_and_only_if_it_is_accepted(number: int, side: str, move: Move) -> None:
    assert accepts(positions("beams")[number], side, move) == (move in legal("beams", number, side))


@pytest.mark.parametrize("step", [240, pytest.param(60, marks=pytest.mark.slow)])
def test_of_all_moves_on_and_around_the_board_exactly_the_listed_ones_are_accepted(step: int) -> None:
    around = [Cell(row, column) for row in range(1, 18) for column in range(17)]
    everything: list[Move] = [Place(piece, cell, clock) for piece in PIECES for cell in around for clock in Clock]
    everything += [Place(PieceType.S, cell) for cell in around]
    everything += [Rotate(cell, turn) for cell in around for turn in Turn]
    for position in positions("beams")[::step]:
        for side in position.sides:
            listed = {move for move in position.legal_moves(side) if move.cell in around}
            assert {move for move in everything if accepts(position, side, move)} == listed


@pytest.mark.parametrize(
    ("options", "cells_a_territory", "oriented"),
    [
        ({}, 97, 8),
        ({"pieces": "beginner"}, 97, 6),
        ({"mode": "synchronous", "first": "north"}, 97, 8),
        ({"columns": 7, "rows": 16}, 56, 8),
        ({"columns": 51, "rows": 26}, 663, 8),
    ],
)
def test_first_moves_are_counted(options: dict[str, Any], cells_a_territory: int, oriented: int) -> None:
    position = start("beams", **options)
    for side in position.to_move:
        assert sum(1 for _ in position.legal_moves(side)) == cells_a_territory * (oriented * 6 + 1)


def test_the_standard_board_has_4753_first_moves() -> None:
    assert sum(1 for _ in start("beams").legal_moves("south")) == 4753


def test_second_moves_are_counted() -> None:
    placed = {"south": Place(PieceType.M1, Cell(7, 8), Clock.TWELVE), "north": Place(PieceType.S, Cell(1, 2))}
    position = start("beams").play(placed)
    # South: a generator blocks its own cell and six around; north: a booster blocks its own and cannot be turned.
    assert sum(1 for _ in position.legal_moves("south")) == 4 * 6 * (97 - 7) + 4 * 6 * 96 + 96 + 2
    assert sum(1 for _ in position.legal_moves("north")) == 8 * 6 * 96 + 96


def test_a_side_with_pieces_in_hand_always_has_a_placement() -> None:
    for position in positions("beams"):
        for side in position.to_move:
            placeable = any(isinstance(move, Place) for move in position.legal_moves(side))
            assert placeable == any(facts_of(position)["hands"][side].values())


# --- Beams -------------------------------------------------------------------------------------------------------


def test_every_beam_ends_with_power_over_a_boundary_or_without_on_the_board() -> None:
    for position in positions("beams"):
        for beam in facts_of(position)["beams"]:
            assert (beam["exit"] is None) == (beam["power"] == 0)
            assert 0 <= beam["power"] <= 4


def test_there_are_as_many_beams_as_generators_have_components() -> None:
    components = {"M1": 1, "M2V": 2, "M2Y": 2, "M3": 3}
    for position in positions("beams"):
        facts = facts_of(position)
        assert len(facts["beams"]) == sum(components.get(piece["piece"], 0) for piece in facts["pieces"])


def test_the_score_is_the_sum_of_the_counters_on_the_opponents_boundary() -> None:
    for position in positions("beams"):
        facts = facts_of(position)
        assert facts["score"] == {side: sum(facts["counters"][SWAPPED[side]].values()) for side in SWAPPED}
        assert sum(facts["score"].values()) == sum(beam["exit"] is not None for beam in facts["beams"])


def test_pieces_on_the_board_and_in_the_hands_make_up_the_set() -> None:
    for options, game in played("beams"):
        full = facts_of(start("beams", **options))["hands"]
        for ply in game:
            facts = facts_of(ply.after)
            for side in SWAPPED:
                placed = Counter(piece["piece"] for piece in facts["pieces"] if piece["side"] == side)
                held = Counter(facts["hands"][side])
                assert placed + held == Counter({piece: n for piece, n in full[side].items() if n})


# --- The half turn -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", sampled(variants("beams"), 3), ids=str)
def test_a_half_turn_of_all_moves_turns_everything(options: Options) -> None:
    turned_options = {name: SWAPPED.get(value, value) for name, value in options.items()}
    if options.get("mode") == "synchronous":
        turned_options["first"] = SWAPPED[options.get("first", "south")]
    for game in (game for chosen, game in played("beams") if chosen == options):
        turned = start("beams", options=turned_options)
        for ply in game:
            turned = turned.play({SWAPPED[side]: move for side, move in ply.moves.items()})
            assert turned.to_move == {SWAPPED[side] for side in ply.after.to_move}
            assert _normal(_half_turn(facts_of(turned))) == _normal(facts_of(ply.after))


def _half_turn(facts: object) -> object:
    if isinstance(facts, dict):
        return {SWAPPED.get(key, key): _half_turn(value) for key, value in facts.items()}
    if isinstance(facts, list):
        return [_half_turn(one) for one in facts]
    return SWAPPED.get(facts, facts) if isinstance(facts, str) else facts


def _normal(facts: object) -> dict[str, object]:
    assert isinstance(facts, dict)
    return {key: sorted(value, key=str) if isinstance(value, list) else value for key, value in facts.items()}


# --- Events --------------------------------------------------------------------------------------------------------


def test_beams_gained_and_lost_are_the_difference_between_the_counters() -> None:
    for ply in plies("beams"):
        before, after = (_exits(position) for position in (ply.before, ply.after))
        happened = ply.before.events(ply.moves, ply.after)
        for event in happened:
            if isinstance(event, BeamGained):
                before[event.exit] += 1
            elif isinstance(event, BeamLost):
                before[event.exit] -= 1
        assert +before == after


def _exits(position: Position) -> Counter[tuple[str, int]]:
    rows = facts_of(position)["counters"].items()
    return Counter({(side, int(column)): n for side, row in rows for column, n in row.items()})


def test_the_score_changes_by_what_the_events_say() -> None:
    for ply in plies("beams"):
        happened = ply.before.events(ply.moves, ply.after)
        said = {event.side: (event.before, event.after) for event in happened if isinstance(event, ScoreChanged)}
        changed = {
            side: (points, ply.after.score[side])
            for side, points in ply.before.score.items()
            if points != ply.after.score[side]
        }
        assert said == changed


def happens(*rounds: dict[str, str]) -> list[Event]:
    """The events of the last of these plies."""
    read = [{side: parse_move("beams", text) for side, text in one.items()} for one in rounds]
    position = functools.reduce(lambda position, moves: position.play(moves), read[:-1], start("beams"))
    return list(position.events(read[-1], position.play(read[-1])))


def test_a_placed_generator_gains_a_beam_and_a_point() -> None:
    placed, booster, gained, scored = happens({"south": "P M1 B3 12", "north": "P S A2"})
    assert isinstance(placed, Placed)
    assert (placed.side, placed.cell, placed.stone) == ("south", (2, 3), (PieceType.M1, Clock.TWELVE))
    assert isinstance(booster, Placed)
    assert (booster.side, booster.stone.piece) == ("north", PieceType.S)
    assert isinstance(gained, BeamGained)
    assert gained.exit == ("north", 13)
    assert scored == ScoreChanged("south", 0, 1)


def test_a_rotation_loses_a_beam_and_gains_another() -> None:
    rotated, _, lost, gained = happens(
        {"south": "P M1 B3 12", "north": "P S A2"}, {"south": "R B3 L", "north": "P S A4"}
    )
    assert isinstance(rotated, Rotated)
    assert rotated.stone.clock is Clock.TEN
    assert isinstance(lost, BeamLost)
    assert (lost.clock, lost.exit) == (Clock.TWELVE, ("north", 13))
    assert isinstance(gained, BeamGained)
    assert (gained.beam.clock, gained.exit) == (Clock.TEN, ("north", 3))


def test_a_booster_changes_the_power_of_what_stood_there() -> None:
    events = happens({"south": "P M1 B3 12", "north": "P S A2"}, {"south": "P S C2", "north": "P S A4"})
    changed = PowerChanged("south", Cell(2, 3), PlacedPiece(PieceType.M1, Clock.TWELVE), 2)
    assert [event for event in events if not isinstance(event, Placed)] == [changed]


def test_a_barrier_takes_a_beam_and_its_point() -> None:
    *_, lost, scored = happens(
        {"south": "P M1 C2 12", "north": "P S A2"}, {"south": "P S M2", "north": "P R1 A14 12"}
    )
    assert lost == BeamLost("south", Cell(3, 2), Clock.TWELVE, Exit("north", 14))
    assert scored == ScoreChanged("south", 1, 0)
