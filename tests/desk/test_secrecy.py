"""Random requests in random order: nothing is done twice, and nothing is revealed before its time."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.desk import Answer, Key
from referee.desk.log import acts
from referee.desk.log.secrets import sealed_name
from tests.support.desks import (
    BEGIN,
    KEY,
    NONCE,
    Desk,
    Request,
    carry_out,
    holds,
    offer,
    request,
    reveal,
    sides,
    submit,
)
from tests.support.examples import examples
from tests.support.strategies import any_move

SEEDS = st.integers(0, 10**6)
TERMS: tuple[dict[str, Any] | None, ...] = (
    None,
    {"days": 2, "bank": 10, "vacation": 20},
    {"days": 1, "timeout": "loss", "reminders": [6]},
    {"days": 3, "timeout": "loss", "zone": "Europe/Vienna", "increment": 4, "vacation": 5},
)


def some_request(desk: Desk, chance: random.Random) -> Request:
    """A request that a player may make now, sensible or not; moves are the likeliest."""
    state = desk.state
    side = chance.choice(state.position.sides)
    ply = chance.choice((None, state.ply, state.ply, state.ply, max(1, state.ply - 1)))
    owed = sorted(state.position.to_move)
    mover = chance.choice(owed) if owed and chance.random() < 0.9 else side
    move = str(any_move(state.position, mover, chance)) if mover in owed else "P M1 A2 12"
    words = ("offer", "accept", "decline", "claim", "message Hello", "vacation 2027-03-04 2027-03-06", "resign")
    roll = chance.random()
    if roll < 0.5:
        return submit(mover, move, ply)
    if roll < 0.62:
        return request(desk, mover, f"seal {move}", ply)
    if roll < 0.85 and state.revealing:
        sealer = chance.choice(sorted(state.owing))
        right = desk.promised.get(state.seals[sealer].commitment, move)
        return reveal(sealer, right, chance.choice((NONCE,) * 9 + (bytes(32),)).hex(), ply)
    if roll < 0.95:
        return request(desk, side, chance.choices(words, weights=(4, 2, 4, 4, 4, 2, 0.3))[0], ply)
    orders = ("tick", "tick", "pause now", "resume", "extend 5", "replace south Grace")
    return request(desk, "host", chance.choice(orders))


def text_of(answer: Answer) -> str:
    return json.dumps([*answer.data.items(), answer.message, answer.suggestions])


def unseen(desk: Desk, side: str, answers: list[tuple[str, Answer]]) -> None:
    """Check that no nonce is revealed, and no sealed move to another side."""
    state = desk.state
    kept = desk.secrets.get(sealed_name(state.ply, side))
    if state.closed or kept is None:
        return
    move, nonce = kept.rsplit(" ", 1)
    seen = desk.seen()
    assert nonce not in seen
    assert f'"{move}"' not in seen
    told = [answer for who, answer in answers if who != side]
    assert all(nonce not in answer_text and f'"{move}"' not in answer_text for answer_text in map(text_of, told))


@pytest.mark.slow
@given(SEEDS, st.sampled_from(TERMS), st.sampled_from(("beams",) * 3 + ("laser-chess", "boundary", "the-beam")))
@examples(0.6, quick=2)
def test_any_requests_in_any_order(seed: int, terms: dict[str, Any] | None, game: str) -> None:
    chance = random.Random(seed)
    desk = Desk(game, clock=terms)
    asks: list[Request] = []
    for _ in range(60):
        # A letter now and then comes twice, or late.
        one = chance.choice(asks) if asks and chance.random() < 0.25 else some_request(desk, chance)
        asks.append(one)
        before = desk.state
        side = one[0].side if isinstance(one, tuple) else "host"
        (answer,) = desk.ask(one, after=chance.choice((0, 0, 1, 5, 20)))
        if answer.refused and not desk.kinds[before.number + 1 :]:
            assert desk.state == before
        for other in sides(game):
            unseen(desk, other, [(side, answer)])
    holds(desk)
    made = [entry.event.ply for entry in desk.entries if entry.as_json()["kind"] == "played"]  # type: ignore[union-attr]
    assert made == [*range(1, len(made) + 1)]
    assert len(desk.state.plies) == len(made)


@given(SEEDS)
@examples(0.25, quick=2)
def test_duplicates_and_disorder_lead_to_the_same_game(seed: int) -> None:
    chance = random.Random(seed)
    plain, shuffled = Desk(), Desk()
    for _ in range(8):
        asks = [
            submit(side, str(any_move(plain.state.position, side, chance)), plain.state.ply)
            for side in sides("beams")
        ]
        plain.ask(*asks)
        late = [one for one in asks * 3 if chance.random() < 0.8] + asks
        chance.shuffle(late)
        for one in late:
            (answer,) = shuffled.ask(one)
            assert answer.code == "moved"
    assert plain.state.plies == shuffled.state.plies
    assert plain.state.position == shuffled.state.position
    holds(shuffled)


@given(SEEDS)
@examples(0.15, quick=1)
def test_the_same_letters_give_the_same_log(seed: int) -> None:
    def head() -> str:
        chance = random.Random(seed)
        desk = Desk("the-beam", clock={"days": 3}, secret="seed-9") if seed % 2 else Desk(clock={"days": 3})
        for _ in range(30):
            desk.ask(some_request(desk, chance), after=chance.choice((0, 1, 5)))
        return desk.state.head

    assert head() == head()


def test_another_key_draws_another_nonce() -> None:
    desk = Desk()
    one = carry_out(desk.state, [submit("south", "P M1 A2 12")], BEGIN, {}, KEY.draw)
    two = carry_out(desk.state, [submit("south", "P M1 A2 12")], BEGIN, {}, Key(b"another").draw)
    assert one.state.seals != two.state.seals
    assert "P M1 A2 12" not in repr(one.state.seals) + repr(one.entries) + repr(one)


@pytest.mark.slow
def test_the_beams_seed_is_seen_nowhere_before_the_end() -> None:
    desk = Desk("the-beam", secret="the seed of this very game")
    chance = random.Random(1)
    deck = []
    while desk.state.closed is None:
        assert "very game" not in desk.exported + desk.seen() + repr(desk.state)
        deal = desk.state.options["deal"]
        deck.append(len(deal["decks"][0]))
        assert len(deal["decks"][0]) == desk.state.round
        (side,) = desk.state.owing
        desk.ask(submit(side, str(any_move(desk.state.position, side, chance))))
    assert "very game" in desk.exported
    assert desk.state.options["deal"]["seed"] == "the seed of this very game"
    holds(desk)
    assert deck[0] == 1


def test_addresses_are_in_no_log() -> None:
    desk = Desk()
    desk.ask(acts.Replace("south", "Grace", "grace@example.org"))
    assert desk.secrets["address/south"] == "grace@example.org"
    assert "example.org" not in desk.exported + desk.seen()


def test_a_letter_with_a_move_and_an_offer() -> None:
    desk = Desk(options={"mode": "synchronous"})
    move, offered = desk.ask(submit("south", "P M1 A2 12", 1), offer("south", 1))
    assert (move.code, offered.code) == ("moved", "offered")
    again, late = desk.ask(submit("south", "P M1 A2 12", 1), offer("south", 1))
    assert again.repeated
    assert late.code == "stale"
    assert desk.state.agreed == {"south"}


def test_a_letter_cannot_make_moves_of_two_plies() -> None:
    desk = Desk()
    desk.ask(submit("north", "P S A2", 1))
    one, two = desk.ask(submit("south", "P M1 A2 12", 1), submit("south", "P M1 A4 12", 1))
    assert (one.code, two.code) == ("moved", "stale")


def test_no_time_is_set_back() -> None:
    desk = Desk(clock={"days": 2})
    desk.ask(submit("south", "P M1 A2 12"), after=5)
    desk.ask(submit("north", "P S A2"), after=-3)
    assert desk.entries[-1].at == desk.entries[1].at
    holds(desk)


def test_a_seal_of_a_ply_that_is_over_gets_its_receipt() -> None:
    desk = Desk()
    seal = request(desk, "south", "seal P M1 A2 12", 1)
    assert not any(answer.refused for answer in desk.ask(seal, submit("north", "P S A2", 1)))
    desk.ask(request(desk, "south", "reveal P M1 A2 12", 1))
    (again,) = desk.ask(seal)
    assert (desk.state.ply, again.code, again.repeated) == (2, "sealed", True)
    holds(desk)
