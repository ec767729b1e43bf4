"""Letters of one screen: an engine's answer in the receipt, your own sealed move, and the proof out of sight."""

from __future__ import annotations

from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from referee.desk import HeadSource, heads_in
from referee.mail.addresses import HEAD
from referee.mail.evidence.mailboxes import heads_of
from referee.rules import GAMES
from tests.support.correspondence import KEY, address, corresponding, proofs, said, text
from tests.support.engine_rooms import engines_move
from tests.support.examples import sampled
from tests.support.friends import ADA, SETTINGS, Friends, friends
from tests.support.letter_kinds import INVITATIONS, KINDS, letters

HOST = "host: hanna@example.org\n"
PAGES = f"pages: https://desk.example.org\nweb: {{moves: submit}}\n{HOST}"
MOST_LINES = 45


def moved(post: Friends) -> dict[str, EmailMessage]:
    """The letters that a move of Ada's brings at once."""
    return post.answer(ADA, next(map(str, post.state.position.legal_moves("south"))))


def test_an_engine_that_answers_within_a_minute_is_in_the_letter_that_confirms_your_move(tmp_path: Path) -> None:
    with friends(tmp_path, SETTINGS) as post:
        post.write(ADA, "new boundary with engine:1, as south")
        assert moved(post) == {}
        post.at += timedelta(seconds=20)
        engines_move(post.office, post.at)
        (letter,) = post.collect().values()
        assert text(letter).startswith("Engine 1 moved. It is your turn")
        told = post.said(ADA)
        assert told.index("- You [") < told.index("- Engine 1 [") < told.index("Reply with your move")
        assert letter["In-Reply-To"] == f"<{post.count}@players.example>"
        post.at += timedelta(minutes=2)
        assert post.collect() == {}, "nothing else was kept back"
        post.holds()


def test_a_slow_engine_gets_a_letter_of_its_own(tmp_path: Path) -> None:
    with friends(tmp_path, SETTINGS) as post:
        post.write(ADA, "new boundary with engine:1, as south")
        assert moved(post) == {}
        post.at += timedelta(seconds=61)
        (receipt,) = post.collect().values()
        assert text(receipt).startswith("Your move is in. Waiting for Engine 1")
        engines_move(post.office, post.at)
        (news,) = post.collect().values()
        assert "- You [" not in text(news)
        assert "- Engine 1 [" in text(news)


def test_a_second_letter_lets_the_first_answer_go_before_it(tmp_path: Path) -> None:
    with friends(tmp_path, SETTINGS) as post:
        post.write(ADA, "new boundary with engine:1, as south")
        assert moved(post) == {}
        first = str(post.letters[ADA][-1]["Reply-To"])
        post.at += timedelta(seconds=10)
        queued = post.office.desk.outbox.held(post.state.id, ADA)
        assert queued is not None
        with pytest.raises(AssertionError, match="one letter of a game at most"):
            post.write(ADA, "history", to=first)
        assert post.office.desk.outbox.held(post.state.id, ADA) is None


@pytest.mark.parametrize("game", ["beams"])
def test_the_answer_to_a_sealed_move_shows_it_on_the_board_to_its_player_alone(game: str, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open(game)
        letters = post.write("south", "P M1 A2 12")
        own, other = (text(letters[address(side)]) for side in ("south", "north"))
        assert own.startswith("Your move is in, sealed. Waiting for north.")
        assert "- You [P M1 A2 12] placed M1 at 12 on A2." in own
        assert "*M1.12" in own
        assert "M1.12" not in other
        assert "P M1 A2 12]" not in other.partition("such as")[0]


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(GAMES, 4))
def test_a_letter_of_a_turn_fits_on_a_screen_and_has_the_signed_head_in_its_header(game: str, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", PAGES, key=KEY) as post:
        post.open(game, {"days": 3})
        first = {side: len(letters) for side, letters in post.letters.items()}
        while len(post.state.plies) < 4:
            side = min(post.state.owing)
            post.write(side, next(map(str, post.state.position.legal_moves(side))))
        for letter in (one for to, letters in post.letters.items() for one in letters[first[to] :]):
            lines = text(letter).splitlines()
            assert len(lines) <= MOST_LINES
            (head,) = heads_in(proofs(letter))
            assert head.is_signed(KEY.signer.public)
            assert [one.digest for one in heads_in(text(letter))] == [head.digest]
            assert "signed " not in text(letter)
            (shown,) = heads_of(letter.as_bytes())
            assert (shown.source, shown.signature) == (HeadSource.LETTER, head.signature)


@pytest.mark.slow
@pytest.mark.parametrize("kind", sampled(KINDS, 5))
def test_every_letter_fits_on_a_screen_but_the_rules(kind: str, tmp_path: Path) -> None:
    for to, letter in letters(kind, tmp_path, PAGES if kind != INVITATIONS else PAGES.replace(HOST, "")):
        lines = text(letter).splitlines()
        assert len(lines) <= MOST_LINES or any(line.startswith("The rules of") for line in lines), to


def test_long_letters_have_a_low_board_and_answers_to_questions_none(tmp_path: Path) -> None:
    with friends(tmp_path, f"{SETTINGS}{PAGES.replace(HOST, '')}") as post:
        post.write(ADA, "new beams with engine:3, as south")
        first = text(post.letters[ADA][-1])
        assert "BA   '    ." in first, "two half-rows in a line"
        assert "' upper half-row" in first
        assert len(first.splitlines()) <= MOST_LINES
    with corresponding(tmp_path / "other", PAGES) as post:
        post.open("beams")
        for body, board in (("What a fine day", "BA   "), ("help", ""), ("rules", ""), ("P M1 A2 12", "B    .")):
            told = text(post.write("south", body)[address("south")])
            assert [one for one in ("BA   ", "B    .") if one in told] == [one for one in (board,) if one]
            assert len(told.splitlines()) <= MOST_LINES or body == "rules"


def test_a_head_in_a_field_alone_counts_only_with_the_signature_of_the_desk(tmp_path: Path) -> None:
    """A mail provider need not sign that field, so anyone on the way could have added it."""
    with corresponding(tmp_path / "desk", key=KEY) as post:
        post.open("boundary")
        letter = post.letters[address("south")][-1]
        letter.replace_header(HEAD, f"spring-7 0 {'ab' * 32}")
        heads = heads_of(letter.as_bytes())
        assert [(head.source, head.sender, head.signature) for head in heads] == [(HeadSource.LETTER, "", None)] * 2


def test_seal_explains_sealing_to_whoever_asks(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        assert "referee seal" not in text(post.letters[address("south")][-1])
        told = said(post, "south", "seal")
        assert "referee seal --rules 'beams 1' spring-7 1 south" in told
        assert "keeps your move sealed" in told
