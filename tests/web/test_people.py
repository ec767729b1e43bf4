"""People of one name: pages keep them apart by their addresses, which they do not show."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

import pytest

from referee.desk import acts
from referee.game import GameFile, Player
from tests.support.sites import Club, club


def begin(here: Club, name: str, south: tuple[str, str], north: tuple[str, str]) -> None:
    """Open a game for two people, by their names and addresses."""
    here.at += timedelta(hours=1)
    sides = {"south": south, "north": north}
    file = GameFile("boundary", players={side: Player(who) for side, (who, _) in sides.items()})
    addresses = {side: address for side, (_, address) in sides.items()}
    here.desk.open(name, file, here.at, terms=None, addresses=addresses)


def games_at(here: Club, player: str) -> set[str]:
    """The games on the page of a player."""
    page = here.get(f"/p/{quote(player)}")
    return {name for name in here.desk.catalogue.ids() if f'href="/g/{name}"' in page}


ZOE, OTHER, BEN = ("Zoe", "zoe@a.example"), ("Zoe", "z@b.example"), ("Ben", "ben@c.example")


@pytest.mark.slow
def test_two_people_of_one_name_have_a_page_each(tmp_path: Path) -> None:
    with club(tmp_path) as here:
        begin(here, "one", ZOE, BEN)
        assert games_at(here, "Zoe") == {"one"}
        begin(here, "two", BEN, OTHER)
        begin(here, "three", ("Zoe", "ZOE@A.example"), BEN)
        begin(here, "four", ZOE, OTHER)
        assert games_at(here, "Zoe") == {"one", "three", "four"}
        assert games_at(here, "Zoe (2)") == {"two", "four"}
        here.get("/p/Zoe%20%283%29", 404)
        assert games_at(here, "Ben") == {"one", "two", "three"}
        for path in ("/g/two", "/", "/games/running", "/g/two/feed", "/p/Ben"):
            page = here.get(path)
            assert "Zoe (2)" in page, path
            assert "b.example" not in page
        assert 'href="/p/Zoe%20%282%29"' in here.get("/g/two")
        assert "Zoe (2)" not in here.get("/g/three")


@pytest.mark.slow
def test_a_number_never_changes_and_no_player_can_have_one_as_a_name(tmp_path: Path) -> None:
    with club(tmp_path) as here:
        begin(here, "one", ZOE, BEN)
        begin(here, "two", OTHER, BEN)
        begin(here, "three", ("Zoe (2)", "eve@d.example"), BEN)
        assert games_at(here, "Zoe (2)") == {"two"}
        assert games_at(here, "Zoe (2) (1)") == {"three"}
        here.desk.order("one", acts.Replace("north", "Zoe", "new@e.example"), here.at + timedelta(hours=1))
        assert games_at(here, "Zoe (3)") == {"one"}
        assert games_at(here, "Zoe") == {"one"}
        assert games_at(here, "Zoe (2)") == {"two"}


def test_only_the_numbers_that_pages_show_have_a_page(tmp_path: Path) -> None:
    with club(tmp_path) as here:
        begin(here, "one", ZOE, BEN)
        begin(here, "two", OTHER, BEN)
        for odd in ("Zoe (0)", "Zoe (1)", "Zoe (02)", "Zoe (2", " (2)", "(2)", "Zoe (²)"):
            here.get(f"/p/{quote(odd)}", 404)


@pytest.mark.slow
def test_a_number_stays_when_the_first_player_of_a_name_gives_up_the_seat(tmp_path: Path) -> None:
    with club(tmp_path) as here:
        begin(here, "one", ZOE, BEN)
        begin(here, "two", OTHER, BEN)
        assert games_at(here, "Zoe (2)") == {"two"}
        later = here.at + timedelta(hours=1)
        here.desk.order("one", acts.Replace("south", "Eve", "eve@d.example"), later)
        assert games_at(here, "Zoe (2)") == {"two"}
        begin(here, "three", ("Zoe", "third@f.example"), BEN)
        begin(here, "four", ZOE, BEN)
        assert games_at(here, "Zoe (3)") == {"three"}
        assert games_at(here, "Zoe") == {"four"}


@pytest.mark.slow
def test_numbers_do_not_follow_from_the_order_in_which_pages_are_read(tmp_path: Path) -> None:
    for order in ("one", "two"), ("two", "one"):
        (folder := tmp_path / order[0]).mkdir()
        with club(folder) as here:
            begin(here, "one", ZOE, BEN)
            begin(here, "two", OTHER, BEN)
            assert ["Zoe (2)" in here.get(f"/g/{name}") for name in order] == [name == "two" for name in order]


def test_a_number_is_given_when_a_seat_is_taken(tmp_path: Path) -> None:
    """The first player of a name may have left before any page is read."""
    with club(tmp_path) as here:
        begin(here, "one", ZOE, BEN)
        begin(here, "two", OTHER, BEN)
        here.desk.order("one", acts.Replace("south", "Eve", "eve@d.example"), here.at + timedelta(hours=1))
        assert games_at(here, "Zoe (2)") == {"two"}
        begin(here, "three", ZOE, BEN)
        assert games_at(here, "Zoe") == {"three"}


@pytest.mark.slow
def test_two_people_of_one_name_in_one_game_are_numbered_by_their_sides(tmp_path: Path) -> None:
    with club(tmp_path) as here:
        begin(here, "one", OTHER, ZOE)
        assert re.search(r"Zoe \(2\)</bdi></a> <span class=\"soft\">north", here.get("/g/one"))
        begin(here, "two", OTHER, BEN)
        begin(here, "three", ZOE, BEN)
        assert games_at(here, "Zoe") == {"one", "two"}
        assert games_at(here, "Zoe (2)") == {"one", "three"}
