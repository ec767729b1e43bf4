"""Choices of players for their letters: they are kept for all games, and others cannot change them."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.draw.words import by_name, words
from referee.mail.host.host import tick_games
from referee.mail.letters.format.text import whole_sentence
from tests.support.correspondence import GAME, address, corresponding, text


@pytest.mark.slow
def test_a_choice_holds_for_all_later_letters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.draw.record.letter_picture", lambda *_: b"a picture")
    with corresponding(tmp_path / "desk", "pictures: true\n") as post:
        post.open("laser-chess")
        first = post.write("blue", "set board words\nset view red")[address("blue")]
        assert first["Subject"] == f"[{GAME}] Done as you asked"
        assert "Done for all letters to you from now on: [set board words]." in text(first)
        told = post.write("red", "offer draw")[address("blue")]
        flat = " ".join(text(told).split())
        for sentence in words(post.state.position, "red"):
            assert f"- {whole_sentence(by_name(sentence, {'blue': 'you', 'red': 'red'}))}" in flat
        assert told.get_content_type() == "multipart/alternative"
        post.write("blue", "set pictures off")
        told = post.write("red", "message\nhello\nend")[address("blue")]
        assert told.get_content_type() == "text/plain"
        post.write("blue", "set board text\nset view own\nset pictures on")
        assert post.office.desk.people.preferences(address("blue")) == {}
        assert post.kinds == ["opened", "offered", "message"], "no choice is an event of a game"


@pytest.mark.slow
def test_a_choice_needs_the_key_of_a_seat(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        post.write("south", "set board words", to=f"desk+{GAME}@example.org")
        post.write("south", "set board words", sender="eve@elsewhere.example")
        assert post.office.desk.people.preferences(address("south")) == {}


@pytest.mark.slow
def test_impossible_choices_are_reported(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        told = text(post.write("south", "set view west")[address("south")])
        assert "NOT done: expected [set view] with one of these: own, south, north." in " ".join(told.split())
        assert post.office.desk.people.preferences(address("south")) == {}


@pytest.mark.slow
def test_one_letter_a_day_for_all_games(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess", {"days": 3, "reminders": [12]})
        post.write("red", "set letters daily")
        assert post.write("blue", "M d1-d2").keys() == {address("blue")}, "news wait for the letter of the day"
        assert post.write("blue", "message\nhello\nend").keys() == {address("blue")}
        assert post.write("red", "status").keys() == {address("red")}, "answers do not"

        def pass_time(hours: float) -> list[str]:
            post.pass_time(hours)
            tick_games(post.office, post.at)
            return [str(letter["Subject"]) for letter in post.collect().values()]

        assert pass_time(1) == [], "the first one comes at the next hour of these letters"
        assert pass_time(16) == []
        assert pass_time(1.5) == ["Your games on Tue 2 Mar"]
        told = " ".join(text(post.letters[address("red")][-1]).split())
        assert "- Blue [M d1-d2]: blue's defender moved" in told
        assert "- blue writes: | hello" in told
        assert "Your move for round 1 is due by Thursday 4 March 2027, 12:00 UTC" in told
        assert post.office.seat_address(post.state, "red") in told
        assert pass_time(1) == [], "one a day"
        assert pass_time(24) == ["Your games on Wed 3 Mar"]
        assert "moved" not in text(post.letters[address("red")][-1])
        assert pass_time(18) == [f"[{GAME}] Reminder: less than 12 hours left"], "a reminder comes at once"
        post.write("red", "set letters each")
        post.write("red", "M d8-d7")
        assert post.write("blue", "resign").keys() == {address("blue"), address("red")}


@pytest.mark.slow
def test_urgent_news_does_not_wait_for_the_daily_letter(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess", {"days": 0, "bank": 24, "reminders": [], "timeout": "loss"})
        post.write("red", "set letters daily")
        assert post.write("blue", "M d1-d2").keys() == {address("blue"), address("red")}
        post.pass_time(1)
        tick_games(post.office, post.at)
        assert [str(one["Subject"]) for one in post.collect().values()] == ["Your games on Mon 1 Mar"]
