"""The Beam: the comparison with the naive oracle, and properties of every position."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import parse_move
from referee.rules.frozen import Frozen
from referee.rules.the_beam import (
    Allocate,
    Move,
    Place,
    PlaceMirror,
    Slash,
    TakeMirror,
    TheBeamPosition,
    TurnMirror,
)
from referee.rules.the_beam.deal import Deal, dealt
from referee.rules.the_beam.events import BeamWalked, DiscCollected
from referee.rules.the_beam.position import opening
from tests.oracles import the_beam as naive
from tests.support.examples import examples, sampled
from tests.support.strategies import (
    accepts,
    any_move,
    facts_of,
    game_numbers,
    legal,
    played,
    position_numbers,
    positions,
)

PLAYERS = ("p1", "p2", "p3", "p4")


# --- Tasks -------------------------------------------------------------------------------------------------------


def test_all_go_on_to_the_next_task_after_each_round() -> None:
    _, plies = played("the-beam")[0]
    tasks = [ply.before.to_move for ply in plies]
    allocating = ["p2", "p1", "p4", "p3"] * 3
    mirroring = ["p3", "p2", "p1", "p4"] * 3
    assert tasks[::2] == [frozenset({player}) for player in allocating]
    assert tasks[1::2] == [frozenset({player}) for player in mirroring]


def test_a_game_has_twelve_rounds_of_two_moves() -> None:
    for _, game_played in played("the-beam"):
        assert len(game_played) == 24
        assert [facts_of(ply.before)["round"] for ply in game_played] == [n for n in range(1, 13) for _ in range(2)]
        assert [ply.after.outcome is None for ply in game_played] == [True] * 23 + [False]


# --- The naive oracle --------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("games", sampled([50, 150], 2))
def test_every_ply_of_random_games_does_what_the_oracle_does(games: int) -> None:
    ends, twice, collected = set(), 0, 0
    for number in range(games):
        position, chance = opening(dealt(f"oracle {number}")), random.Random(number)
        barriers, allocation = set(facts_of(position)["discs"]), None
        while position.to_move:
            (side,) = position.to_move
            facts = facts_of(position)
            assert {str(move) for move in position.legal_moves(side)} == naive.legal(facts, allocation)
            move = any_move(position, side, chance)
            after = position.play({side: move})
            if allocation is None:
                allocation = str(move)
                assert facts_of(after) == facts
            else:
                wanted = naive.after(facts, allocation, str(move), barriers)
                assert {key: facts_of(after)[key] for key in wanted} == wanted
                happened = position.events({side: move}, after)
                (walked,) = [event.walk for event in happened if isinstance(event, BeamWalked)]
                path, end, _ = naive.walk(int(allocation[-1]), wanted["mirrors"], barriers)
                assert ([str(square) for square in walked.path], walked.end) == (path, end)
                new = [event.colour for event in happened if isinstance(event, DiscCollected)]
                assert facts["collected"] + new == wanted["collected"]
                ends.add((end, "/" in wanted["mirrors"].values()))
                twice += len(set(path)) < len(path)
                collected += len(new)
                allocation = None
            position = after
        assert position.outcome is not None
        assert position.outcome.as_json() == {
            "winner": "team",
            "how": "score",
            "score": {"team": facts_of(position)["score"]},
        }
    assert ends == {(end, rising) for end in ("barrier", "edge") for rising in (True, False)}
    assert twice > games // 30
    assert collected > games * 2 // 3


@pytest.mark.slow
@pytest.mark.parametrize("grids", sampled([200, 4000], 2))
def test_every_walk_over_random_grids_is_the_oracles(grids: int) -> None:
    chance, turns, barred = random.Random(3), set[tuple[str, str]](), set[str]()
    grid = [f"{row},{column}" for row in range(1, 7) for column in range(1, 7)]
    for _ in range(grids):
        deal = dealt(str(chance.random()))
        row, column = chance.randint(1, 6), chance.randint(1, 6)
        position = opening(Deal(deal.discs, ((row,), (column,))))
        barriers = set(facts_of(position)["discs"])
        left = {square: colour for square, colour in position.discs.items() if chance.random() < 0.4}
        free = [square for square in grid if square not in map(str, left)]
        standing = {square: chance.choice("/\\") for square in chance.sample(free, chance.randint(0, 11))}
        mirrors = {Place(*map(int, square.split(","))): Slash(slash) for square, slash in standing.items()}
        position = TheBeamPosition(
            deal=position.deal, discs=Frozen(left), barriers=position.barriers, mirrors=Frozen(mirrors)
        ).play_unchecked({"p2": Allocate(row, column)})
        if not (moves := list(position.legal_moves("p3"))):
            continue
        move = chance.choice(moves)
        wanted = naive.after(facts_of(position), f"A M{row} B{column}", str(move), barriers)
        after = position.play({"p3": move})
        assert {key: facts_of(after)[key] for key in wanted} == wanted
        path, end, going = naive.walk(column, wanted["mirrors"], barriers)
        steps = [f"0,{column}", *path]
        ways = [way(here, there) for here, there in zip(steps, path, strict=False)]
        turns |= {(wanted["mirrors"].get(square, ""), entered) for square, entered in zip(path, ways, strict=True)}
        barred |= {going} if end == "barrier" else set()
    if grids < 2000:
        return
    assert turns == {(mirror, going) for mirror in ("", "/", "\\") for going in ("up", "right", "down", "left")}
    assert barred == {"up", "down"}


def way(here: str, there: str) -> str:
    """The way from a square to a neighbouring one."""
    (row, column), (to_row, to_column) = (map(int, square.split(",")) for square in (here, there))
    return next(name for name, step in naive.WAYS.items() if step == (to_row - row, to_column - column))


# --- Legal moves -------------------------------------------------------------------------------------------------


def squares() -> st.SearchStrategy[Place]:
    """Any square that can be written down, most of them on the grid."""
    on = st.builds(Place, st.integers(1, 6), st.integers(1, 6))
    return st.one_of(on, on, on, st.builds(Place, st.integers(0, 9), st.integers(0, 9)))


def moves() -> st.SearchStrategy[Move]:
    """Any move that can be written down."""
    return st.one_of(
        st.builds(Allocate, st.integers(0, 9), st.integers(0, 9)),
        st.builds(PlaceMirror, st.sampled_from(Slash), squares()),
        st.builds(TurnMirror, squares()),
        st.builds(TakeMirror, squares()),
    )


@examples(8)
@given(position_numbers("the-beam"), st.sampled_from(PLAYERS), moves())
def test_a_move_is_listed_if_and_only_if_it_is_accepted(number: int, side: str, move: Move) -> None:
    assert accepts(positions("the-beam")[number], side, move) == (move in legal("the-beam", number, side))


@pytest.mark.slow
def test_of_all_moves_that_can_be_written_exactly_the_listed_ones_are_accepted() -> None:
    places = [Place(row, column) for row in range(10) for column in range(10)]
    everything: list[Move] = [Allocate(one, two) for one in range(10) for two in range(10)]
    everything += [shape(square) for shape in (TurnMirror, TakeMirror) for square in places]
    everything += [PlaceMirror(slash, square) for slash in Slash for square in places]
    for number in range(0, len(positions("the-beam")), 9):
        for side in PLAYERS:
            accepted = {move for move in everything if accepts(positions("the-beam")[number], side, move)}
            assert accepted == legal("the-beam", number, side)


@examples(3)
@given(moves())
def test_every_move_is_read_as_it_was_written(move: Move) -> None:
    assert parse_move("the-beam", str(move)) == move


# --- The mirror image --------------------------------------------------------------------------------------------

OTHER = {"/": "\\", "\\": "/"}


def mirrored_move(text: str) -> str:
    if text[0] == "A":
        return f"{text[:-1]}{7 - int(text[-1])}"
    return "".join(OTHER.get(char, char) for char in text[:-1]) + str(7 - int(text[-1]))


def mirrored_facts(facts: dict[str, Any]) -> dict[str, Any]:
    """The grid in a mirror that swaps left and right; rounds and cards are left out."""
    return {
        "discs": {f"{square[:2]}{7 - int(square[2])}": colour for square, colour in facts["discs"].items()},
        "mirrors": {f"{square[:2]}{7 - int(square[2])}": OTHER[slash] for square, slash in facts["mirrors"].items()},
        "collected": facts["collected"],
        "score": facts["score"],
    }


@pytest.mark.parametrize("number", game_numbers("the-beam"))
def test_a_mirror_swaps_left_and_right_and_the_slashes(number: int) -> None:
    _, game_played = played("the-beam")[number]
    first = game_played[0].before
    assert isinstance(first, TheBeamPosition)
    discs = {colour: tuple(7 - column for column in columns) for colour, columns in first.deal.discs.items()}
    allocations = [move for ply in game_played[::2] for move in ply.moves.values()]
    decks = tuple(move.mirror for move in allocations), tuple(7 - move.beam for move in allocations)
    other = opening(Deal(discs, decks))
    for ply in game_played:
        ((side, move),) = ply.moves.items()
        if not isinstance(move, Allocate):
            listed = {mirrored_move(str(one)) for one in ply.before.legal_moves(side)}
            assert {str(one) for one in other.legal_moves(side)} == listed
        other = other.play({side: parse_move("the-beam", mirrored_move(str(move)))})
        facts = facts_of(ply.after)
        assert mirrored_facts(facts_of(other)) == {key: facts[key] for key in mirrored_facts(facts)}


# --- Score -------------------------------------------------------------------------------------------------------


def test_the_score_is_the_sum_of_what_was_collected() -> None:
    points = {"yellow": 1, "blue": 2, "green": 3, "red": 4}
    for position in positions("the-beam"):
        facts = facts_of(position)
        assert facts["score"] == sum(points[colour] for colour in facts["collected"]) <= 30
        assert dict(position.score) == {"team": facts["score"]}
        assert sorted([*facts["collected"], *facts["discs"].values()]) == sorted([*points] * 3)


@pytest.mark.parametrize("how", ["resignation", "agreement", "timeout"])
def test_a_team_that_stops_has_its_points(how: str) -> None:
    for position in positions("the-beam")[::30]:
        assert position.ended(how, "p2").as_json() == {"winner": None, "how": how, "score": dict(position.score)}
