"""A desk's folder: its necessary files, which are never created as replacements for missing ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.desk.law.law import spoken
from referee.errors import RefereeError
from referee.game import GameFile, Player
from referee.mail.host.host import open_game
from referee.mail.office import create_office, office_in
from tests.support.correspondence import BEGIN, address, corresponding


@pytest.mark.parametrize("left", [None, b""])
def test_a_lost_store_is_never_created_again(tmp_path: Path, left: bytes | None) -> None:
    create_office(tmp_path / "desk", "desk@example.org", "desk.sqlite")
    store = tmp_path / "desk" / "desk.sqlite"
    store.unlink()
    if left is not None:
        store.write_bytes(left)
    with pytest.raises(RefereeError, match="store: the desk's store is missing"), office_in(tmp_path / "desk"):
        pass
    assert store.exists() == (left is not None)


def test_a_name_is_a_line_of_text(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        file = GameFile("beams", players={"south": Player("A\nBcc: x")})
        addresses = {side: address(side) for side in ("south", "north")}
        with pytest.raises(RefereeError, match="name: "):
            open_game(post.office, "game-1", file, BEGIN, terms=None, addresses=addresses)
        assert post.office.desk.catalogue.ids() == []


@pytest.mark.slow
def test_no_key_of_a_seat_is_in_the_list_of_filed_letters(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        key = post.letters[address("south")][-1]["Reply-To"].partition("spring-7.")[2].partition("@")[0]
        post.write("south", "P M1 A2 12", header="List-Id: <chess.example.org>\n")
        ((_, note),) = post.office.desk.inbox.filed(["list"])
        assert key not in note
        assert "spring-7" in note


@pytest.mark.parametrize(
    ("written", "kept"),
    [("a\x1b[31mb\x07", "a [31mb"), ("a\r\nb\r\n", "a\nb"), ("\u202eab\tc", "ab     c"), ("\ud800", "?")],
)
def test_text_of_players_acts_on_no_terminal(written: str, kept: str) -> None:
    assert spoken(written) == kept
    assert spoken(kept) == kept
