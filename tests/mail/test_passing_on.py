"""Words to the other players next to a command: offered on, passed on when asked, or always."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.desk import MessageSent, audit
from referee.mail.evidence.evidence import LetterEvidence
from referee.mail.evidence.handover import letters_to_give
from referee.mail.evidence.mailboxes import as_mailbox
from tests.support.correspondence import GAME, Correspondence, address, corresponding, said, text

LETTER = "Hi Ben,\n\nnice start! My answer:\nM d1-d2\nSee you on Sunday!\n\nBest wishes"
WORDS = "nice start! My answer:\n\nSee you on Sunday!"


def messages(post: Correspondence) -> list[str]:
    return [one.event.text for one in post.office.desk.log(GAME) if isinstance(one.event, MessageSent)]


def test_words_are_offered_on_and_passed_on_in_one_line(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        told = said(post, "blue", LETTER)
        assert "The others do not see these lines. Reply [pass on] to send them" in told
        assert messages(post) == []
        came = post.write("blue", "pass on")
        assert messages(post) == [WORDS]
        assert "See you on Sunday!" in text(came[address("red")])
        assert "NOT done: there are no words of yours to pass on." in said(post, "blue", "pass on")
        assert messages(post) == [WORDS]
        post.holds()


def test_words_are_kept_until_they_are_passed_on_or_others_are_written(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        post.write("blue", LETTER)
        post.write("blue", "board")
        post.write("blue", "What a game.")
        post.write("blue", "pass it on, please")
        assert messages(post) == ["What a game."]
        post.holds()


@pytest.mark.slow
def test_words_are_forgotten_when_their_writer_acts_again(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        post.write("blue", "M d1-d2\nYou fool.")
        post.write("red", "g8-g7")
        post.write("blue", "M d2-d3")
        assert "NOT done: there are no words of yours to pass on." in said(post, "blue", "pass on")
        assert messages(post) == []


@pytest.mark.slow
@pytest.mark.parametrize("body", ["Dear referee,\nmay my rook fall?\nM d1-d2", "M d1-d2\nIs the host awake?"])
def test_words_to_the_desk_are_not_passed_on_by_themselves(body: str, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        post.write("blue", "pass on always")
        assert "Reply [pass on] to send them" in said(post, "blue", body)
        assert messages(post) == []


def test_a_player_may_have_words_always_passed_on(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        assert "From now on I pass on what you write next to a move." in said(post, "blue", "pass on always")
        post.write("blue", "How do I write a turn?")
        assert messages(post) == [], "only words next to a move"
        post.write("blue", "See you!\nM d1-d9")
        assert messages(post) == [], "only next to a move that is made"
        told = said(post, "blue", LETTER)
        assert "Your message has been passed on." in told
        assert "Not understood" not in told
        assert messages(post) == [WORDS]
        post.write("red", "g8-g7")
        post.write("blue", "pass on never")
        assert "Reply [pass on] to send them" in said(post, "blue", "See you!\nM d2-d3")
        assert messages(post) == [WORDS]
        post.holds()


@pytest.mark.slow
@pytest.mark.parametrize(
    "body",
    [
        "M d1-d2\n\n> See you\nI shall be away\n> on Sunday",
        "M d1-d2\n\nBest wishes\nCleo\n\nCleo Brown, 12 Main Street\nTel. 555 1234",
        "M d1-d2\n-- \nCleo Brown, Main Street",
        "M d1-d2\n\nRed <red@players.example> is nice\nThe key of the house is below the mat",
        "M d1-d2\n\nFrom: Red <red@players.example>\nSubject: secret\n\nThe key is below the mat",
    ],
)
def test_lines_that_may_be_quoted_or_signed_are_never_passed_on(body: str, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        post.write("blue", "pass on always")
        post.write("blue", body)
        post.write("blue", "pass on")
        for one in messages(post):
            assert not {"away", "Main", "Tel.", "mat", "key"} & set(one.split())


@pytest.mark.slow
def test_nothing_is_passed_on_where_players_may_not_talk(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("the-beam")
        assert "pass on" not in said(post, "p2", "A M1 B1\nI hope that helps!")
        assert "(no-talking)" in said(post, "p2", "pass on")


@pytest.mark.slow
def test_a_message_passed_on_counts_for_the_limits_of_messages(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", "answers: {an-hour: 3}\n") as post:
        post.open("laser-chess")
        for number in range(6):
            post.write("blue", f"Word {number}.\nboard")
            post.write("blue", "pass on")
        assert 0 < len(messages(post)) < 3


@pytest.mark.slow
def test_the_letters_for_an_audit_have_the_one_that_an_answer_is_about(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        post.write("blue", "What a day.")
        post.write("blue", "pass on")
        post.write("blue", "d1-d2\nc1-c2")
        post.write("blue", "2")
        post.write("red", "resign")
        assert post.kinds[-4:] == ["message", "played", "resigned", "closed"]
        given = letters_to_give(post.office, GAME, None, unseal=False)
        witness = LetterEvidence([b"".join(as_mailbox(given.letters))], {})
        lines = [entry.as_line() for entry in post.office.desk.log(GAME)]
        assert audit(lines, witness=witness).findings == ()
        without = [one for one in given.letters if b"d1-d2" not in one.raw]
        found = audit(lines, witness=LetterEvidence([b"".join(as_mailbox(without))], {})).findings
        assert [one.code for one in found] == ["letter"]
