"""Names of players: chosen, from their letters, or from their addresses; none looks like another one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.desk import Change, Preference
from referee.mail.intake.requests import NAME
from tests.support.friends import ADA, BEN, CLEO, SETTINGS, Friends, begun, friends


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Friends]:
    with friends(tmp_path) as post:
        yield post


def names(post: Friends) -> list[str]:
    """The players of the newest game."""
    games = [post.office.desk.state(name) for name in post.games]
    return sorted(max(games, key=lambda state: state.at).players.values())


@pytest.mark.slow
def test_two_people_without_a_name_are_not_one(post: Friends) -> None:
    post.write("max99@a.example", "new boundary with p56@b.example", name='""')
    assert names(post) == ["Max99", "the invited player"]
    post.answer("p56@b.example", "accept")
    assert names(post) == ["Max99", "P56"]


def test_no_player_is_called_by_a_number(post: Friends) -> None:
    post.write("12345@a.example", "new boundary with 67890@b.example", name='"54321"')
    assert names(post) == ["a player", "the invited player"]


def chosen(post: Friends, address: str, name: str) -> None:
    """Keep a name that an address has chosen."""
    wanted = Change(preferences=(Preference(address, NAME, name),))
    post.office.desk.games.change(None, post.at, lambda _: wanted)


@pytest.mark.slow
def test_a_player_is_called_as_they_wish_from_the_next_game_on(post: Friends) -> None:
    begun(post)
    before = names(post)
    post.answer(ADA, "set name Max 99")
    assert "your name is [Max 99]" in post.said(ADA)
    assert names(post) == before
    post.pass_time(1)
    post.write(ADA, f"new boundary with {CLEO}", name="Adelheid")
    assert "Max 99" in names(post)
    post.pass_time(1)
    post.write(CLEO, f"new boundary with {ADA}")
    assert names(post) == ["Cleo", "the invited player"]
    post.answer(ADA, "accept")
    assert names(post) == ["Cleo", "Max 99"]


@pytest.mark.slow
def test_an_invitation_does_not_tell_under_which_name_an_address_plays(post: Friends) -> None:
    post.write(BEN, "new boundary", name="Night Owl")
    post.pass_time(1)
    post.write(CLEO, f"new boundary with {BEN}")
    assert names(post) == ["Cleo", "the invited player"]
    post.answer(BEN, "accept")
    assert names(post) == ["Ben", "Cleo"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "wanted",
    [
        *(
            "Ben",
            "B e n",
            "BÉN",
            "\u0412\u0435n",
            "The Referee",
            "Engine 8",
            "the host",
            "Grace",
            "Club Support",
            "99",
        ),
        *("a" * 25, "Max 12345", "x@y.example", "http://x.example", "A. Smith; resign", "Cleo 7"),
    ],
)
def test_no_name_is_another_players_or_an_officials(tmp_path: Path, wanted: str) -> None:
    with friends(tmp_path, f"{SETTINGS}\nhost: grace@example.org\n") as post:
        begun(post)
        chosen(post, "other@example.org", "Cleo 7")
        post.answer(ADA, f"set name {wanted}")
        assert NAME not in post.office.desk.people.preferences(ADA)


@pytest.mark.slow
def test_a_player_can_take_their_own_name(post: Friends) -> None:
    begun(post)
    for wanted in ("Ada", "Ada 1", "Ada"):
        post.answer(ADA, f"set name {wanted}")
        assert post.office.desk.people.preferences(ADA)[NAME] == wanted


@pytest.mark.slow
def test_a_name_of_a_letter_without_the_key_is_not_kept(post: Friends) -> None:
    begun(post)
    post.write(ADA, "set name Max", to=f"desk+{post.state.id}@example.org")
    assert NAME not in post.office.desk.people.preferences(ADA)


@pytest.mark.slow
def test_no_letter_names_a_player_who_has_not_agreed(post: Friends) -> None:
    """The desk has only the address, from the player who invites them."""
    heinrich = "heinrich.mustermann@example.net"
    chosen(post, heinrich, "Night Owl")
    post.write(ADA, f"new the-beam with {heinrich}, {BEN} and {CLEO}, as p1")
    post.answer(BEN, "accept")
    post.write(ADA, "games")
    post.answer(ADA, "status")
    for sender in (ADA, BEN, CLEO, heinrich):
        for letter in post.letters[sender]:
            whole = letter.as_string().replace(heinrich, "")
            assert not [word for word in ("Heinrich", "Mustermann", "Night Owl") if word in whole], whole
    assert "Waiting for the invited player (p2) and the invited player (p4)" in post.said(BEN)
    post.answer(heinrich, "accept")
    assert "Night Owl has accepted" in post.said(ADA)


@pytest.mark.slow
def test_a_player_of_the_game_before_keeps_the_name_in_the_rematch(post: Friends) -> None:
    begun(post)
    post.answer(ADA, "resign")
    post.answer(ADA, "rematch")
    assert "Waiting for Ben to accept," in post.said(ADA)
