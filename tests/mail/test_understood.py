"""Letters in people's own words (own_words.yaml): what is done, what is asked about, and what is left alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from referee.desk import Entry, Played, kind_of
from tests.support.correspondence import Correspondence, address, corresponding, text
from tests.support.friends import ADA, BEN, friends
from tests.support.tables import table
from tests.support.witnesses import expect_letters

TABLE: dict[str, dict[str, dict[str, Any]]] = table(Path(__file__).with_name("own_words.yaml"))
LINES = [(setting, body) for setting, rows in TABLE.items() for body in rows]
ASKS = re.compile(r"(?:Did you mean|for example) (.*?reply)")
QUICK = 12
"""Every so many lines are tried in the quick tests."""

GAMES = {"sealed": "beams", "beams": "beams", "boundary": "boundary", "the-beam": "the-beam"}
WRITERS = {"beams": "south", "sealed": "south", "boundary": "south", "the-beam": "p2", "invited": "south"}
BEFORE = {
    "sealed": [("north", "P M1 A4 12")],
    "offered": [("blue", "d1-c2"), ("red", "offer draw")],
    "spoken": [("blue", "d1-c2"), ("red", "offer draw\nmessage\nShall we meet on Sunday?\nend")],
    "asked": [("blue", "After all this time\nI give up")],
    "asked-two": [("blue", "d1-d2\nc1-c2")],
    "over": [("blue", "resign")],
}
PASS = (
    "Authentication-Results: mx.example.org; dmarc=pass header.from=players.example\n"
    "Received: from client.example by mx.example.org with ESMTPS; Mon, 01 Mar 2027 12:00:00 +0000\n"
)


@contextmanager
def set_up(setting: str, folder: Path) -> Iterator[Correspondence]:
    """A correspondence in the set-up of a group of lines."""
    with corresponding(folder / "desk", "open: vouched\ntrust: {authserv: [mx.example.org]}\n") as post:
        if setting == "invited":
            south = address("south")
            post.write("north", f"new beams with {south}, I play north", to="desk@example.org", above=PASS)
        else:
            post.open(GAMES.get(setting, "laser-chess"))
        for side, body in BEFORE.get(setting, ()):
            post.write(side, body)
        yield post


def outcome(setting: str, body: str, folder: Path) -> dict[str, Any]:
    """What comes of a letter: the events, the choices that it is asked about, and the answer."""
    with set_up(setting, folder) as post:
        desk, side = post.office.desk, WRITERS.get(setting, "blue")
        (game,) = desk.catalogue.ids()
        before = len(desk.log(game))
        came = post.write(side, body, above=PASS)
        begun = [one for one in desk.catalogue.ids() if one != game]
        for one in desk.catalogue.ids():
            expect_letters(post.office, one)
        answer = came.get(address(side))
        told = " ".join(text(answer).split()) if answer is not None else ""
        return {
            "does": " ".join([*map(said, desk.log(game)[before:]), *["rematch" for _ in begun]]),
            "asks": re.findall(
                r"\[([^\]]+)\]", " ".join(re.findall(r"(?:Did you mean|for example) (.*?reply .*?)\.", told))
            ),
            "listed": "Not understood" in told,
            "told": told,
        }


def said(entry: Entry) -> str:
    """The kind of an event, with its move."""
    event = entry.event
    if isinstance(event, Played):
        return " ".join(["played", *(event.moves.values() if len(event.moves) == 1 else ())])
    return kind_of(event)


@pytest.mark.slow
@pytest.mark.parametrize(("setting", "body"), LINES)
def test_a_letter_in_own_words(setting: str, body: str, tmp_path: Path) -> None:
    expect_outcome(setting, body, tmp_path)


@pytest.mark.parametrize(("setting", "body"), LINES[::QUICK])
def test_some_letters_in_own_words(setting: str, body: str, tmp_path: Path) -> None:
    expect_outcome(setting, body, tmp_path)


def expect_outcome(setting: str, body: str, folder: Path) -> None:
    row, found = TABLE[setting][body], outcome(setting, body, folder)
    assert found["does"] == row.get("does", ""), found["told"]
    assert f"[{row['move']}]" in found["told"] if "move" in row else True
    assert found["asks"] == row["asks"] if row.get("asks") else True
    assert found["listed"] if row.get("alone") == "listed" else True


def test_the_answer_tells_how_a_line_was_read(tmp_path: Path) -> None:
    told = outcome("beams", "m1 c2 12", tmp_path)["told"]
    assert "You wrote [m1 c2 12], and I read that as [P M1 C2 12]." in told


def test_an_answer_is_for_the_letter_that_it_replies_to(tmp_path: Path) -> None:
    with set_up("asked", tmp_path) as post:
        post.write("red", "offer draw")
        answer = post.write("blue", "yes", last=-2)[address("blue")]
        assert "[resign] or [accept]" in " ".join(text(answer).split())
        post.write("blue", "2")
        assert post.kinds[-2:] == ["accepted", "closed"]


@pytest.mark.slow
def test_only_the_last_letter_of_a_player_can_be_answered_about(tmp_path: Path) -> None:
    with set_up("asked", tmp_path) as post:
        post.write("blue", "board")
        post.write("blue", "OK")
        post.write("blue", "yes", last=-3)
        assert post.kinds == ["opened"]


def test_an_answer_to_news_is_no_answer_to_an_older_question(tmp_path: Path) -> None:
    with set_up("asked", tmp_path) as post:
        post.write("red", "message\nAre you there?\nend")
        post.write("blue", "yes")
        assert post.kinds[-1] == "message"


@pytest.mark.slow
def test_a_question_is_over_with_its_ply(tmp_path: Path) -> None:
    with set_up("asked", tmp_path) as post:
        post.write("blue", "M d1-d2")
        post.write("red", "g8-g7")
        post.write("blue", "yes")
        assert post.kinds[-1] == "played"


@pytest.mark.slow
def test_a_forged_or_copied_answer_chooses_nothing(tmp_path: Path) -> None:
    with set_up("asked", tmp_path) as post:
        post.write("blue", "yes", sender="mallory@example.com", above=PASS)
        post.write("blue", "yes", to="desk+spring-7@example.org")
        assert post.kinds[-1] == "opened"


def test_a_request_is_confirmed_by_a_bare_yes(tmp_path: Path) -> None:
    with friends(tmp_path, "open: known\nknown: [example.net]\n") as post:
        post.write(ADA, f"new beams with {BEN}", vouched=False)
        post.answer(ADA, "Yes, please!")
        assert post.state.invitation is not None
