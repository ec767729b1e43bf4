"""What players choose for their letters: it is kept for all of them, and nobody else can choose it."""

from __future__ import annotations

from pathlib import Path

from referee.draw.words import words
from tests.support.correspondence import GAME, address, corresponding, text


def test_a_choice_holds_for_all_later_letters(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", "pictures: true\n") as post:
        post.open("laser-chess")
        first = post.write("blue", "set board words\nset view red")[address("blue")]
        assert first["Subject"] == f"[{GAME}] Done as you wrote"
        assert "Done for all letters to you from now on: [set board words]." in text(first)
        told = post.write("red", "offer draw")[address("blue")]
        flat = " ".join(text(told).split())
        assert "The board at the start, as red sees it" in flat
        for sentence in words(post.state.position, "red"):
            assert f"- {sentence}" in flat
        assert told.get_content_type() == "multipart/alternative"
        post.write("blue", "set pictures off")
        told = post.write("red", "message\nhello\nend")[address("blue")]
        assert told.get_content_type() == "text/plain"
        post.write("blue", "set board text\nset view own\nset pictures on")
        assert post.office.store.preferences(address("blue")) == {}
        assert post.kinds == ["opened", "offered", "message"], "no choice is an event of a game"


def test_a_choice_needs_the_key_of_a_seat(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        post.write("south", "set board words", to=f"desk+{GAME}@example.org")
        post.write("south", "set board words", sender="eve@elsewhere.example")
        assert post.office.store.preferences(address("south")) == {}


def test_what_cannot_be_chosen_is_told(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        told = text(post.write("south", "set view west")[address("south")])
        assert "NOT done: expected [set view] with one of these: own, south, north." in " ".join(told.split())
        assert post.office.store.preferences(address("south")) == {}
