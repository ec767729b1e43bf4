"""An engine's move follows from its view, its level and its seed, on every machine."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace

import pytest

import referee
from referee.engine import LEVELS, choose, ponder
from referee.engine.levels import level_of
from referee.engine.search.dice import Dice
from referee.errors import IllegalMove, RefereeError
from referee.rules import Position, movers
from referee.rules.the_beam import TheBeamPosition
from referee.rules.the_beam.deal import Deal

GAMES = ("beams", "boundary", "the-beam", "laser-chess")

SEEN = """
import random, referee
from referee.engine import choose
from referee.rules import movers
for game in ("beams", "boundary", "the-beam", "laser-chess"):
    numbers, position = random.Random(7), referee.start(game)
    for _ in range(6):
        moves = {side: choose(position, side, level, "s") for side in movers(position) for level in (1, 3)}
        print(game, *map(str, moves.values()))
        position = position.play(moves)
"""


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("level", [1, 2, 3])
def test_it_is_a_legal_move(game: str, level: int) -> None:
    numbers = random.Random(level)
    position: Position = referee.start(game)
    for _ in range(8):
        if not position.to_move:
            break
        for side in movers(position):
            assert choose(position, side, level, "any") in position.legal_moves(side)
        position = position.play({side: position.any_move(side, numbers.randrange) for side in movers(position)})


@pytest.mark.slow
def test_another_process_finds_the_same() -> None:
    """Also if texts have other hashes, and sets another order."""
    said = {
        subprocess.run(
            [sys.executable, "-c", SEEN],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(said) == 1
    assert len(said.pop().splitlines()) == 24


@pytest.mark.slow
def test_another_seed_may_find_another_move() -> None:
    position = referee.start("beams")
    assert len({choose(position, "south", 1, str(seed)) for seed in range(8)}) > 1


def in_the_middle(seed: str, rounds: int) -> TheBeamPosition:
    """A game of The Beam after a number of rounds, in which the computer knows all cards."""
    position = referee.start("the-beam", deal={"seed": seed})
    while position.round <= rounds:
        (side,) = position.to_move
        position = position.play({side: next(iter(position.legal_moves(side)))})
    return position


@pytest.mark.parametrize("rounds", [0, 5, 10])
def test_cards_that_are_not_turned_over_change_nothing(rounds: int) -> None:
    position = in_the_middle("one", rounds)
    first, second = position.deal.decks
    seen = rounds + 1
    hidden = replace(position, deal=Deal(position.deal.discs, (first[:seen], second[:seen])))
    turned = replace(
        position,
        deal=Deal(position.deal.discs, ((*first[:seen], *first[:seen:-1]), (*second[:seen], *second[:seen:-1]))),
    )
    (side,) = position.to_move
    assert len({ponder(one, side, 2, "any") for one in (position, hidden, turned)}) == 1


@pytest.mark.parametrize("level", [0, 9, "x", 4.5])
def test_there_are_eight_levels(level: object) -> None:
    with pytest.raises(RefereeError) as caught:
        choose(referee.start("boundary"), "south", level)  # type: ignore[arg-type]
    assert caught.value.code == "level"
    assert [one.number for one in LEVELS] == list(range(1, 9))


def test_a_level_has_a_name_that_is_as_good_as_its_number() -> None:
    assert [str(level_of(one.name.upper())) for one in LEVELS] == [f"{one.number} ({one.name})" for one in LEVELS]
    begun = referee.start("boundary")
    assert choose(begun, "south", level="easy", seed="a") == choose(begun, "south", level=2, seed="a")


def test_a_side_that_is_not_to_move_gets_no_move() -> None:
    with pytest.raises(IllegalMove, match="not-your-turn"):
        choose(referee.start("laser-chess"), "red")
    with pytest.raises(IllegalMove, match="game-over"):
        choose(list(referee.read("games/laser-chess/curiosity.yaml").replay())[-1].position, "red")


def test_dice_are_fair_enough() -> None:
    dice = Dice("fair")
    throws = [dice.below(6) for _ in range(6_000)]
    assert {*throws} == {*range(6)}
    assert all(850 < throws.count(face) < 1_150 for face in range(6))
    assert 0 <= min(dice.share() for _ in range(100)) < 0.1
    assert sorted(dice.sample(range(10), 10)) == [*range(10)]
    drawn = [dice.weighed("ab", [1, 3]) for _ in range(4_000)]
    assert 900 < drawn.count("a") < 1_100
