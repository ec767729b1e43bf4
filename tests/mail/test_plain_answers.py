"""Letters to newcomers, to talkers, to players who regret a move, and about forgers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.correspondence import address, corresponding, said
from tests.support.friends import friends

REGRETS = (
    "Oh wait, I would rather play P M2Y B3 10",
    "I want to change my move",
    "Can I take back my move?",
    "Sorry, wrong move!",
    "please undo my last move",
    "undo",
)


def test_a_newcomer_whose_provider_does_not_sign_learns_how_to_begin(tmp_path: Path) -> None:
    with friends(tmp_path, "open: known\nknown: [example.edu]\n") as post:
        post.write("dan@example.edu", "Hi, what can I do here? SECRET", vouched=False)
        told = post.said("dan@example.edu")
        assert "[new beams with engine:3]" in told
        assert "laser-chess" in told
        assert "SECRET" not in told
        post.write("eve@elsewhere.example", "Hello", vouched=False)
        assert "new beams" not in post.said("eve@elsewhere.example"), "she cannot open one"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "listed"),
    [
        ("Good luck, Ben!", True),
        ("Good luck team!", True),
        ("Hi Ben, nice start!", True),
        ("Hello, well done", True),
        ("Best regards", False),
        ("Many thanks", False),
        ("Hi Ben Brown,", False),
        ("hello there", False),
        ("Good morning, Ben!", False),
    ],
)
def test_a_line_to_the_other_player_is_always_listed(line: str, listed: bool, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        told = said(post, "blue", f"M d1-d2\n\n{line}")
        assert (line in told) == listed
        assert ("The others do not see these lines." in told) == listed


@pytest.mark.slow
@pytest.mark.parametrize("sealed", [True, False])
@pytest.mark.parametrize("line", REGRETS)
def test_a_player_who_wants_another_move_reads_that_the_first_one_binds(
    line: str, sealed: bool, tmp_path: Path
) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        if sealed:
            post.write("south", "P M1 A2 12")
        assert "Your first valid move binds you" in said(post, "south", line)


@pytest.mark.slow
def test_a_game_without_days_off_says_so(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams", {"days": 3})
        assert "this game has no days off (vacation-spent)" in said(post, "south", "vacation 5")


def test_a_forgers_letter_is_not_called_the_players(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        post.write("south", "P M1 A2 12", sender="eve@elsewhere.example")
        letter = post.letters[address("south")][-1]
        told = " ".join(letter.get_body(("plain",)).get_content().split())  # type: ignore[union-attr]
        assert "A letter from another address was ignored" in letter["Subject"]
        assert "A move for your seat came from another address, so I ignored it." in told
        assert "your letter" not in told.casefold().replace("letters to you", "")
