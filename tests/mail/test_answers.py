"""What people read, and what of it could come back: answers are short, clear, and ask for nothing when quoted."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from referee.desk.seals import commitment
from referee.desk.store import Change
from referee.mail.composing.text import silent
from referee.mail.intake import read_commands, speaks
from referee.mail.intake.commands import Board, Help, History, Legal, Status
from referee.mail.reachable import is_reachable
from referee.rules import GAMES
from tests.mail.correspondence import GAME, Correspondence, address, corresponding, text

WIDTHS = (50, 60, 65, 70, 72, 76)
"""So wide do mail programs make the lines that they quote."""

SHOWING = (Board, History, Legal, Status, Help)
"""Commands that do nothing but show something."""


def said(post: Correspondence, side: str, body: str) -> str:
    """What a side is answered, on one line."""
    return " ".join(text(post.write(side, body)[address(side)]).split())


@pytest.mark.parametrize("game", GAMES)
def test_a_letter_that_is_broken_into_other_lines_asks_for_nothing(game: str, tmp_path: Path) -> None:
    """Whatever a program makes of the width, without marks: no move of the letter, no claim, no resignation."""
    with corresponding(tmp_path / "desk") as post:
        post.open(game, {"days": 5, "vacation": 5})
        for _ in range(6):
            side = min(post.state.owing)
            post.write(side, f"{next(post.state.position.legal_moves(side))}\nlegal\nhelp\nhistory")
        post.pass_time(9)
        post.write(min(post.state.owing), "P M9 A9 9\nresign me\nx; resign")
        for letter in (one for letters in post.letters.values() for one in letters):
            for width in WIDTHS:
                lines = [piece for line in text(letter).splitlines() for piece in textwrap.wrap(line, width)]
                found = read_commands("\n".join(lines), game).commands
                assert not [one for one in found if not isinstance(one.command, SHOWING)], width


@pytest.mark.parametrize(
    "line", ["foo; P M1 A2 12", "resign; resign", "a; P M9; b", "| foo; P M1 A2 12", "> x; resign"]
)
def test_no_line_with_semicolons_is_a_command(line: str) -> None:
    assert not any(speaks(one, "beams") for one in silent([line], "beams"))


def test_a_long_message_is_passed_on_in_lines_with_a_bar(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        long = "Would you kindly write the word resign on a line of its own and nothing else, " * 9
        told = post.write("south", f"message\n{long}\n\nresign\nend")[address("north")]
        lines = text(told).splitlines()
        written = lines[
            lines.index("- south writes:") + 1 : lines.index("The board at the start, as north sees it") - 1
        ]
        assert len(written) > 9
        assert all(line.startswith("|") for line in written)


def test_many_commands_and_many_slips_are_cut_short(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        answer = text(post.write("south", "\n".join(f"legal P M{n % 4} A{n}" for n in range(300)))[address("south")])
        assert answer.splitlines().count("Your legal moves") == 20
        post.pass_time(1)
        answer = text(post.write("south", "\n".join(f"P M9 A{n} 12" for n in range(300)))[address("south")])
        assert (answer.count("NOT done"), "more lines" in answer) == (3, True)


def test_an_address_that_cannot_be_written_to_gets_no_note(tmp_path: Path) -> None:
    addresses = (
        "j\u00fcrgen@example.com",
        "a..b@example.com",
        "a.@example.com",
        "a@b..c",
        "a@example.com.",
        "=?x?q?y?=@b.c",
    )
    with corresponding(tmp_path / "desk") as post:
        for number, sender in enumerate(addresses):
            assert not is_reachable(sender)
            assert post.post(f"From: {sender}\nTo: desk@example.org\n\nHello {number}\n".encode()) == {}
        assert post.desk.store.counts()["aside"] == post.desk.store.counts()["waiting"] == 0
        assert "eve@example.com" in post.post(b"From: eve@example.com\nTo: desk@example.org\n\nHello\n")


def test_strangers_cannot_use_up_a_players_answers(tmp_path: Path) -> None:
    """Letters that only look like the player's bring him three answers a day, and show nothing of what they say."""
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        open_to_all = f"desk+{GAME}@example.org"
        bodies = [f"Visit https://evil.example/{number}\nhelp\nP M1 A2 12" for number in range(40)]
        came = [post.write("south", body, to=open_to_all).get(address("south")) for body in bodies]
        answers = [text(one) for one in came if one is not None]
        assert len(answers) == 3
        assert not any("evil" in one for one in answers)
        assert said(post, "south", "P M1 A2 12").startswith("Round 1: your move is in.")


def test_one_person_on_both_sides(tmp_path: Path) -> None:
    """Each letter still has the key of its own seat."""
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        one = address("south")
        post.desk.store.change(GAME, post.at, lambda _: Change(secrets={"address/north": one}))
        north = post.desk.store.key.token(GAME, "north", 0, 1)
        raw = f"From: {one}\nTo: desk+{GAME}.{north}@example.org\n\nP M1 A2 12\n".encode()
        with pytest.raises(AssertionError, match="one letter at most"):
            post.post(raw)
        assert post.state.standing("north") == "sealed"
        assert post.state.standing("south") == "to-move"


def test_what_clumsy_people_write(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams", {"days": 5, "vacation": 9})
        assert "try [" not in said(post, "south", "seal abc")
        assert "with just one of them" not in said(post, "south", "message\nhello")
        assert "claim 'anything' now" in said(post, "south", "claim the game")
        assert "9 are left" in said(post, "south", "vacation")
        promise = commitment(GAME, 1, "south", "beams 1", "P M1 A2 12", bytes(32))
        assert "Commitment" in said(post, "south", f"seal {promise}")
        first = text(post.write("south", "resign")[address("south")]).splitlines()[0]
        post.desk.store._states.clear()
        assert text(post.write("south", "legal")[address("south")]).splitlines()[0] == first
        assert "You have no move to make now." in said(post, "south", "legal")


def test_a_move_in_everyday_words_is_not_made_but_suggested(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        post.write("south", "P M1 B3 12")
        post.write("north", "P S A2")
        told = said(post, "south", "rotate b3 left")
        assert "Not understood, and nothing was done with it:" in told
        assert "try [R B3 L]" in told
        assert len(post.state.plies) == 1
        assert "south" in post.state.owing
