"""What letters say of a desk's web pages."""

from __future__ import annotations

import re
from pathlib import Path

from referee.mail.register import letter_text, letters
from referee.mail.roundup import queue_roundups
from tests.support.correspondence import address, corresponding, said, text

PAGES = "pages: https://desk.example.org/club/\n"


def test_a_list_of_games_names_the_calendar_of_its_reader(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", PAGES) as post:
        post.open("boundary")
        key = post.office.store.key
        for side in ("south", "north"):
            answer = said(post, side, "games")
            (found,) = re.findall(r"https://desk\.example\.org/club/calendar/([a-z2-7]{24})\.ics", answer)
            assert found == key.calendar(address(side))
        shown = "".join(letter_text(post.office, one.digest)[1] for one in letters(post.office))
        assert "/club/calendar/….ics" in shown
        assert key.calendar(address("south")) not in shown


def test_the_letter_of_the_day_names_it_too(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", PAGES) as post:
        post.open("boundary", {"days": 9})
        post.write("south", "set letters daily")
        post.pass_time(30)
        queue_roundups(post.office, post.at)
        post.collect()
        assert post.office.store.key.calendar(address("south")) in text(post.letters[address("south")][-1])


def test_without_pages_no_letter_has_a_link(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("boundary")
        assert "http" not in said(post, "south", "games")
