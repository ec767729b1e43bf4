"""Plans in letters: kept, followed in one letter, shown to their writer alone, and never read in a quotation."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.desk import commitment
from tests.support.correspondence import GAME, Correspondence, address, corresponding, said, text
from tests.support.desks import NONCE
from tests.support.engine_rooms import engines_move
from tests.support.examples import sampled
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


@pytest.mark.parametrize(
    "line",
    ["If M g8-g7 \u2192 M d2-d3", "if he plays g8 to g7, I play d2 to d3", "- if M g8\u2013g7 then M d2\u2013d3"],
)
def test_a_plan_is_read_as_people_and_phones_write_it(tmp_path: Path, line: str) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        assert "[if M g8-g7 then M d2-d3]" in said(post, "blue", f"M d1-d2\n\n{line}")
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


@pytest.mark.parametrize("body", ["M g8-g7\noffer draw", "offer draw\nM g8-g7"])
def test_no_plan_answers_a_move_that_comes_with_a_draw_offer(tmp_path: Path, body: str) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        post.write("blue", LETTER)
        post.write("red", body)
        assert "That has ended your plan." in last(post, "blue")
        assert "followed" not in post.kinds
        post.write("blue", "accept")
        assert "closed" in post.kinds
        post.holds()


def test_a_faulty_plan_changes_nothing(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("boundary")
        told = said(post, "south", "P a1-a2\n\nif P f1-f2 then P a1-b2\n  if P f2-f3 then P b2-c3")
        assert "line 2, 'if P f2-f3 then P b2-c3': a piece stands on c3 (occupied)" in told
        assert post.kinds[-1] == "played"
        assert "(move-first)" in said(post, "north", "any then P f1-f2")
        assert "(plan-without-move)" in said(post, "north", "P a1-a2\nany then P f1-f2")
        assert "planned" not in post.kinds
        post.holds()


@pytest.mark.slow
def test_a_plan_tells_nothing_of_shots_that_were_not_fired(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        post.write("blue", "M d1-d2\n\nif M g8-g7 then M a1-a2")
        assert "planned" in post.kinds


@pytest.mark.parametrize(
    "body",
    [
        "> if M g8-g7 then M d2-d3",
        "[if M g8-g7 then M d2-d3]",
        "On Monday Ben wrote:\nif M g8-g7 then M d2-d3",
        "-- \nif M g8-g7 then M d2-d3",
        "If you like we can talk on Sunday",
        "If I may say so, d1 was a nice square",
        "message\nif M g8-g7 then M d2-d3\nend",
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


ONE, TWO, ELSE = "any then M d2-d3", "if M g8-g7 then M d2-d3", "else M c1-c2"


@pytest.mark.parametrize(
    ("body", "kept"),
    sampled(
        [
            (f"plan\n\n{ONE}", ONE),
            (f"{ONE}\n\nplan", ONE),
            (f"{TWO}\n\n{ELSE}", f"{TWO}\n{ELSE}"),
            ("if M g8-g7 or\nM g8-f7 then M d2-d3", "if M g8-g7 or M g8-f7 then M d2-d3"),
            (f"{TWO}\n\nThanks, and see you on Sunday!", TWO),
            (f"{TWO}\nmessage\nor do you see {ONE}\nend", TWO),
            (f"message\nhello\n{ELSE}\nend\n{TWO}", TWO),
            (f"{TWO}\nshould the moon be full\n{ELSE}", None),
            (f"anything except M g8-g7: M d2-d3\n{ELSE}", None),
            (f"stop if I am losing\n{ONE}", None),
            (f"Ben suggests:\n{TWO}", None),
            (f"{TWO}\n> any then M c1-c2\n{ELSE}", None),
            (f"{TWO}\n> if M g7-g6 then M d3-d4", None),
            (f"{TWO}\n\nOn Monday the referee wrote:\n> if M g7-g6 then M d3-d4", TWO),
            (f"{ONE}\noffer draw", None),
            (f"{ONE}\nplan off", None),
            (f"try M g8-g7\n\n{TWO}", None),
        ],
        4,
    ),
)
def test_a_letter_has_one_plan_and_no_line_of_it_is_left_out(tmp_path: Path, body: str, kept: str | None) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        post.write("blue", "M d1-d2")
        told = said(post, "blue", body)
        assert ("planned" in post.kinds) == (kept is not None), told
        assert post.office.desk.kept_plan(post.state, "blue") == kept
        post.holds()


@pytest.mark.parametrize("body", ["if M g8-g7 then\nM d1-d2", "if you play M g8-g7 then I will answer\nM d1-d2"])
def test_a_move_below_half_a_condition_is_not_made(tmp_path: Path, body: str) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        post.write("blue", f"Hello Ben\n{body}")
        assert post.kinds == ["opened"]


@pytest.mark.slow
def test_a_plan_that_may_be_quoted_is_not_chosen_by_an_answer(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        post.write("blue", "M d1-d2")
        post.write("blue", f"ben@example.org\n{ONE}")
        post.write("blue", "yes")
        assert "planned" not in post.kinds


@pytest.mark.slow
def test_words_about_moves_are_not_passed_on_by_themselves(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        post.write("blue", "pass on always")
        post.write("blue", "M d1-d2\nPlan A: M g8-g7 -> M d2-d3, if you ask me")
        assert "message" not in post.kinds


@pytest.mark.slow
def test_a_plan_of_one_ply_after_another_holds_in_the_letters_too(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        post.write("blue", f"M d1-d2\n{ONE}")
        post.write("blue", TWO)
        post.write("blue", TWO)
        post.holds()


@pytest.mark.slow
def test_a_long_line_of_a_plan_fits_a_letter(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("boundary")
        moves = " or ".join(f"P f1-{cell}" for cell in ("e1", "e2", "f2", "g1", "g2") if cell[0] in "ef")
        told = said(post, "south", f"P a1-a2\n\nif {moves} then P a2-a3 or P a2-b2 or P a2-b3")
        assert "I keep your plan" in told
        post.holds()


@pytest.mark.slow
def test_a_plan_in_text_and_html_is_one(tmp_path: Path) -> None:
    text_part, html = f"{TWO}\n{ELSE}", f"<div>{TWO}</div><div>&nbsp; {ELSE}</div>"
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        post.write("blue", "M d1-d2")
        head = 'MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary="b"\n'
        parts = f"--b\nContent-Type: text/plain\n\n{text_part}\n--b\nContent-Type: text/html\n\n{html}\n--b--"
        post.write("blue", parts, header=head)
        assert post.kinds[-1] == "planned"
