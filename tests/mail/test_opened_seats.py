"""Seats that a host gives to addresses without a player, or to one person twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command_line import referee
from tests.support.correspondence import GAME, corresponding


@pytest.mark.parametrize("own", ["desk@example.org", "Desk@Example.ORG", "desk+spring@example.org"])
def test_the_desk_plays_no_seat(tmp_path: Path, own: str) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        south, north = "--player=south=Ada <ada@example.org>", f"--player=north=Desk <{own}>"
        refused = referee("desk", "open", "beams", "--desk", tmp_path / "desk", "--id", "second", south, north)
        assert (refused.status, "the desk's own address" in refused.err) == (1, True)
        refused = referee("desk", "replace", GAME, "north", "Desk", "--address", own, "--desk", tmp_path / "desk")
        assert (refused.status, "the desk's own address" in refused.err) == (1, True)
        assert post.office.desk.catalogue.ids() == [GAME]


def test_one_person_in_several_seats_is_said(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk"):
        for name, other, said in (
            ("one", "Ada+north@example.org", ["note: one person has the seats south and north"]),
            ("two", "ben@example.org", []),
        ):
            south, north = "--player=south=Ada <ada@example.org>", f"--player=north=Ben <{other}>"
            done = referee("desk", "open", "beams", "--desk", tmp_path / "desk", "--id", name, south, north)
            assert done.out.splitlines()[:-1] == said
