"""Records are public: the things that they leave out."""

from __future__ import annotations

import json

import pytest

import referee
from referee.draw import RECORD_FORMS
from referee.draw.record import record
from referee.game import loads
from tests.support.examples import sampled

GAME = loads(
    "game: beams\nplayers:\n  south: {name: Ada, email: ada@example.org}\nmoves: |\n  1. P M1 A2 12 | P M1 A2 12\n"
)


@pytest.mark.parametrize("form", sampled(RECORD_FORMS, 4))
def test_no_record_tells_an_address(form: str) -> None:
    assert b"ada@example.org" not in record(GAME, form)


def test_the_data_of_a_record_is_every_ply() -> None:
    data = json.loads(record(GAME, "json"))
    assert [ply["ply"] for ply in data["plies"]] == [1]
    assert data["players"] == {"south": {"name": "Ada"}}
    assert (
        data["plies"][0]["position"]
        == referee.start("beams")
        .play({side: referee.parse_move("beams", "P M1 A2 12") for side in ("south", "north")})
        .facts()
    )


@pytest.mark.slow
def test_a_team_gets_its_points() -> None:
    game = referee.read("games/the-beam/class-4b.yaml")
    page = record(game, "html").decode()
    assert "The team scored 16 points." in page
    assert "wins" not in page
