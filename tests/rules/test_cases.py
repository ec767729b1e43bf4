"""The rules of Boundary, Laser Chess and The Beam, case by case (boundary.yaml, laser-chess.yaml, the-beam.yaml)."""

from __future__ import annotations

import pytest

from referee import parse_move
from referee.errors import OptionError
from referee.rules import Move, Position, game_named, start
from tests.support.cases import Case, cases, divided, judged, told
from tests.support.positions import made
from tests.support.rows import each
from tests.support.strategies import lists

CODES = {
    "boundary": """unknown-square empty-square not-yours not-straight distance blocked occupied opponent-base
        continuum other-world not-your-turn game-over""",
    "laser-chess": """unknown-square empty-square not-yours distance occupied forbidden-square laser-moves
        laser-direction no-orientation not-your-turn game-over""",
    "the-beam": "wrong-cards unknown-square wrong-row occupied no-mirror no-mirrors-left not-your-turn game-over",
}
"""The refusals of each rules page, but `syntax`, which is the notation's."""

SET_UP = {"shows", "options", "stacks", "stones", "board", "first", "discs", "decks", "mirrors", "plies", "says"}
CLAIMS = {"refused", "accepted", "facts", "events", "claims", "to_move", "score", "outcome", "count"}

ALL = [(name, case) for name in CODES for case in cases(f"{name}.yaml")]
OPTIONS = [(name, case) for name in CODES for case in cases(f"{name}-options.yaml")]


def called(row: tuple[str, Case]) -> str:
    name, case = row
    return f"{name}: {case['shows']}"


def claimed(path: list[tuple[Position, dict[str, Move]]], case: Case) -> Case:
    """The values of the position reached for each of a case's claims but those about moves."""
    position, _ = path[-1]
    facts, outcome = position.facts(), position.outcome
    before, moves = path[-2] if len(path) > 1 else (position, {})
    said = {
        "facts": {key: facts.get(key) for key in case.get("facts", {})},
        "events": [told(event) for event in before.events(moves, position)] if moves else [],
        "claims": {side: sorted(position.claims(side)) for side in position.sides if position.claims(side)},
        "to_move": sorted(position.to_move),
        "score": position.score,
        "outcome": outcome and outcome.as_json(),
        "count": sum(1 for side in position.to_move for _ in position.legal_moves(side)),
    }
    return {key: said[key] for key in said if key in case}


@pytest.mark.slow
@each(ALL, name=called)
def test_rule(row: tuple[str, Case]) -> None:
    name, case = row
    path = made(name, case)
    position, _ = path[-1]
    facts, written = position.facts(), repr(position)

    code = case.get("refused", "")
    for text, refused, message in judged(name, position, case):
        assert refused == code, f"{text}: {message}"
        assert case.get("says", "") in message
    for side in position.sides:
        for text in divided(case.get(side, [])):
            assert lists(position, side, parse_move(name, text)) == (not code), text
    wanted = {**case, "events": divided(case.get("events", []))}
    assert claimed(path, case) == {key: wanted[key] for key in claimed(path, case)}

    assert (position.facts(), repr(position)) == (facts, written), "judging changed the position"


@pytest.mark.parametrize("name", CODES)
def test_every_case_claims_something_and_has_a_name_of_its_own(name: str) -> None:
    sides = set(game_named(name).sides)
    for case in cases(f"{name}.yaml"):
        assert case.keys() & CLAIMS, case
        assert case.keys() <= SET_UP | CLAIMS | sides, case
        assert bool(case.keys() & sides) == bool(case.keys() & {"refused", "accepted"}), case
        assert "events" not in case or case["plies"], case
    names = [case["shows"] for case in cases(f"{name}.yaml")]
    assert sorted(set(names)) == sorted(names)


@pytest.mark.parametrize("name", CODES)
def test_every_refusal_of_the_rules_page_has_its_case(name: str) -> None:
    assert {case["refused"] for case in cases(f"{name}.yaml") if "refused" in case} == set(CODES[name].split())


@each(OPTIONS, name=called)
def test_option(row: tuple[str, Case]) -> None:
    name, case = row
    if "refused" not in case:
        facts = start(name, **case["options"]).facts()
        assert {key: facts[key] for key in case["facts"]} == case["facts"]
        return
    with pytest.raises(OptionError) as caught:
        start(name, **case["options"])
    assert [option for option, _ in caught.value.faults] == list(case["refused"])
    for (_, message), words in zip(caught.value.faults, case["refused"].values(), strict=True):
        assert words in message
