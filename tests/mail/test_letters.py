"""The game in a letter: marks of the last ply, scores in the game's order, and the sentences for a team."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from email import message_from_bytes
from email.policy import default
from html import escape
from pathlib import Path

import pytest

from referee.desk import acts, public
from referee.draw import drawing
from referee.draw.scenes.scene import Label
from referee.draw.text import low_board, text_board
from referee.draw.words import alt_text, by_name
from referee.game import Ply, dumps
from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.host.host import order_by_host, tick_games
from referee.mail.letters.render import render
from referee.mail.transport.receipt import receive
from referee.rules import GAMES, Event, Position, first_position
from tests.support.correspondence import GAME, Correspondence, address, corresponding, proofs, restarted, text
from tests.support.examples import sampled


def play(post: Correspondence, plies: int) -> None:
    """Legal moves by letters, drawn at random."""
    chance = random.Random(11)
    while len(post.state.plies) < plies:
        side = min(post.state.owing)
        post.write(side, str(post.state.position.any_move(side, chance.randrange)))


def last_ply(post: Correspondence) -> Ply:
    """The last ply, as `referee report` has it."""
    *_, ply = post.state.as_file().replay()
    return ply


def flat(post: Correspondence, side: str) -> str:
    """The last letter to a side, on one line."""
    return " ".join(text(post.letters[address(side)][-1]).split())


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(GAMES, 4))
def test_the_board_of_a_letter_has_the_marks_of_the_last_ply(game: str, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open(game)
        play(post, 4)
        post.write(post.state.position.sides[0], "board")
        ply, side = last_ply(post), post.state.position.sides[0]
        assert ply.events
        whole, low = (
            text_board(ply.position, side, ply.events),
            low_board(ply.position, side, ply.events, explained=True),
        )
        board = low if game == "beams" else [line for line in whole if "'s" not in line]
        shown = text(post.letters[address(side)][-1]).splitlines()
        assert [line for line in board if line not in shown] == []


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(GAMES[::-1], 4))
def test_the_picture_of_a_letter_has_the_marks_of_the_last_ply(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[tuple[Position, str, tuple[Event, ...]]] = []

    def small(position: Position, view: str, events: tuple[Event, ...]) -> bytes:
        drawn.append((position, view, events))
        return b"a picture"

    monkeypatch.setattr("referee.draw.record.letter_picture", small)
    with corresponding(tmp_path / "desk") as post:
        post.open(game)
        play(post, 2)
        side = post.state.position.sides[0]
        illustrated = replace(post.office, settings=replace(post.office.settings, pictures=True))
        receive(post.office, f"From: {address(side)}\nTo: desk+{GAME}@example.org\n\nboard\n".encode(), post.at)
        handle_waiting(post.office, post.at)
        (letter,) = post.office.desk.outbox.take(post.at)
        page = message_from_bytes(render(illustrated, letter), policy=default)
        ply = last_ply(post)
        assert drawn == [(ply.position, side, ply.events)]
        assert [part.get_content() for part in page.walk() if part.get_content_type() == "image/png"] == [
            b"a picture"
        ]
        (shown,) = (part.get_content() for part in page.walk() if part.get_content_type() == "text/html")
        alt = by_name(
            alt_text(ply.position, side, ply.events), {one: one for one in post.state.players} | {side: "you"}
        )
        assert f'alt="{escape(alt)}"' in shown


@pytest.mark.slow
def test_a_page_begins_with_what_was_asked_and_ends_with_what_few_need(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.draw.record.letter_picture", lambda *_: b"a picture")
    with corresponding(tmp_path / "desk", "pictures: true\n") as post:
        post.open("beams")
        page = post.write("south", "help")[address("south")].get_body(("html",))
        assert page is not None
        shown = page.get_content()
        assert '<code class="short">[set board words]</code></th><td>in sentences; also <code' in shown
        parts = (
            "<h1>Here is what you asked for",
            "<h2>What you can write",
            "<p>Reply with your move",
            "<img ",
            "<footer>",
        )
        assert sorted(parts, key=shown.index) == [*parts]


@pytest.mark.slow
def test_a_page_explains_its_picture_and_lists_the_clocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Text of players is shown as text there."""
    monkeypatch.setattr("referee.draw.record.letter_picture", lambda *_: b"a picture")
    with corresponding(tmp_path / "desk", "pictures: true\n") as post:
        post.open("beams", {"days": 3})
        opened = post.letters[address("north")][-1].get_body(("html",))
        assert opened is not None
        first = opened.get_content()
        page = post.write("south", "message\nHello <b>North</b>,\n\nresign\nend")[address("north")].get_body(
            ("html",)
        )
        assert page is not None
        shown = "\n".join(page.get_content().splitlines())
        legend = drawing("beams").scene(post.state.position, view="north").legend
        assert "a disc without lines is a booster" in legend
        assert f'<p class="quiet">{escape(legend)}</p>' in first
        assert escape(legend) not in shown
        assert '<blockquote class="message">Hello &lt;b&gt;North&lt;/b&gt;,\n\nresign</blockquote>' in shown
        told = post.write("north", "status")[address("north")].get_body(("html",))
        assert told is not None
        assert "<li>You: a move for round 1, by Thursday 4 March" in told.get_content()


def test_the_letters_of_a_usual_board_can_be_read_on_a_telephone() -> None:
    scene = drawing("beams").scene(first_position("beams", {}), view="south")
    sizes = [one.size for one, _ in scene.marks() if isinstance(one, Label) and one.text.isalpha()]
    assert min(sizes) * 360 / scene.width >= 9


@pytest.mark.slow
def test_scores_are_in_the_order_of_the_game(tmp_path: Path) -> None:
    """Also when read from the log, whose names are in alphabetical order."""
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        play(post, 4)
        post.write("north", "resign")
        with restarted(post):
            south, north = post.state.position.score.values()
            for letter in (text(post.letters[address(side)][-1]) for side in ("south", "north")):
                points = {"south": south, "north": north}
                first = letter.splitlines()[0]
                assert any(f"{me} {points[me]}" not in first for me in points)
                rows = [line for line in letter.splitlines() if re.match(r"\w+ \d+ +holds? ", line)]
                assert [int(line.split()[1]) for line in rows] == [south, north]
            exported = dumps(post.state.as_file())
            assert f"result: {{south: {south}, north: {north}}}" in exported
            assert list(public(post.state, post.at)["outcome"]["score"]) == ["south", "north"]


@pytest.mark.slow
def test_nonces_are_in_the_order_of_the_game(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        play(post, 1)
        told = proofs(post.letters[address("south")][-1])
        assert told.index("Your commitment was made with") < told.index("north's commitment was made with")


def test_an_export_has_the_date_of_the_opening(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("boundary")
        post.pass_time(100)
        play(post, 1)
        assert "\ndate: 2027-03-01\n" in dumps(post.state.as_file())


@pytest.mark.slow
@pytest.mark.parametrize("timeout", ["claim", "loss"])
def test_a_team_has_no_other_side_that_could_win(timeout: str, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("the-beam", {"days": 3, "timeout": timeout})
        play(post, 3)
        (late,) = post.state.owing
        post.pass_time(80)
        tick_games(post.office, post.at)
        post.collect()
        if timeout == "claim":
            other = next(side for side in post.state.players if side != late)
            assert "any other player can end the game by claiming a timeout" in flat(post, late)
            post.write(other, "claim timeout")
        written = [" ".join(text(one).split()) for letters in post.letters.values() for one in letters]
        points = post.state.position.score["team"]
        assert all(
            f"The game is over: the team scored {points} point" in flat(post, side) for side in post.state.players
        )
        for words in ("other side", "there is no winner", "team has won", "you have won", "the game is lost"):
            assert not [one for one in written if words in one]


@pytest.mark.slow
def test_the_winner_after_a_timeout(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("boundary", {"days": 3})
        (late,) = post.state.owing
        other = next(side for side in post.state.players if side != late)
        post.pass_time(80)
        tick_games(post.office, post.at)
        post.collect()
        assert "Your time ran out on Thursday 4 March 2027, 12:00 UTC; the other side can win by" in flat(post, late)
        assert f"{late}'s time ran out on Thursday 4 March 2027, 12:00 UTC; you can win by" in flat(post, other)


@pytest.mark.slow
def test_no_win_is_promised_where_both_are_late(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams", {"days": 3})
        post.pass_time(80)
        tick_games(post.office, post.at)
        post.collect()
        assert "win by" not in flat(post, "south") + flat(post, "north")


def test_a_word_longer_than_a_line_is_broken(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("boundary", {})
        order_by_host(post.office, GAME, acts.Pause("x" * 150), post.at)
        assert all(text(one).replace("\r\n", "").count("x") >= 150 for one in post.collect().values())
