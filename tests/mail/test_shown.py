"""Requested sections on the pages of letters: boards as pictures and text, rules as paragraphs."""

from __future__ import annotations

import re
from email.message import EmailMessage
from html import unescape
from pathlib import Path

import pytest

from referee.draw.words import alt_text, by_name, words
from referee.game import GameFile
from referee.mail.host.host import open_game
from referee.mail.letters.format.blocks import Heading
from referee.mail.letters.format.text import whole_sentence
from referee.mail.letters.lessons import rules_blocks
from referee.rules import GAMES
from tests.support.correspondence import Correspondence, address, corresponding
from tests.support.examples import sampled

PICTURES = "pictures: true\n"


@pytest.fixture(autouse=True)
def _no_pictures_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.draw.record.letter_picture", lambda *_: b"a picture")


def page(letter: EmailMessage) -> str:
    html = letter.get_body(("html",))
    assert html is not None
    return str(html.get_content())


def asked(post: Correspondence, body: str) -> str:
    """The page of the answer to a request of the first side."""
    side = post.state.position.sides[0]
    return page(post.write(side, body)[address(side)])


def play(post: Correspondence, plies: int) -> None:
    for _ in range(plies):
        for side in sorted(post.state.owing):
            post.write(side, str(next(iter(post.state.position.legal_moves(side)))))


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(GAMES, 4))
def test_no_board_is_broken_where_the_screen_ends(game: str, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", PICTURES) as post:
        post.open(game)
        play(post, 2 * post.state.description.moves_per_round)
        legal = next(iter(post.state.position.legal_moves(min(post.state.position.to_move))))
        for question in ("board 1", f"try {' | '.join([str(legal)] * len(post.state.position.to_move))}"):
            told = asked(post, question)
            boards = re.findall('<pre tabindex="0" role="region" aria-label="[^"]+">(.*?)</pre>', told, re.DOTALL)
            shown = 1 if "no-trials" in told else 2
            assert len(boards) == len(re.findall("<details>", told)) == len(re.findall("<img ", told)) == shown
            assert all(len(board.splitlines()) > 6 for board in boards)
            broken = re.findall('<pre class="own">(.*?)</pre>', told, re.DOTALL)
            assert not [text for text in broken if re.search(r"\S {3,}\S", text)]


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(GAMES, 4))
def test_rules_are_paragraphs_below_headings(game: str, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", PICTURES) as post:
        post.open(game)
        told = asked(post, "rules")
        for block in rules_blocks(post.state.description, post.state.options):
            for text in (block.text,) if isinstance(block, Heading) else getattr(block, "texts", ()):
                assert f">{text}</" in unescape(re.sub("</?code[^>]*>", "", told))
        assert "<h3>The aim</h3>" in told


@pytest.mark.slow
def test_each_picture_shows_its_own_board(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", PICTURES) as post:
        post.open("boundary")
        play(post, 2)
        position = post.state.position
        tried = [*position.legal_moves("south")][:2]
        told = asked(post, "\n".join(f"try {move}" for move in tried))
        assert re.findall(r'src="cid:board-(\d)\.', told) == ["0", "1", "2"]
        shown = [unescape(one) for one in re.findall(r'<img [^>]*alt="([^"]+)"', told)]
        after = [position.play({"south": move}) for move in tried]
        events = [position.events({"south": move}, then) for move, then in zip(tried, after, strict=True)]
        wanted = [alt_text(then, "south", seen) for then, seen in zip(after, events, strict=True)]
        assert shown[:2] == [by_name(one, {"south": "you", "north": "north"}) for one in wanted]


@pytest.mark.slow
def test_boards_that_were_asked_for_are_to_the_taste_of_the_reader(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", PICTURES) as post:
        post.open("laser-chess")
        start = post.state.position
        post.write("blue", "set board words\nset view red")
        play(post, 2)
        told = unescape(asked(post, "board 1"))
        assert "The board after round 1" in told
        assert len(re.findall("<img ", told)) == 2
        assert "<pre" not in told
        after = post.state.position
        assert after != start
        for sentence in words(after, "red"):
            said = whole_sentence(by_name(sentence, {"blue": "you", "red": "red"}))
            assert told.count(f"<li>{said}</li>") == 2, "the board after the last round is the current board"


@pytest.mark.slow
def test_addresses_can_be_tapped(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", f"{PICTURES}pages: https://desk.example.org/\n") as post:
        post.open("boundary", {"days": 3})
        told = asked(post, "games")
        (found,) = {*re.findall(r'<a href="mailto:([^"]+)">', told)}
        assert found.startswith("desk+spring-7.")
        assert re.search(r'<a href="https://desk\.example\.org/calendar/[a-z2-7]+\.ics">', told)


@pytest.mark.slow
def test_letters_about_no_game_have_a_page_without_pictures(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", PICTURES) as post:
        post.open("boundary")
        addresses = {side: address(side) for side in post.state.position.sides}
        open_game(post.office, "autumn-1", GameFile("boundary"), post.at, terms=None, addresses=addresses)
        post.collect()
        post.write("north", "set pictures off")

        def note_to(side: str) -> EmailMessage:
            (answer,) = post.post(
                f"From: {address(side)}\nTo: desk@example.org\n\nrules laser-chess\n".encode()
            ).values()
            return answer

        told = page(note_to("south"))
        assert "<h2>The rules of Laser Chess</h2>" in told
        assert "<img" not in told
        assert note_to("north").get_content_type() == "text/plain"
