"""The host sends players their last letter again, perhaps with a reason."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from referee.desk import Replace
from referee.errors import Refusal
from referee.mail.handlers.notifications import resent
from referee.mail.host import host
from referee.mail.letters.format.blocks import sole_paragraph
from referee.mail.letters.story.draft import GeneralLetter, Thread, as_bytes, read_draft
from tests.support.correspondence import BEGIN, GAME, Correspondence, address, corresponding, text


def again(post: Correspondence, reason: str = "") -> str:
    """The letter that south gets again."""
    post.at += timedelta(hours=1)
    assert host.resend(post.office, GAME, "south", post.at, reason=reason) == ["south"]
    return text(post.collect()[address("south")])


def test_the_same_letter_comes_again_and_says_why(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("boundary")
        first = post.letters[address("south")][-1]
        assert again(post) == text(first)
        said = again(post, "Your mailbox was full")
        assert "The host sends this letter again\r\n-" in said
        assert "Your mailbox was full" in said
        assert post.letters[address("south")][-1]["Message-ID"] == first["Message-ID"]
        assert set(text(first).splitlines()) - set(said.splitlines()) == set()
        later = again(post, "The server was down; resign")
        assert "The server was down; resign" in later
        assert "Your mailbox was full" not in later
        post.holds()


def test_a_reason_is_one_line(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("boundary")
        for reason in ("two\nlines", " ", "a\x00b"):
            with pytest.raises(Refusal, match="a line of text"):
                host.resend(post.office, GAME, None, post.at, reason=reason)
        assert post.collect() == {}


@pytest.mark.slow
def test_every_letter_about_a_seat_that_the_host_gives_away_says_why(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("boundary")
        wanted = Replace("north", "Grace", "grace@example.org")
        host.order_by_host(post.office, GAME, wanted, post.at, reason="Ben asks for it")
        came = post.collect()
        assert came.keys() == {address("south"), address("north"), "grace@example.org"}
        assert all("The host's reason\r\n-" in text(one) and "Ben asks for it" in text(one) for one in came.values())
        post.holds()


def test_a_note_says_the_reason_first() -> None:
    note = GeneralLetter(BEGIN, "about", sole_paragraph("You sit no more."), Thread(digest="ab"))
    draft = read_draft(resent(resent(as_bytes(note), "one"), "two"))
    assert isinstance(draft, GeneralLetter)
    first, *before = draft.sections
    assert (first.heading, tuple(before)) == ("The host sends this letter again", note.sections)
