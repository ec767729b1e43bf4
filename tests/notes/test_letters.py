"""Mailboxes as notes: letters that answer each other, strangers, and letters with two moves."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cli.notes import lines_of
from referee.notes import Doubt, Imported, import_notes

MOVES = ["M c4-d5", "M f5-e6", "M c1-d2", "M e5-d4"]
ADA, BEN, EVE = "Ada Fox <ada@example.org>", "Ben Oak <ben@example.org>", "Eve Elm <eve@example.org>"


def letter(number: int, text: str, *, sender: str = "", day: int = 0, answers: int = 0) -> str:
    """A letter of a mailbox; without more words the players take turns, a letter a day."""
    headers = [
        f"From: {sender or (ADA, BEN)[(number - 1) % 2]}",
        f"Date: {day or number} Mar 2027 12:00:00 +0000",
        f"Message-ID: <{number}@example.org>",
        *([f"In-Reply-To: <{answers}@example.org>"] if answers else []),
    ]
    return "\n".join(["From nobody Mon Mar  1 12:00:00 2027", *headers, "", text, ""])


def read(path: Path, *letters: str) -> Imported:
    path.write_text("\n".join(letters) + "\n", encoding="utf-8")
    return import_notes(lines_of(str(path), path.read_bytes()), "laser-chess")


def moves(found: Imported) -> list[str]:
    return [str(one.move) for each in found.game.rounds for one in each.moves]


@pytest.fixture
def mailbox(tmp_path: Path) -> Path:
    return tmp_path / "game.mbox"


@pytest.mark.parametrize("days", [[1, 2, 9, 4], [1, 8, 3, 4], [4, 3, 2, 1], [1, 2, 3, 4]])
def test_a_letter_follows_the_one_that_it_answers_despite_their_dates(mailbox: Path, days: list[int]) -> None:
    first = "I play blue.\n" + MOVES[0]
    texts = [first, *MOVES[1:]]
    found = read(mailbox, *(letter(place + 1, texts[place], day=days[place], answers=place) for place in range(4)))
    assert moves(found) == MOVES
    assert found.is_sure
    assert any("dated before" in one.message for one in found.remarks) == (days != sorted(days))


def test_letters_that_answer_each_other_in_a_circle_are_all_read(mailbox: Path) -> None:
    found = read(mailbox, *(letter(one, MOVES[one - 1], answers=one % 4 + 1) for one in (1, 2, 3, 4)))
    assert sorted(str(line.text) for line in lines_of(str(mailbox), mailbox.read_bytes())) == sorted(MOVES)
    assert found.game.game == "laser-chess"


@pytest.mark.parametrize("text", ["M e5-d4", "What a game you two play!"])
def test_a_letter_of_a_third_person_is_unsure(mailbox: Path, text: str) -> None:
    letters = [letter(one, MOVES[one - 1]) for one in (1, 2, 3)]
    found = read(mailbox, *letters, letter(4, text, sender=EVE))
    assert not found.is_sure
    assert any("Eve Elm" in one.message and one.kind == "unsure" for one in found.remarks)


def test_two_legal_moves_in_a_letter_are_a_question(mailbox: Path) -> None:
    letters = [letter(1, "I play blue.\n" + MOVES[0]), letter(2, "In the other game: M f5-f6\nHere: M f5-e6")]
    found = read(mailbox, *letters)
    assert [one.choices for one in found.doubts] == [("M f5-f6", "no move, only talk")]

    def second(doubt: Doubt) -> int:
        return len(doubt.choices) - 1

    answered = import_notes(lines_of(str(mailbox), mailbox.read_bytes()), "laser-chess", choose=second)
    assert (moves(answered), answered.is_sure) == (MOVES[:2], True)
