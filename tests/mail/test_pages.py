"""Letters about a desk's web pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.desk import seat_token
from referee.mail.handlers.roundup import queue_roundups
from referee.mail.host.register import letter_text, letters
from tests.support.correspondence import GAME, address, corresponding, said, text

PAGES = "pages: https://desk.example.org/club/\n"


@pytest.mark.slow
def test_a_list_of_games_names_the_calendar_of_its_reader(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", PAGES) as post:
        post.open("boundary", {"days": 3})
        key = post.office.desk.key
        (found,) = re.findall(
            r"https://desk\.example\.org/club/calendar/([a-z2-7]{24})\.ics", said(post, "south", "games")
        )
        assert found == key.calendar(address("south"))
        assert "/calendar/" not in said(post, "north", "games"), "north has no deadline"
        shown = "".join(letter_text(post.office, one.digest)[1] for one in letters(post.office))
        assert "/club/calendar/….ics" in shown
        assert key.calendar(address("south")) not in shown


@pytest.mark.slow
def test_the_letter_of_the_day_names_it_too(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", PAGES) as post:
        post.open("boundary", {"days": 9})
        post.write("south", "set letters daily")
        post.pass_time(30)
        queue_roundups(post.office, post.at)
        post.collect()
        assert post.office.desk.key.calendar(address("south")) in text(post.letters[address("south")][-1])


@pytest.mark.slow
def test_without_pages_no_letter_has_a_link(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("boundary")
        assert "http" not in said(post, "south", "games")


def test_a_letter_links_to_the_game(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", PAGES) as post:
        post.open("boundary")
        letter = text(post.letters[address("south")][-1]).replace("\r\n", "\n")
        assert "    https://desk.example.org/club/g/spring-7\n" in letter.partition("\n-- \n")[0]


@pytest.mark.slow
def test_where_moves_are_chosen_on_the_page_the_link_has_the_key_of_the_seat(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", f"{PAGES}web: {{moves: compose}}\n") as post:
        post.open("boundary")
        for side, move in (("south", "P a1-a2"), ("north", "")):
            (letter,) = post.letters[address(side)][-1:]
            (turn, key) = re.findall(rf"club/g/spring-7#{side}-(\d+)-([a-z2-7]{{16}})\r\n", text(letter))[0]
            assert f"+spring-7.{key}@" in str(letter["Reply-To"])
            assert int(turn) == post.state.turn
            assert key not in str(letter["Subject"])
            if move:
                post.write(side, move)
        shown = "".join(letter_text(post.office, one.digest)[1] for one in letters(post.office))
        assert "/g/spring-7#south-1-…" in shown
        assert seat_token(post.office.desk.key, post.state, "south", 1) not in shown
        post.write("south", "resign")
        assert "#" not in text(post.letters[address("north")][-1]).partition("\n-- \n")[2]


@pytest.mark.parametrize(
    ("moves", "says"),
    [
        ("compose", "Choose your move on the board, or reply with it, such as"),
        ("submit", "Make your move on the board, or reply with it, such as"),
    ],
)
def test_a_letter_has_the_link_once_below_the_way_to_answer(tmp_path: Path, moves: str, says: str) -> None:
    with corresponding(tmp_path / "desk", f"{PAGES}web: {{moves: {moves}}}\n") as post:
        post.open("boundary")
        for side, moves_first in (("south", True), ("north", False)):
            told = " ".join(text(post.letters[address(side)][-1]).split())
            assert (told.count("/g/spring-7#"), says in told) == (1, moves_first)
        told = " ".join(text(post.letters[address("south")][-1]).split())
        assert re.search(rf"{says} \[[^]]+\]: https://desk.example.org/club/g/spring-7#south-1-", told)


@pytest.mark.slow
def test_the_page_of_a_letter_has_the_same_link(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", f"{PAGES}web: {{moves: compose}}\npictures: true\n") as post:
        post.open("boundary")
        body = post.letters[address("south")][-1].get_body(("html",))
        assert body is not None
        key = seat_token(post.office.desk.key, post.state, "south", 1)
        assert f'<a class="go" href="https://desk.example.org/club/g/spring-7#south-1-{key}">' in body.get_content()


@pytest.mark.slow
def test_the_line_of_the_page_moves_when_it_is_mailed(tmp_path: Path) -> None:
    """Address and line are those of the page; a stranger with the link cannot move."""
    with corresponding(tmp_path / "desk", f"{PAGES}web: {{moves: compose}}\n") as post:
        post.open("boundary")
        (key,) = re.findall(r"#south-1-([a-z2-7]{16})", text(post.letters[address("south")][-1]))
        to = f"desk+{GAME}.{key}@example.org"
        post.write("south", "1. P a1-a2", sender="eve@evil.example", to=to)
        assert not post.state.plies
        post.write("south", "1. P a1-a2", to=to)
        assert post.state.plies == ({"south": "P a1-a2"},)
