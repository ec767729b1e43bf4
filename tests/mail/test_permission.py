"""Permission to open games by letter, the proof of the sender, and letters to people who have not agreed to play."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest

from referee.game import GameFile
from referee.mail.handlers.names import LONGEST_NAME, seat_name
from referee.mail.host.host import open_game
from referee.mail.letters.format.language import moment
from tests.support.correspondence import text
from tests.support.examples import sampled
from tests.support.friends import ADA, BEN, CLEO, DAN, SETTINGS, friends
from tests.support.tables import table

SEATED = "open: players\n"


@pytest.mark.slow
@pytest.mark.parametrize("settings", sampled(["open: known\nknown: [example.net]\n", "", SEATED], 2))
def test_permission_to_open_games(settings: str, tmp_path: Path) -> None:
    """A request without permission causes no letter to others, and one with permission needs a proof."""
    allowed = "known" in settings
    with friends(tmp_path, settings) as post:
        for sender in (ADA, DAN):
            for vouched in (False, True):
                assert post.write(sender, f"new boundary with {BEN}", vouched=vouched).keys() <= {sender}
        assert post.games == []
        secret = str(post.letters[ADA][0]["Reply-To"])
        post.write(ADA, "accept", to=secret, vouched=False)
        assert len(post.games) == allowed
        if allowed:
            post.write(ADA, "accept", to=secret)
            assert len(post.games) == 1, "once is enough"


@pytest.mark.slow
def test_the_desk_does_not_write_to_addresses_that_the_host_forbids(tmp_path: Path) -> None:
    """Others could write in their name, and a plus sign or a dot makes no other person."""
    with friends(tmp_path, f"{SETTINGS}never: [example.com, {CLEO}]\n") as post:
        for sender in (BEN, CLEO, "c.leo+x@example.net"):
            for body in ("hello", "new boundary", "games"):
                assert post.write(sender, body) == {}
        assert post.games == []


@pytest.mark.slow
def test_people_who_may_open_games_can_ask_before_they_do(tmp_path: Path) -> None:
    """As often as they may open games; letters without proof get one note, and other people none."""
    asked = {
        "games": "How to open a game",
        "help": "[notation beams]",
        "rules the beam": "The rules of The Beam",
        "notation": "write one of these names after the word",
        "hello": "",
    }
    with friends(tmp_path, f"{SETTINGS}invitations: {{sender-a-day: 6}}\n") as post:
        for body, words in asked.items():
            came = post.write(DAN, body)
            assert came.keys() == ({DAN} if words else set()), body
            assert words in f"{post.letters[DAN][-1]['Subject']} {post.said(DAN)}", body
        told = [len(post.write(DAN, "help")) for _ in range(9)]
        assert sum(told) == 2
        assert "the last note of this kind until" in post.said(DAN)
        assert [len(post.write(CLEO, "help", vouched=False)) for _ in range(3)] == [1, 0, 0]
    (closed := tmp_path / "closed").mkdir()
    with friends(closed, "trust: {authserv: [mx.example.org]}\n") as post:
        assert [len(post.write(DAN, "rules the beam")) for _ in range(3)] == [1, 0, 0]
        assert "The rules" not in post.said(DAN)


@pytest.mark.slow
@pytest.mark.parametrize("allowed", ["host", "players", "vouched"])
def test_people_who_may_not_open_games_get_the_reason(allowed: str, tmp_path: Path) -> None:
    """Players, and invited people who reply: sending the letter again would not help."""
    with friends(tmp_path, f"open: {allowed}\ntrust: {{authserv: [mx.example.org]}}\n") as post:
        seats = {"south": ADA, "north": DAN}
        open_game(post.office, "spring-7", GameFile("boundary"), post.at, terms=None, addresses=seats)
        post.collect()
        if allowed == "host":
            assert post.write(ADA, "new boundary", vouched=False).keys() == {ADA}
            assert "please ask the host. (not-allowed)" in post.said(ADA)
            return
        post.write(ADA, f"new boundary with {BEN}")
        assert post.answer(BEN, f"new boundary with {CLEO}", vouched=False).keys() == {BEN}
        why = "their mail provider signs" if allowed == "vouched" else "please ask the host"
        assert f"{why}. (not-allowed)" in post.said(BEN)
        post.write(BEN, "accept", to=str(post.letters[BEN][0]["Reply-To"]), vouched=False)
        assert CLEO in post.answer(BEN, f"new boundary with {CLEO}", vouched=False), "now they have played here"


@pytest.mark.slow
def test_one_question_is_answered_before_the_next(tmp_path: Path) -> None:
    """Senders who answer can ask again; others are referred to the open question, and forgers gain nothing."""
    with friends(tmp_path, "open: known\nknown: [example.net]\ninvitations: {sender-a-day: 3}\n") as post:
        for count in range(3):
            post.write(ADA, "new boundary", vouched=False)
            assert "Did you write" in str(post.letters[ADA][-1]["Subject"])
            post.at += timedelta(minutes=1)
            assert post.answer(ADA, "accept", vouched=False).keys() == {ADA}
            assert len(post.games) == count + 1
        post.write(ADA, "new boundary", vouched=False)
        assert "as many questions as I may today" in post.said(ADA), "no more questions than games in a day"
        found = [post.write(CLEO, "new boundary", vouched=False) for _ in range(9)]
        assert [len(letters) for letters in found] == [1, 1] + 7 * [0], "a question, and one note a day"
        assert f"On {moment(post.at)} I asked you" in post.said(CLEO)


@pytest.mark.slow
@pytest.mark.parametrize("body", ["games", "new boundary"])
def test_capitals_in_a_forged_address_bring_no_more_letters(body: str, tmp_path: Path) -> None:
    with friends(tmp_path, f"{SETTINGS}answers: {{unasked-a-day: 3}}\n") as post:
        for name in ("spring-7", "spring-8"):
            addresses = {"south": ADA, "north": BEN}
            open_game(post.office, name, GameFile("boundary"), post.at, terms=None, addresses=addresses)
        post.collect()
        for sender in 3 * (ADA, ADA.upper(), ADA.title()):
            assert post.write(sender, body, vouched=False).keys() <= {ADA}
        assert len(post.letters[ADA]) <= 2 + 1 + 3, "two games, a question, and the answers of a day"


@pytest.mark.slow
def test_newcomers_can_correct_what_they_wrote(tmp_path: Path) -> None:
    """A vouched-for sender gets as many answers in a day as they may open games."""
    with friends(tmp_path, f"{SETTINGS}invitations: {{sender-a-day: 3}}\n") as post:
        told = [post.write(ADA, f"new boundary with {BEN}, three kings") for _ in range(5)]
        assert [len(letters) for letters in told] == [1, 1, 1, 0, 0]
        assert "last note of this kind until" in post.said(ADA)
        notes = [one.note for one in post.office.desk.inbox.history()]
        assert Counter(notes) == {"answered": 3, "not answered (limit)": 2}
        post.write(ADA, f"new boundary with {BEN}, 3 days a move. Thank you!\n\nBest regards, Ada")
        assert len(post.games) == 1


@pytest.mark.slow
def test_unclear_lines_are_asked_about_once_the_sender_is_proved(tmp_path: Path) -> None:
    """The question quotes nothing; the answer to it shows the unclear line, or has it in other words."""
    with friends(tmp_path, "open: known\nknown: [example.net]\n") as post:
        post.write(ADA, f"new boundary with {BEN}, three kings", vouched=False)
        assert "the word [accept]" in post.said(ADA)
        assert "kings" not in post.said(ADA)
        secret = str(post.letters[ADA][0]["Reply-To"])
        assert post.answer(ADA, "accept", vouched=False).keys() == {ADA}
        assert "not understood: three kings" in post.said(ADA)
        assert post.write(BEN, f"new boundary with {CLEO}", to=secret, vouched=False).keys() == {BEN}
        assert post.games == [], "only the one who was asked can answer"
        assert post.answer(ADA, f"accept\nnew boundary with {BEN}", vouched=False).keys() == {ADA, BEN}
        assert "I drew lots: you play" in post.said(ADA)
        post.write(CLEO, "new boundary, I move first", vouched=False)
        post.answer(CLEO, "Hello! new beams, no vacation", vouched=False)
        assert len(post.games) == 2
        post.write(CLEO, "new beams", vouched=False)
        assert "Did you write" in str(post.letters[CLEO][-1]["Subject"]), "the first question is answered"
        post.holds()


def test_newcomers_with_unsigned_letters_get_the_reason(tmp_path: Path) -> None:
    with friends(tmp_path) as post:
        assert post.write(ADA, f"new boundary with {BEN}", vouched=False).keys() == {ADA}
        assert "by letters that pass DMARC" in post.said(ADA)
        assert post.write(ADA, "new boundary", vouched=False) == {}, "one note a day"
        post.write(CLEO, "how does this work?")
        assert "How to open a game" in str(post.letters[CLEO][-1]["Subject"])
        assert "last note of this kind until" in post.said(CLEO)


@pytest.mark.slow
def test_players_open_games_by_reply(tmp_path: Path) -> None:
    with friends(tmp_path, SEATED) as post:
        seats = {"south": ADA, "north": BEN}
        open_game(post.office, "spring-7", GameFile("boundary"), post.at, terms=None, addresses=seats)
        post.collect()
        post.answer(ADA, f"new laser-chess with {CLEO}", vouched=False)
        assert len(post.games) == 2, "a reply to the secret address is proof enough"
        assert post.write(BEN, "new beams", vouched=False).keys() == {BEN}
        assert "Boundary" not in post.said(BEN)
        post.write(CLEO, "accept", to=str(post.letters[BEN][-1]["Reply-To"]))
        assert len(post.games) == 2, "only the one who was asked can confirm"
        post.answer(BEN, "accept", vouched=False)
        assert len(post.games) == 3


@pytest.mark.slow
def test_dmarc_is_required_of_openings_too(tmp_path: Path) -> None:
    with friends(
        tmp_path, "open: known\nknown: [example.net]\ntrust: {authserv: [mx.example.org], require: dmarc}\n"
    ) as post:
        post.write(ADA, "new boundary", vouched=False)
        post.answer(ADA, "accept", vouched=False)
        assert post.games == []
        post.write(ADA, "new boundary")
        assert len(post.games) == 1


@pytest.mark.slow
def test_strangers_see_a_short_name_and_no_other_word(tmp_path: Path) -> None:
    """Of the inviter's text, only letters of their name get through."""
    with friends(tmp_path) as post:
        evil = "Buy pills! http://evil.example/x?1 call 0900-123"
        post.write("ada.pills@evil.example", f"new beams with Click Here <{BEN}>\ncolumns 17", name=f'"{evil}"')
        letter = post.letters[BEN][0]
        shown = " ".join(text(letter).split())
        for word in ("evil", "0900", "Click", "http", "@evil"):
            assert word not in shown, word
            assert word not in str(letter["Subject"]), word
    assert len(seat_name("a " * 99, "b@c", "My desk")) <= LONGEST_NAME
    for case in table(Path(__file__).with_name("seat_names.yaml")):
        assert seat_name(case["name"], case["address"], "My desk") == case["shown"], case["name"]
