"""Limits on letters to people who have not agreed to play."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.game import GameFile
from referee.mail.host.host import open_game
from tests.support.correspondence import text
from tests.support.examples import is_quick, sampled
from tests.support.friends import ADA, BEN, CLEO, DAN, DESK, SETTINGS, begun, friends


@pytest.mark.slow
def test_one_invitation_an_address_until_it_is_answered(tmp_path: Path) -> None:
    with friends(tmp_path, f"{SETTINGS}never: [example.edu]\n") as post:
        post.write(ADA, f"new boundary with {BEN}")
        post.write(CLEO, f"new boundary with {BEN}")
        assert "(not-invited)" in post.said(CLEO)
        post.answer(BEN, "accept")
        post.write(CLEO, f"new boundary with {BEN}")
        assert len(post.games) == 2
        machines = ("root@localhost", "ada@club", "postmaster@example.org", "root+x@example.org")
        for address in (DAN, "dan@club.example.edu", "desk+x@example.org", CLEO, "cleo+x@example.net", *machines):
            post.write(CLEO, f"new boundary with {address}")
        assert len(post.games) == 2, "addresses of the list, of the desk, and one's own"


@pytest.mark.slow
def test_one_person_has_one_address(tmp_path: Path) -> None:
    """Text after a plus sign, dots before the @, and names below a domain give no more letters."""
    with friends(tmp_path, f"{SETTINGS}never: [zoe@example.edu]\ninvitations: {{domain-a-day: 3}}\n") as post:
        post.write(ADA, "new the beam with ben+1@example.com and b.en@example.com")
        assert "(not-invited)" in post.said(ADA)
        post.write(ADA, "new boundary with ben+1@example.com")
        for address in (BEN, "ben+2@example.com", "B.en@example.com", "z.oe+x@example.edu"):
            assert post.write(CLEO, f"new boundary with {address}").keys() <= {CLEO}, address
        assert "(not-invited)" in post.said(CLEO)
        post.answer("ben+1@example.com", "never")
        assert BEN not in post.write(CLEO, f"new boundary with {BEN}")
        asked = [post.write(f"dan+{number}@example.edu", "new boundary", vouched=False) for number in range(3)]
        assert sum(map(len, asked)) == 1
        found = [post.write(f"eve@s{number}.evil.example", "new boundary") for number in range(6)]
        assert len(post.games) == 1 + 3, found


@pytest.mark.slow
def test_accepted_invitations_are_not_counted(tmp_path: Path) -> None:
    with friends(tmp_path, f"{SETTINGS}invitations: {{address-a-day: 2}}\n") as post:
        for answer in ("accept", "decline", "accept", "decline"):
            post.write(ADA, f"new boundary with {BEN}")
            post.answer(BEN, answer)
        assert post.write(ADA, f"new boundary with {BEN}").keys() == {ADA}
        assert f"No more invitations are sent to {BEN} today" in post.said(ADA)
        assert len(post.games) == 4


@pytest.mark.slow
def test_an_invitation_takes_no_rights_away(tmp_path: Path) -> None:
    """Players who have had a seat keep that right while an invitation is their only running game."""
    with friends(tmp_path, "open: players\ntrust: {authserv: [mx.example.org]}\n") as post:
        seats = {"south": ADA, "north": BEN}
        open_game(post.office, "spring-7", GameFile("boundary"), post.at, terms=None, addresses=seats)
        post.collect()
        post.answer(BEN, "resign")
        post.write(ADA, f"new boundary with {BEN}")
        assert post.write(ADA, f"new boundary with {CLEO}").keys() == {ADA, CLEO}
        assert post.write(BEN, f"new boundary with {DAN}").keys() == {BEN, DAN}


@pytest.mark.slow
@pytest.mark.parametrize("answer", sampled(["", "never"], 2))
def test_forged_letters_bring_no_flood_to_whom_was_invited(answer: str, tmp_path: Path) -> None:
    """Those who have not agreed to play get one note a day, even if others write in their name."""
    with friends(tmp_path) as post:
        post.write(ADA, f"new boundary with {BEN}")
        if answer:
            post.answer(BEN, answer)
        times = 2 if is_quick() else 4
        forged = [f"{words} {number}" for number in range(times) for words in ("board", "accept", "what is this")]
        came = [
            post.write(BEN, words, to=to, vouched=False)
            for words in forged
            for to in (DESK, f"desk+{post.games[0]}@example.org")
        ]
        assert sum(map(len, came)) == 1
        assert post.write(BEN, "games").keys() == {BEN}, "a letter that they wrote is answered"


@pytest.mark.slow
def test_accepting_and_withdrawing_are_limited(tmp_path: Path) -> None:
    with friends(tmp_path) as post:
        post.write(ADA, f"new the beam with {BEN}")
        told = [ADA in post.answer(BEN, words) for _ in range(6) for words in ("accept", "withdraw")]
        assert sum(told) == 7, "accepted and withdrawn three times, and then declined"
        assert "(left-often)" in " ".join(" ".join(map(text, post.letters[BEN])).split())
        assert post.kinds()[-2:] == ["refused", "closed"]
        post.holds()


@pytest.mark.slow
def test_gifts_of_time_are_limited(tmp_path: Path) -> None:
    """Each gift causes a letter to the other side, so the number in an hour is limited."""
    with friends(tmp_path, f"{SETTINGS}answers: {{an-hour: 4}}\n") as post:
        begun(post)
        told = [ADA in post.answer(BEN, f"give Ada {number} hours") for number in range(1, 9)]
        assert 0 < sum(told) <= 4
        assert post.kinds().count("gave") == sum(told)
