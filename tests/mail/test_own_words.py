"""Answers to players who write in their own words, and letters with fitting words."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.desk import commitment
from tests.support.correspondence import GAME, address, corresponding, restarted, said, text


@pytest.mark.slow
def test_answers_to_clumsy_letters(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams", {"days": 5, "vacation": 9})
        assert "for example [" not in said(post, "south", "seal abc")
        assert "with just one of them" not in said(post, "south", "message\nhello")
        assert "south can claim nothing now" in said(post, "south", "claim the game")
        assert "9 left" in said(post, "south", "vacation")
        promise = commitment(GAME, 1, "south", "beams 1", "P M1 A2 12", bytes(32), post.state.past)
        assert "is in and binds you" in said(post, "south", f"seal {promise}")
        assert "reveal it when I ask you to, not before" in said(post, "south", "P S A2")
        first = text(post.write("south", "resign")[address("south")]).splitlines()[0]
        with restarted(post):
            assert text(post.write("south", "legal")[address("south")]).splitlines()[0] == first
            assert "You have no move to make now." in said(post, "south", "legal")


@pytest.mark.slow
def test_a_move_in_everyday_words_is_made_if_it_is_the_only_one_meant(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        post.write("south", "P M1 B3 12")
        post.write("north", "P S A2")
        assert "for example [R B3 L]" in said(post, "south", "rotate b2 left")
        assert "south" in post.state.owing
        assert "You wrote [rotate b3 left], and I read that as [R B3 L]." in said(post, "south", "rotate b3 left")
        assert "south" not in post.state.owing


@pytest.mark.slow
def test_a_player_who_cannot_move_can_still_answer_a_draw_offer(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("boundary", {"days": 5})
        offered = post.write("south", "offer draw")
        told = " ".join(text(offered[address("north")]).split())
        assert "You have nothing to do" not in told
        assert "south's draw offer: reply [accept] or [decline]. f e" in told, "north cannot move"
        assert " ".join(text(offered[address("south")]).split()).count("offer a draw") == 1
        post.write("south", "P a1-a2")
        post.write("south", "offer draw")
        assert "Your move would decline it, too." in said(post, "north", "board")


@pytest.mark.slow
def test_a_vacation_that_begins_later_is_reported_as_such(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("boundary", {"days": 5, "vacation": 20})
        for dates, subject, begins in (
            ("2027-03-01 2027-03-02", "is on vacation until Tue 2 Mar", "is on vacation from Monday 1 March 2027"),
            (
                "2027-08-01 2027-08-03",
                "will be away from Sun 1 Aug",
                "will be away from Sunday 1 August 2027 to Tuesday",
            ),
            (
                "2028-01-10 2028-01-12",
                "will be away from Mon 10 Jan 2028",
                "will be away from Monday 10 January 2028",
            ),
        ):
            told = post.write("north", f"vacation {dates}")[address("south")]
            assert told["Subject"] == f"[{GAME}] north {subject}"
            assert text(told).startswith(f"north {begins}")
            assert ("their clock is stopped." in text(told)) == ("is on" in begins)


@pytest.mark.slow
def test_a_team_reads_how_its_moves_are_written_and_whose_turn_it_is(tmp_path: Path) -> None:
    answers = {
        "p2": {"a m1 b1; message": "'message' and 'end' need lines of their own", "A M1 B1": "You [A M1 B1]"},
        "p3": {"p slash 6 1": "the right spelling is [P / 6,1]", "p \\ 1.9": "for example [P \\ 1,6]"},
        "p4": {"P / 1,1": "it is p3's turn (not-your-turn)"},
    }
    with corresponding(tmp_path / "desk") as post:
        post.open("the-beam", {"days": 3})
        for side, letters in answers.items():
            for body, words in letters.items():
                told = said(post, side, body)
                assert words in told, told
                assert "(p1): nothing for now" not in told, "only those are listed who owe something"
                assert "as p" not in told, "the board is the same for all"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "before", "slip", "impossible"),
    [
        ("boundary", (), "P M9 A2 12", "m9"),
        ("laser-chess", (), "M d1-d9,", "d9"),
        ("beams", (), "P M1 Z9 1O", "Z9"),
        ("the-beam", ("A",), "P / 9,1.", "9,1"),
    ],
)
def test_no_letter_shows_a_place_that_no_board_has(
    game: str, before: tuple[str, ...], slip: str, impossible: str, tmp_path: Path
) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open(game)
        for begins in before:
            (side,) = post.state.owing
            moves = map(str, post.state.position.legal_moves(side))
            post.write(side, next(move for move in moves if move.startswith(begins)))
        side = next(one for one in post.state.position.sides if one in post.state.owing)
        told = said(post, side, slip)
        assert "NOT done" in told
        assert "the right spelling" not in told
        shown = [part.partition("]")[0] for part in told.split("[")[1:]]
        assert not [one for one in shown if impossible.casefold() in one.casefold()]
        assert "for example [" in told
