"""The fold of a log at once: it gives the same state as its entries one after another."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise, product
from typing import Any

import pytest

from referee.desk import By, Entry
from referee.desk.log import acts
from referee.desk.log.events import Played
from referee.desk.state.fold import fold
from referee.errors import RefereeError
from tests.desk.test_cases import CASES, played
from tests.desk.test_dues import CLOCKS, GAMES, words
from tests.support.desks import Desk, request
from tests.support.examples import sampled
from tests.support.logs import fold_log
from tests.support.rows import each


def expect_the_same(entries: Sequence[Entry], chance: random.Random) -> None:
    """Check that the fold of any part of a log gives the state of its entries one after another."""
    states = [fold_log(entries[:1])]
    for entry in entries[1:]:
        states.append(states[-1].after(entry))
    for last, state in enumerate(states):
        assert fold(entries[: last + 1]) == state
        first = chance.randrange(last + 1)
        assert fold(entries[first + 1 : last + 1], states[first]) == state


@pytest.mark.slow
@each(CASES, name=lambda case: str(case["shows"]), every=3)
def test_the_log_of_a_case_in_one_go(case: dict[str, Any]) -> None:
    expect_the_same(played(case).entries, random.Random(1))


@pytest.mark.parametrize("seed", sampled(range(60), 15))
def test_logs_of_random_games_with_every_clock(seed: int) -> None:
    chance = random.Random(seed)
    game, clock = GAMES[seed % 4], CLOCKS[seed % 5]
    desk = Desk(game, clock=clock, secret="seed-0" if game == "the-beam" else None)
    for (who, said), _ in zip(words(chance, desk), range(50), strict=False):
        desk.ask(request(desk, who, said), after=chance.choice((0, 0.1, 1, 5, 11, 30)))
    expect_the_same(desk.entries, chance)


@pytest.mark.parametrize(
    ("game", "clock"), sampled(product(("boundary", "laser-chess", "the-beam"), CLOCKS), 2), ids=str
)
def test_logs_of_one_ply_after_another(game: str, clock: dict[str, Any] | None) -> None:
    """Banks run down in them, an offer precedes the first ply, and every move comes by letter."""
    chance = random.Random(f"{game} {clock}")
    desk = Desk(game, clock=clock, secret="seed-0" if game == "the-beam" else None)
    sides = desk.state.position.sides
    desk.ask((By(sides[-1]), acts.OfferDraw()))
    while not desk.state.closed and len(desk.entries) < 30:
        side = min(desk.state.owing)
        move = desk.state.position.any_move(side, chance.randrange)
        desk.ask((By(side), acts.MakeMove(str(move))), after=chance.choice((0, 1, 23, 25)))
    together = [isinstance(entry.event, Played) for entry in desk.entries]
    assert any(map(all, pairwise(together))), "no two plies follow each other"
    expect_the_same(desk.entries, chance)


def test_a_fold_of_nothing_stays_where_it_is() -> None:
    state = Desk("boundary").state
    assert fold([]) is None
    assert fold([], state) is state


def test_no_log_begins_with_a_ply() -> None:
    desk = Desk("boundary")
    for side in ("south", "north"):
        desk.ask((By(side), acts.MakeMove(str(desk.state.position.any_move(side, lambda below: 0)))))
    plies = [entry for entry in desk.entries if isinstance(entry.event, Played)]
    with pytest.raises(RefereeError, match="a log begins with"):
        fold(plies)
