"""The Beam: its deals, what stays hidden, the naive oracle beside it, and what holds in every position."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import IllegalMove, OptionError
from referee.notation import parse_move
from referee.rules import game_named, start
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
    commitment,
)
from referee.rules.the_beam.deal import Deal, dealt, numbers
from referee.rules.the_beam.events import BeamWalked, CardsTurned, DiscCollected
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
    plies,
    position_numbers,
    positions,
)

DEALS: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "deals.json").read_text(encoding="utf-8"))
PLAYERS = ("p1", "p2", "p3", "p4")

every_seed = pytest.mark.parametrize("seed", DEALS)


def beam(**options: object) -> TheBeamPosition:
    position = start("the-beam", **dict[str, Any](options))
    assert isinstance(position, TheBeamPosition)
    return position


# --- Deals -------------------------------------------------------------------------------------------------------


@every_seed
def test_a_seed_deals_as_the_rules_page_says(seed: str) -> None:
    wanted = DEALS[seed]
    deal = dealt(seed)
    assert {colour: sorted(columns) for colour, columns in deal.discs.items()} == {
        colour: sorted(columns) for colour, columns in wanted["discs"].items()
    }
    assert [list(deck) for deck in deal.decks] == wanted["decks"]
    assert commitment(seed) == wanted["commitment"] == hashlib.sha256(seed.encode()).hexdigest()


@every_seed
def test_a_seeded_game_shows_its_deal_round_by_round(seed: str) -> None:
    wanted, position, chance = DEALS[seed], beam(deal={"seed": seed}), random.Random(1)
    rows = {"yellow": 3, "blue": 4, "green": 5, "red": 6}
    assert facts_of(position)["discs"] == {
        f"{rows[colour]},{column}": colour for colour in rows for column in sorted(wanted["discs"][colour])
    }
    for cards in zip(*wanted["decks"], strict=True):
        assert facts_of(position)["cards"] == list(cards)
        for _ in range(2):
            position = position.play({side: any_move(position, side, chance) for side in position.to_move})
    assert position.outcome is not None
    assert facts_of(position)["cards"] is None


def test_the_example_is_the_deal_of_seed_0() -> None:
    assert beam() == beam(deal={"seed": "seed-0"})


def test_the_first_numbers_of_a_seed_are_those_of_sha_256() -> None:
    stream = numbers("Straße №7")
    for block in range(5):
        digest = hashlib.sha256(b"Stra\xc3\x9fe \xe2\x84\x967:" + str(block).encode()).hexdigest()
        assert next(stream) == int(digest[:16], 16)


@given(st.text(min_size=1, max_size=8).filter(lambda seed: not any("\ud800" <= char <= "\udfff" for char in seed)))
def test_every_deal_is_one_of_the_game(seed: str) -> None:
    deal = dealt(seed)
    assert list(deal.discs) == ["yellow", "blue", "green", "red"]
    assert all(len(set(columns)) == 3 and set(columns) <= set(range(1, 7)) for columns in deal.discs.values())
    assert sorted(deal.decks[0] + deal.decks[1]) == sorted([*range(1, 7)] * 4)
    assert len(deal.decks[0]) == len(deal.decks[1]) == 12
    assert beam(deal={"seed": seed, **deal.as_option(), "commitment": commitment(seed)}) == beam(deal={"seed": seed})


@pytest.mark.slow
def test_seeds_deal_evenly() -> None:
    firsts = [dealt(f"evenly {number}").decks[0][0] for number in range(1200)]
    assert all(150 < firsts.count(card) < 250 for card in range(1, 7))
    discs = [column for number in range(400) for column in dealt(f"evenly {number}").discs["red"]]
    assert all(160 < discs.count(column) < 240 for column in range(1, 7))


def test_half_of_a_surrogate_pair_is_no_seed() -> None:
    with pytest.raises(OptionError, match="UTF-8"):
        start("the-beam", deal={"seed": "\ud800"})


# --- What stays hidden -------------------------------------------------------------------------------------------

SEED = "seed-1"


def seen(position: TheBeamPosition) -> str:
    """All that a position says to anybody: facts, form, moves, and why each other move is refused."""
    said = [json.dumps(facts_of(position)), repr(position), str(position), str(position.outcome), str(position.score)]
    tried = [Allocate(one, two) for one in range(8) for two in range(8)]
    squares = [Place(row, column) for row in range(8) for column in range(8)]
    everything: list[Move] = [*tried, *(shape(square) for shape in (TurnMirror, TakeMirror) for square in squares)]
    everything += [PlaceMirror(slash, square) for slash in Slash for square in squares]
    for side in (*PLAYERS, "nobody"):
        said += map(str, position.legal_moves(side))
        for move in everything:
            try:
                position.check(side, move)
            except IllegalMove as error:
                said.append(f"{side} {move}: {error!r}")
    return "\n".join(said)


@pytest.mark.parametrize("rounds", sampled([2, 1, 5, 11], 4))
def test_nothing_tells_the_cards_of_later_rounds(rounds: int) -> None:
    deal = dealt(SEED)
    first, second = deal.decks
    others = [
        (
            first[:rounds] + tuple(reversed(first[rounds:])),
            second[:rounds] + second[rounds:][1:] + second[rounds:][:1],
        ),
        (first[:rounds], second[:rounds]),
    ]
    chance = random.Random(rounds)
    position, hidden = opening(deal), [opening(Deal(deal.discs, decks)) for decks in others]
    for _ in range(2 * rounds - 1):
        said = seen(position)
        assert all(seen(other) == said for other in hidden)
        (side,) = position.to_move
        move = any_move(position, side, chance)
        after, afters = (
            position.play_unchecked({side: move}),
            [other.play_unchecked({side: move}) for other in hidden],
        )
        events = position.events({side: move}, after)
        assert all(other.events({side: move}, one) == events for other, one in zip(hidden, afters, strict=True))
        position, hidden = after, afters
    assert seen(hidden[0]) == seen(hidden[1]) == seen(position)


def test_events_turn_over_the_next_two_cards_and_no_others() -> None:
    for ply in plies("the-beam"):
        turned = [event for event in ply.before.events(ply.moves, ply.after) if isinstance(event, CardsTurned)]
        cards = facts_of(ply.after)["cards"]
        begun = cards is not None and not isinstance(next(iter(ply.moves.values())), Allocate)
        assert [[event.first, event.second] for event in turned] == ([cards] if begun else [])


def test_what_is_published_of_a_secret_deal_is_its_commitment_and_the_cards_so_far() -> None:
    secret = game_named("the-beam").secret
    assert secret is not None
    options: dict[str, Any] = dict(secret.known({}, SEED, None))
    wanted, promise = DEALS[SEED], DEALS[SEED]["commitment"]
    assert options["deal"]["decks"] == tuple(tuple(deck[:1]) for deck in wanted["decks"])
    position, chance = beam(**options), random.Random(5)
    rounds = 1
    while position.outcome is None:
        if not position.to_move:
            rounds += 1
            options = dict(secret.known(options, SEED, position))
            assert SEED not in json.dumps(options)
            assert options["deal"]["commitment"] == promise
            assert options["deal"]["decks"] == tuple(tuple(deck[:rounds]) for deck in wanted["decks"])
            position = replayed(position, options)
        (side,) = position.to_move
        position = position.play_unchecked({side: any_move(position, side, chance)})
    assert rounds == 12
    told = secret.known(options, SEED, position)
    assert told == {"deal": {"seed": SEED, "commitment": promise}}
    assert beam(**told).deal == dealt(SEED)


def replayed(position: TheBeamPosition, options: dict[str, Any]) -> TheBeamPosition:
    """The same position once more cards are known."""
    fields = {
        name: getattr(position, name) for name in ("discs", "barriers", "mirrors", "collected", "round", "walk")
    }
    return TheBeamPosition(deal=beam(**options).deal, **fields)


@pytest.mark.parametrize("wrong", ["seed-0", "seed-1 ", "SEED-1", ""])
def test_another_seed_than_was_committed_to_is_refused(wrong: str) -> None:
    secret = game_named("the-beam").secret
    assert secret is not None
    options = secret.known({}, SEED, None)
    with pytest.raises(OptionError, match="not the seed that the game's commitment was made from"):
        secret.known(options, wrong, None)


def test_a_commitment_in_capitals_is_the_same_commitment() -> None:
    secret = game_named("the-beam").secret
    assert secret is not None
    capitals = {"deal": {"commitment": commitment(SEED).upper()}}
    assert secret.known(capitals, SEED, None) == secret.known({}, SEED, None)


def test_a_secret_is_drawn_afresh_and_cannot_be_guessed() -> None:
    secret = game_named("the-beam").secret
    assert secret is not None
    drawn = {secret.draw() for _ in range(200)}
    assert len(drawn) == 200
    assert all(len(bytes.fromhex(seed)) * 8 >= 128 for seed in drawn)
    assert len({seed[place] for seed in drawn for place in range(32)}) == 16


# --- Tasks -------------------------------------------------------------------------------------------------------


def test_everybody_goes_on_to_the_next_task_after_each_round() -> None:
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
    """The way from a square to the one beside it."""
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
