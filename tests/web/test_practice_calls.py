"""Calls of the page to its worker about a game against engines."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from typing import Any

import pytest

import referee
from referee.desk import commitment
from referee.rules import GAMES, game_named
from referee.web.onepage.bridge import CALLS, answer_page
from referee.web.onepage.duels import DUEL_CALLS
from referee.web.onepage.practices import PRACTICE_CALLS
from referee.web.onepage.proofs import PROOF_CALLS

SHORT = {"beams": {"pieces": "beginner"}}


def ask(call: str, **asked: object) -> Any:  # noqa: ANN401 - data of many shapes
    return json.loads(answer_page(json.dumps({"call": call, "with": asked})))


def begin(game: str, side: str = "", level: int = 1) -> Any:  # noqa: ANN401 - data of many shapes
    own = side or game_named(game).sides[0]
    return ask("practice-begin", game=game, options=SHORT.get(game, {}), side=own, level=level)


def settled(told: Any) -> Any:  # noqa: ANN401 - data of many shapes
    """The practice once its engines have moved or sealed, and it is the person's turn."""
    while told["due"] in ("engines", "seals"):
        told = ask("practice-think", kept=told["kept"])
    return told


def first_move(told: Any) -> str:  # noqa: ANN401 - data of many shapes
    """A legal move of the person."""
    position = [*referee.loads(told["kept"]["file"]).replay()]
    here = position[-1].position if position else referee.loads(told["kept"]["file"]).start()
    moves = [*map(str, here.legal_moves(told["kept"]["side"]))]
    return random.Random(len(position)).choice(moves)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("last", [False, True])
def test_engines_answer_from_every_seat(game: str, last: bool) -> None:
    told = settled(begin(game, game_named(game).sides[-1 if last else 0]))
    names = {player.name for player in referee.loads(told["kept"]["file"]).players.values()}
    assert names == {"engine, level 1 (Beginner)"}
    for _ in range(3):
        shown = ask("show", file=told["kept"]["file"], plies=told["line"], side=told["kept"]["side"])
        assert (told["kept"]["side"] in shown["due"]) == (told["due"] == "own")
        if told["due"] == "over":
            break
        before = len(told["line"])
        told = settled(ask("practice-play", kept=told["kept"], text=first_move(told)))
        assert len(told["line"]) > before


def test_an_engine_seals_its_move_before_the_person_moves_and_opens_it_after() -> None:
    begun = begin("beams")
    assert begun["due"] == "seals"
    assert ask("practice-play", kept=begun["kept"], text="P S B1")["error"]["code"] == "not-your-turn"
    told = settled(begun)
    (promise,) = told["promises"]
    sealed = re.fullmatch("north has sealed its move: ([0-9a-f]{64})", promise)
    after = ask("practice-play", kept=told["kept"], text=first_move(told))
    opened = re.fullmatch("north had sealed (.+), with the nonce ([0-9a-f]{64})", after["said"][0])
    assert sealed is not None
    assert opened is not None
    assert sealed[1] == commitment("play", 1, "north", "beams 1", opened[1], bytes.fromhex(opened[2]))
    assert after["line"][0]["north"] == opened[1]


def test_a_move_is_sealed_once() -> None:
    told = settled(begin("beams"))
    assert ask("practice-think", kept=told["kept"])["promises"] == told["promises"]
    assert ask("practice-keep", kept=told["kept"])["promises"] == told["promises"]


def test_a_move_is_taken_back_with_the_answer_to_it() -> None:
    begun = begin("laser-chess")
    told = settled(ask("practice-play", kept=begun["kept"], text="r j1 l"))
    assert (len(told["line"]), told["moved"], begun["moved"]) == (2, True, False)
    assert ask("practice-undo", kept=told["kept"])["line"] == []


def test_a_wrong_move_is_refused_and_changes_nothing() -> None:
    begun = begin("laser-chess")
    assert ask("practice-play", kept=begun["kept"], text="r j9 l")["error"]["code"] == "unknown-square"


@pytest.mark.slow
def test_one_can_ask_for_a_hint_and_for_reasons() -> None:
    begun = begin("laser-chess")
    assert ask("practice-why", kept=begun["kept"])["said"] == ["No engine has moved yet."]
    told = settled(ask("practice-play", kept=begun["kept"], text="r j1 l"))
    assert re.match(r"red: [MR] .*\)$", ask("practice-why", kept=told["kept"])["said"][0])
    assert re.match(
        r"hint: [MR] .*, then .* \([+-]\d+\.\d\d points\)$", ask("practice-hint", kept=told["kept"])["said"][0]
    )


def test_a_game_ends_by_resignation_and_by_a_repetition_that_is_there() -> None:
    begun = begin("laser-chess")
    assert ask("practice-end", kept=begun["kept"], how="repetition")["due"] == "own"
    told = ask("practice-end", kept=begun["kept"], how="resignation")
    assert told["due"] == "over"
    assert "end: {how: resignation, by: blue}" in told["kept"]["file"]
    again = "  R c1 L | R g3 L\n  R c1 R | R g3 R\n" * 2
    found = ask("practice-resume", text=f"game: laser-chess\nmoves: |\n{again}", name="again", level=1)
    assert found["claims"]
    drawn = ask("practice-end", kept=found["kept"], how="repetition")
    assert "end: {how: repetition, by: blue}" in drawn["kept"]["file"]


def test_a_game_of_the_terminal_goes_on_here() -> None:
    file = "game: boundary\nplayers:\n  south: {name: 'engine, level 2'}\nmoves: |\n"
    told = ask("practice-resume", text=file, name="game", level=5)
    assert (told["kept"]["side"], told["kept"]["level"], told["due"]) == ("north", 2, "engines")
    assert settled(told)["due"] == "own"


@pytest.mark.slow
def test_the_page_loads_engines_duels_and_the_desk_only_when_they_are_asked_for() -> None:
    code = """import sys, referee.web.onepage.bridge
print(*[one for one in sys.modules if one.startswith('referee.')])"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    later = {"referee.engine.practice", "referee.engine.search.alphabeta", "referee.duel", "referee.desk"}
    assert not later & {*run.stdout.split()}
    sets = (CALLS, PRACTICE_CALLS, DUEL_CALLS, PROOF_CALLS)
    assert sum(map(len, sets)) == len({name for each in sets for name in each})
