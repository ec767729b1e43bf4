"""The rules of beams, case by case (beams.yaml), and the boards that are refused (beams-options.yaml)."""

from __future__ import annotations

from typing import Any

import pytest

from referee import parse_move
from referee.errors import OptionError
from referee.rules import Position, start
from tests.oracles.beams import NaiveBoard
from tests.support.cases import Case, cases, flat, judged, shows
from tests.support.rows import each
from tests.support.strategies import facts_of

SET_UP = {"shows", "options", "plies"}
CLAIMS = {"refused", "accepted", "score", "counters", "power", "beams", "hands", "to_move", "outcome"}


def reached(case: Case) -> Position:
    """The position after a case's plies."""
    position = start("beams", **case.get("options", {}))
    for ply in flat(case.get("plies", [])):
        moves = [parse_move("beams", text) for text in ply.split("|")]
        if len(position.to_move) == 2:
            position = position.play(dict(zip(position.sides, moves, strict=True)))
        else:
            for move in moves:
                position = position.play(dict.fromkeys(position.to_move, move))
    return position


def beam_text(beam: dict[str, Any]) -> str:
    leaves = beam["exit"]
    return f"{beam['power']} at {leaves['boundary']} {leaves['column']}" if leaves else "stopped"


def claimed(position: Position, case: Case) -> Case:
    """The position's values for each of a case's claims but those about moves."""
    facts, outcome = facts_of(position), position.outcome
    beams: dict[str, dict[int, str]] = {}
    for beam in facts["beams"]:
        beams.setdefault(f"{beam['side']} {beam['cell']}", {})[beam["clock"]] = beam_text(beam)
    powers = {f"{piece['side']} {piece['cell']}": piece["power"] for piece in facts["pieces"]}
    said = {
        "score": facts["score"],
        "counters": {side: {int(column): n for column, n in row.items()} for side, row in facts["counters"].items()},
        "power": {name: powers.get(name, "no piece") for name in case.get("power", {})},
        "beams": beams,
        "hands": facts["hands"],
        "to_move": sorted(position.to_move),
        "outcome": outcome and outcome.as_json(),
    }
    return {key: said[key] for key in said if key in case}


@each(cases("beams.yaml"), name=shows)
def test_rule(case: Case) -> None:
    position = reached(case)
    before = facts_of(position)

    code = case.get("refused", "")
    for text, refused, message in judged("beams", position, case):
        assert refused == code, text
        assert case.get("says", "") in message
    assert claimed(position, case) == {key: case[key] for key in claimed(position, case)}

    assert facts_of(position) == before, "judging changed the position"


@each(cases("beams.yaml"), name=shows)
def test_the_oracle_agrees_about_the_case(case: Case) -> None:
    options = case.get("options", {})
    facts = facts_of(reached(case))
    naive = NaiveBoard(
        facts,
        columns=options.get("columns", 15),
        rows=options.get("rows", 13),
        barriers=options.get("barriers", "crossing"),
    )
    assert facts["counters"] == naive.counters()
    assert facts["score"] == naive.score()


def test_every_case_claims_something_and_has_a_name_of_its_own() -> None:
    for case in cases("beams.yaml"):
        about_moves = {key for key in ("south", "north") if key in case}
        assert case.keys() & CLAIMS, case
        assert case.keys() <= SET_UP | CLAIMS | {"says", "south", "north"}, case
        assert bool(about_moves) == bool(case.keys() & {"refused", "accepted"}), case
    names = [case["shows"] for case in cases("beams.yaml")]
    assert sorted(set(names)) == sorted(names)


def test_every_refusal_of_the_rules_page_has_its_case() -> None:
    assert {case["refused"] for case in cases("beams.yaml") if "refused" in case} == {
        "unknown-cell",
        "not-in-hand",
        "occupied",
        "adjacent-generator",
        "empty-cell",
        "no-orientation",
        "must-place",
        "not-your-turn",
        "game-over",
    }


@pytest.mark.slow
@each(cases("beams-options.yaml"), name=shows)
def test_option(case: Case) -> None:
    if "refused" not in case:
        position = start("beams", **case["options"])
        side = min(position.to_move)
        assert sum(str(move).startswith("P S ") for move in position.legal_moves(side)) == case["cells"]
        return
    with pytest.raises(OptionError) as caught:
        start("beams", **case["options"])
    assert [name for name, _ in caught.value.faults] == list(case["refused"])
    for (_, message), words in zip(caught.value.faults, case["refused"].values(), strict=True):
        assert words in message
