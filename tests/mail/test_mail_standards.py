"""Letters by the standards of mail, byte by byte; the letters of all other tests are checked as well."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest

from referee.desk import Terms
from referee.game import GameFile, Player
from referee.mail.host.host import open_game
from tests.support.correspondence import GAME, Correspondence, corresponding

RED, BLUE = 'Кристиан Достоевский-Чайковский младший, "граф"', 'Ben, the (second) "Brown"'
FULL = "pictures: true\nattach: [game, log, record, sheet]\nname: Спортивный судья настольных игр по переписке\n"


def begin(post: Correspondence) -> None:
    file = GameFile("laser-chess", players={"red": Player(RED), "blue": Player(BLUE)})
    addresses = {side: f"{side}@players.example" for side in ("red", "blue")}
    open_game(post.office, GAME, file, post.at, terms=Terms.read({"days": 3}), addresses=addresses)
    post.collect()


def named(letter: EmailMessage, field: str) -> str:
    return bare(letter[field].addresses[0].display_name)


def bare(name: str) -> str:
    """A name without blanks: Python's parser puts one between two encoded words of a phrase."""
    return name.replace(" ", "")


@pytest.mark.slow
def test_names_that_are_not_ascii_are_encoded_in_short_words(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", FULL) as post:
        begin(post)
        (red,), (blue,) = post.letters["red@players.example"], post.letters["blue@players.example"]
        assert named(blue, "To") == bare(BLUE)
        assert named(red, "To") == bare(RED)
        assert named(blue, "From") == named(blue, "Reply-To") == bare("Спортивный судья настольных игр по переписке")
        assert "Достоевский" in str(blue["Subject"])


@pytest.mark.slow
def test_the_letter_that_ends_a_game_has_its_files_in_short_lines(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", FULL) as post:
        begin(post)
        letters = post.write("blue", "resign")
        assert {part.get_filename() for part in letters["red@players.example"].iter_attachments()} == {
            f"{GAME}{end}" for end in (".yaml", ".jsonl", ".html", ".pdf")
        }


@pytest.mark.slow
def test_each_letter_has_pictures_of_its_own(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", FULL) as post:
        begin(post)
        post.write("blue", "M d1-d2")
        ids = [
            part["Content-ID"]
            for letters in post.letters.values()
            for letter in letters
            for part in letter.walk()
            if part.get_content_maintype() == "image"
        ]
        assert len(ids) == len({*ids}) > 2


@pytest.mark.slow
@pytest.mark.parametrize("taste", ["", "set pictures off"])
def test_a_page_shows_the_pictures_that_the_letter_has(taste: str, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", FULL) as post:
        begin(post)
        letter = post.write("blue", f"{taste}\nM d1-d2")["blue@players.example"]
        pictures = [part for part in letter.walk() if part.get_content_maintype() == "image"]
        page = letter.get_body(("html",))
        assert len(pictures) == (0 if taste else 1)
        assert page is None or all(f'src="cid:{one["Content-ID"][1:-1]}"' in page.get_content() for one in pictures)


def test_a_name_that_looks_like_an_encoded_word_is_read_as_it_is(tmp_path: Path) -> None:
    name = "=?utf-8?q?Ben=0D=0ABcc:_eve@elsewhere.example?="
    with corresponding(tmp_path / "desk") as post:
        file = GameFile("laser-chess", players={"red": Player("Ada"), "blue": Player(name)})
        addresses = {side: f"{side}@players.example" for side in ("red", "blue")}
        open_game(post.office, GAME, file, post.at, terms=Terms.read({"days": 3}), addresses=addresses)
        post.collect()
        (red,), (blue,) = post.letters["red@players.example"], post.letters["blue@players.example"]
        assert "=?utf-8?q?Ben" in str(red["Subject"])
        assert named(blue, "To") == bare(name)
