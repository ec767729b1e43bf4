"""Plans in letters: kept, followed in one letter, shown to their writer alone, and never read in a quotation."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.desk.log.seals import commitment
from tests.support.correspondence import GAME, Correspondence, address, corresponding, said, text
from tests.support.desks import NONCE
from tests.support.engine_rooms import engines_move
from tests.support.friends import ADA, SETTINGS, friends

PLAN = "if M g8-g7 then M d2-d3\n  if M g7-g6 then M d3-d4"
LETTER = f"M d1-d2\n\n{PLAN}"


def last(post: Correspondence, side: str) -> str:
    """The text of the newest letter to a side, on one line."""
    return " ".join(text(post.letters[address(side)][-1]).split())


def test_a_plan_is_read_back_and_answers_in_one_letter(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        told = said(post, "blue", LETTER)
        assert "I keep your plan sealed until it is used" in told
        assert "[if M g8-g7 then M d2-d3]" in told
        came = post.write("red", "M g8-g7")
        assert came.keys() == {address("red"), address("blue")}
        assert text(came[address("red")]).startswith("blue moved. It is your turn.")
        assert text(came[address("blue")]).startswith("red moved, and your plan answered. Waiting for red.")
        post.write("red", "M g7-h7")
        assert post.kinds[-4:] == ["followed", "played", "played", "spent"]
        assert "Your plan has no move for what happened, and is over." in last(post, "blue")
        post.holds()


def test_a_plan_for_rounds_goes_on_from_round_to_round(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        post.write("south", "P M1 A2 12\n\nplan\nany then R A2 L\n  any then P M1 A6 12")
        for move in ("P S A2", "P S A4"):
            post.write("north", move)
            assert "Your plan has given your next move." in last(post, "south")
        assert post.kinds[-3:] == ["played", "followed", "submitted"]
        post.holds()


def test_a_plan_is_shown_replaced_and_taken_back(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        assert "I keep no plan of yours." in said(post, "blue", "plan")
        post.write("blue", LETTER)
        assert "[if M g7-g6 then M d3-d4]" in said(post, "blue", "plan")
        assert "[any then M d2-d1]" in said(post, "blue", "any then M d2-d1")
        assert "M g7-g6" not in said(post, "blue", "my plan")
        assert "I keep no plan of yours any more." in said(post, "blue", "plan off")
        assert "nothing has changed" in said(post, "blue", "plan off")
        post.write("red", "M g8-g7")
        assert post.kinds[-1] == "played"
        post.holds()


def test_a_draw_offer_ends_a_plan_and_the_letter_says_so(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        post.write("blue", LETTER)
        post.write("red", "offer draw")
        assert "That has ended your plan." in last(post, "blue")
        post.write("red", "M g8-g7")
        assert "followed" not in post.kinds
        post.holds()


def test_a_faulty_plan_changes_nothing(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        told = said(post, "blue", "M d1-d2\n\nif M g8-g7 then M a1-a2")
        assert "Your move was read as" in told or "Your move is" in told
        assert "NOT done" in told
        assert post.kinds[-1] == "played"
        assert "(move-first)" in said(post, "red", "any then M g7-g6")
        assert "(plan-without-move)" in said(post, "red", "M a1-a2\nany then M g7-g6")
        assert "planned" not in post.kinds
        post.holds()


@pytest.mark.parametrize(
    "body",
    [
        "> if M g8-g7 then M d2-d3",
        "[if M g8-g7 then M d2-d3]",
        "On Monday Ben wrote:\nif M g8-g7 then M d2-d3",
        "-- \nif M g8-g7 then M d2-d3",
        "If you like we can talk on Sunday",
        "If I may say so, d1 was a nice square",
    ],
)
def test_nothing_quoted_in_brackets_or_in_talk_is_a_plan(tmp_path: Path, body: str) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        post.write("blue", "M d1-d2")
        post.write("blue", f"board\n\n{body}")
        assert "planned" not in post.kinds


def test_a_plan_for_a_board_that_has_changed_is_refused(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        post.write("blue", "M d1-d2")
        post.write("red", "M g8-g7")
        post.write("blue", "M d2-d3")
        post.write("blue", "any then M d3-d4", last=-3)
        assert "(stale)" in last(post, "blue")
        assert "planned" not in post.kinds


def test_a_run_against_an_engine_is_one_letter(tmp_path: Path) -> None:
    with friends(tmp_path, SETTINGS) as post:
        post.write(ADA, "new laser-chess with engine:1, as blue")
        post.answer(ADA, "M d1-d2\n\nany then M d2-d3\n  any then M d3-d2")
        engines_move(post.office, post.at)
        (came,) = post.collect()
        assert came == ADA


@pytest.mark.parametrize(
    ("game", "move", "plan", "right"),
    [
        ("beams", "P M1 A2 12", "plan\n2. R A2 L\n3. P S A6", True),
        ("beams", "P M1 A2 12", "plan\n3. R A2 L\n4. P S A6", False),
        ("laser-chess", "M d1-d2", "1... M g8-g7 2. M d2-d3", True),
        ("laser-chess", "M d1-d2", "2... M g8-g7 3. M d2-d3", False),
    ],
)
def test_the_rounds_of_a_plan_are_the_next_ones(tmp_path: Path, game: str, move: str, plan: str, right: bool) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open(game)
        told = said(post, next(iter(post.state.position.to_move - {"north"})), f"{move}\n\n{plan}")
        assert ("planned" in post.kinds) == right, told


def test_nobody_else_learns_a_plan(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        post.write("blue", LETTER)
        came = [post.write("red", line) for line in ("board", "status", "history", "plan", "legal")]
        told = "\n".join(letter.as_string() for letters in came for letter in letters.values())
        assert "d2-d3" not in told
        assert "d2-d3" not in "".join(one.as_line() for one in post.office.desk.log(GAME))


@pytest.mark.parametrize("line", ["seal 2 {}", "seal for round 2 {}", "Seal round 2 {}"])
def test_a_move_sealed_ahead_is_asked_for_when_its_round_is_in(tmp_path: Path, line: str) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        state = post.state
        promise = commitment(state.id, 2, "south", state.protocol, "P S A4", NONCE, state.past)
        assert "Your seal for round 2 is in." in said(post, "south", f"P M1 A2 12\n{line.format(promise)}")
        post.write("north", "P S A2")
        post.write("north", "P S A4")
        assert "reveal" in last(post, "south")
        assert "it matches your seal" in said(post, "south", f"reveal P S A4 {NONCE.hex()}")
        post.holds()
