"""The text of invitations: players who have not answered, commands, and nothing that is not known yet."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.correspondence import GAME, corresponding, text
from tests.support.friends import ADA, BEN, CLEO, DAN, friends


@pytest.mark.slow
def test_nothing_is_shown_that_chance_has_not_decided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.draw.record.letter_picture", lambda *_: b"a picture")
    with friends(tmp_path, "open: vouched\ntrust: {authserv: [mx.example.org]}\npictures: true\n") as post:
        first = post.write(ADA, f"new the beam with {BEN}")
        asked = post.write(CLEO, f"join {post.games[0]}") | post.answer(CLEO, "board\nlegal\nnotation\nboard 0")
        for letter in (*first.values(), *asked.values()):
            assert "There is no board yet" in " ".join(text(letter).split())
            for word in ("score", "cards", "first move"):
                assert word not in text(letter).replace("two cards", ""), word
            assert "image/png" not in [part.get_content_type() for part in letter.walk()]
        assert "[accept with word bluebell]" in " ".join(text(first[BEN]).split())
        assert "bluebell" not in text(first[ADA])
        post.write(DAN, f"join {post.games[0]}")
        post.write("eve@example.org", f"join {post.games[0]}")
        begun = post.answer(BEN, "accept with word bluebell")[ADA]
        assert "Score" in text(begun)
        assert "image/png" in [part.get_content_type() for part in begun.walk()]


@pytest.mark.slow
def test_an_invitation_says_who_is_awaited(tmp_path: Path) -> None:
    with friends(tmp_path) as post:
        post.write(ADA, f"new boundary with {BEN}, as south")
        assert "- the invited player: an answer to the invitation, by Monday 8 March" in post.said(ADA)
        assert "Please answer by Mon 8 Mar, 12:00 UTC." in post.said(BEN)
        assert "first move" not in post.said(BEN), "south moves first"
        for who in (ADA, BEN):
            assert "you can write [P" not in post.said(who)
        post.write(CLEO, "new boundary, as north")
        assert "Waiting for one more player to accept," in post.said(CLEO)
        post.write(DAN, f"new laser-chess with {CLEO}, as red")
        assert "your first move accepts, too." in post.said(CLEO)


@pytest.mark.slow
def test_an_invitation_that_is_over_looks_like_no_lost_game(tmp_path: Path) -> None:
    with friends(tmp_path) as post:
        post.write(ADA, f"new boundary with {BEN}, as south")
        came = post.answer(BEN, "decline")
        post.pass_time(0.1)
        later = post.answer(ADA, "board")
        for letter in (*came.values(), *later.values()):
            said = text(letter)
            assert "There will be no game." in " ".join(said.split())
            for word in ("score", "abandoned", "audit", "The board"):
                assert word not in said, word


@pytest.mark.slow
def test_only_a_move_is_not_in(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("boundary")
        for body, sender in (("give 3 days to bob", None), ("claim x", None), ("abort now\nset board big", None)):
            subject = str(next(iter(post.write("south", body, sender=sender).values()))["Subject"])
            assert subject == f"[{GAME}] NOT done: please see why", body
            post.pass_time(1)
        desk = f"desk+{GAME}@example.org"
        assert "NOT done:" in next(iter(post.write("south", "resign", to=desk).values()))["Subject"]
        assert "is NOT in" in next(iter(post.write("south", "P a1-a2", to=desk).values()))["Subject"]
        post.write("south", "resign")
        late = next(iter(post.write("north", "give 3 days").values()))
        assert "NOT done:" in late["Subject"]
        assert text(late).startswith("Something in your letter was NOT done")
        assert "The game is over: you have won" in " ".join(text(late).split())
