"""The Beam: the deal of a seed, and its hidden parts."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import IllegalMove, OptionError
from referee.rules import game_named, start
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
from referee.rules.the_beam import deal as deal_module
from referee.rules.the_beam.deal import Deal, dealt, numbers
from referee.rules.the_beam.events import CardsTurned
from referee.rules.the_beam.position import opening
from tests.support.examples import sampled
from tests.support.strategies import (
    any_move,
    facts_of,
    plies,
)

DEALS: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "deals.json").read_text(encoding="utf-8"))


every_seed = pytest.mark.parametrize("seed", DEALS)


def beam(**options: object) -> TheBeamPosition:
    position = start("the-beam", **dict[str, Any](options))
    assert isinstance(position, TheBeamPosition)
    return position


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


def drawn_number_by_number(seed: str) -> Deal:
    """The deal of a seed, for which a number that is fair for no place is drawn again."""
    stream = numbers(seed)

    def shuffled(cards: list[int]) -> list[int]:
        for last in range(len(cards) - 1, 0, -1):
            places = last + 1
            chosen = next(number for number in stream if number < 2**64 // places * places) % places
            cards[last], cards[chosen] = cards[chosen], cards[last]
        return cards

    discs = {colour: tuple(sorted(shuffled([*range(1, 7)])[:3])) for colour in ("yellow", "blue", "green", "red")}
    cards = tuple(shuffled([column for column in range(1, 7) for _ in range(4)]))
    return Deal(discs, (cards[:12], cards[12:]))


@pytest.mark.parametrize("unfair", [(), (b":0",), (b":7", b":8"), (b":42",)], ids=str)
def test_a_deal_drawn_at_once_is_the_one_drawn_number_by_number(
    unfair: tuple[bytes, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def sha256(text: bytes) -> Any:  # noqa: ANN401 - as `hashlib.sha256`
        return SimpleNamespace(digest=lambda: b"\xff" * 32) if text.endswith(unfair) else hashlib.sha256(text)

    monkeypatch.setattr(deal_module, "hashlib", SimpleNamespace(sha256=sha256))
    seeds = [f"both ways {number}" for number in range(50)]
    assert [dealt.__wrapped__(seed) for seed in seeds] == [drawn_number_by_number(seed) for seed in seeds]


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


SEED = "seed-1"


def seen(position: TheBeamPosition) -> str:
    """All public information of a position: facts, form, moves, and the refusals of all other moves."""
    said = [json.dumps(facts_of(position)), repr(position), str(position), str(position.outcome), str(position.score)]
    tried = [Allocate(one, two) for one in range(8) for two in range(8)]
    squares = [Place(row, column) for row in range(8) for column in range(8)]
    everything: list[Move] = [*tried, *(shape(square) for shape in (TurnMirror, TakeMirror) for square in squares)]
    everything += [PlaceMirror(slash, square) for slash in Slash for square in squares]
    for side in position.sides:
        said += map(str, position.legal_moves(side))
        for move in everything:
            try:
                position.check(side, move)
            except IllegalMove as error:
                said.append(f"{side} {move}: {error!r}")
    return "\n".join(said)


@pytest.mark.slow
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


def test_a_secret_deal_is_published_as_its_commitment_and_the_cards_so_far() -> None:
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
