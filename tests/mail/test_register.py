"""The register of letters: the state of each, and the text that a host may read."""

from __future__ import annotations

import re
from email.utils import parseaddr
from pathlib import Path

import pytest

from referee.errors import RefereeError
from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.host.metrics import exposition
from referee.mail.host.register import letter_text, letters
from referee.mail.transport.receipt import receive
from tests.support.correspondence import GAME, Correspondence, address, corresponding
from tests.support.friends import ADA, BEN, CLEO, friends
from tests.support.servers import letter

MOVE = "P M1 A2 12"


@pytest.mark.slow
def test_every_letter_is_listed_with_what_became_of_it(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        post.pass_time(1)
        post.write("south", MOVE)
        post.pass_time(1)
        post.post(b"From: mailer-daemon@mx.example\n\nno\n")
        post.pass_time(1)
        receive(post.office, letter("what?", "ben@example.org"), post.at, sender="ben@example.org")
        found = [("in" if one.incoming else "out", one.game, one.who, one.verdict) for one in letters(post.office)]
        assert sorted(found[:2]) == [("out", GAME, "north", "news, sent"), ("out", GAME, "south", "news, sent")]
        assert sorted(found[2:-2])[0] == ("in", GAME, "south", "moved")
        assert ("out", GAME, "south", "answer, sent") in found[2:-2]
        assert found[-2:] == [
            ("in", "", "mailer-daemon@mx.example", "bounce: it comes from a mailer-daemon"),
            ("in", "", "ben@example.org", "waits"),
        ]
        assert len(letters(post.office, GAME)) == len(found) - 2
        assert letters(post.office, GAME, 2) == letters(post.office, GAME)[-2:]
        (waiting,) = post.office.desk.inbox.waiting(post.at)
        post.office.desk.inbox.postpone(waiting, None, "it failed")
        assert letters(post.office, most=1)[0].verdict == "set aside: it failed"
        with pytest.raises(RefereeError, match="no game"):
            letters(post.office, "nope")


@pytest.mark.slow
def test_a_letter_that_opens_a_game_is_listed_under_it(tmp_path: Path) -> None:
    """Although its sender has another game; so is a letter that joins, and no other."""
    with friends(tmp_path) as post:
        post.write(ADA, f"new boundary with {BEN}, as south")
        post.answer(BEN, "accept")
        post.write(ADA, "new laser-chess, as red")
        boundary, chess = sorted(post.games)
        post.write(CLEO, f"join {chess}")
        came = [(one.game, one.who, one.verdict) for one in letters(post.office) if one.incoming]
        assert (boundary, "south", "opened") in came
        assert (boundary, "north", "joined") in came
        assert came[-2:] == [(chess, "red", "opened"), (chess, "blue", "joined")]
        assert [one.verdict for one in letters(post.office, chess) if one.incoming] == ["opened", "joined"]
        post.answer(BEN, "withdraw all")
        (last,) = [one for one in letters(post.office, boundary) if one.incoming][-1:]
        assert (last.who, last.verdict) == ("north", "withdraw-all")


@pytest.mark.slow
def test_a_verdict_is_a_word_of_ours_for_any_letter(tmp_path: Path) -> None:
    with friends(tmp_path) as post:
        post.write(ADA, f"new boundary with {BEN}, as south, vacation of 9 days")
        post.answer(BEN, "accept")
        (game,) = post.games
        said = {
            "help": "asked",
            "board 1\ntry P Z9": "asked",
            "set pictures off": "set",
            "set pictures wonderful": "set",
            "wonderful": "nothing-asked",
            "P K3 please, P K3": "not-understood",
            "vacation 5 all": "vacation-all",
            "withdraw all": "withdraw-all",
        }
        for line in said:
            post.answer(ADA, line)
        found = [one.verdict for one in letters(post.office, game) if one.incoming]
        assert found == ["opened", "joined", *said.values()]
        post.answer(BEN, "new beams, columns wonderful")
        assert [one.game for one in letters(post.office) if one.incoming][-1] == "", "it is about no game here"
        labels = re.findall('letters_in{verdict="(.*)"}', exposition(post.office, post.at))
        assert {*labels} == {"arranged", "joined", *said.values()}


@pytest.mark.slow
def test_a_sealed_move_is_shown_only_to_who_asks_for_it(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        invitation = next(one for one in letters(post.office) if one.who == "south")
        assert "Subject: [spring-7]" in letter_text(post.office, invitation.digest)[1], "news says nothing secret"
        post.pass_time(1)
        post.write("south", MOVE)
        secret = [one.digest for one in letters(post.office, GAME) if one.verdict in ("moved", "answer, sent")]
        assert len(secret) == 2
        # Without the game's tag, the sender's games count.
        stray = receive(post.office, letter(f"{MOVE} is my plan", address("south")), post.at).digest
        for digest in (*secret, stray):
            with pytest.raises(RefereeError, match="sealed still"):
                letter_text(post.office, digest[:12])
            assert MOVE in letter_text(post.office, digest[:12], unseal=True)[1]
        handle_waiting(post.office, post.at)
        post.collect()
        post.pass_time(1)
        post.write("north", MOVE)
        for digest in (*secret, stray):
            assert MOVE in letter_text(post.office, digest[:12].upper())[1]


@pytest.mark.slow
def test_no_text_of_a_letter_shows_a_key(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        keys = [key_of(post, side) for side in post.state.players]
        for side in post.state.players:
            to = str(post.letters[address(side)][-1]["Reply-To"])
            post.write(side, f"board\n> From: {to}\n> at +{GAME}.{key_of(post, side)}@example.org", to=to)
        shown = [letter_text(post.office, one.digest, unseal=True)[1] for one in letters(post.office)]
        assert len(shown) >= 6
        assert not [key for key in keys for text in shown if key in text]
        assert any(f"+{GAME}.…@example.org" in text for text in shown)


SPELLINGS = (
    "mailto:desk%2Bspring-7.{key}%40example.org",
    "desk+spring-7.{first}\n> {rest}@example.org",
    "https://desk.example.org/g/spring-7#red-1-{key}",
    "https://scan.example?u=https%3A%2F%2Fdesk.example.org%2Fg%2Fspring-7%23red-1-{key}&x",
    "https://desk.example.org/g/spring-7#red-1-{first}=\n{rest}",
    "https://desk.example.org/g/spring-7#red-1-{first}\n> > {rest}",
)


@pytest.mark.slow
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_key_is_not_shown_however_a_mail_program_has_written_its_link(spelling: str, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("laser-chess")
        key = key_of(post, "red")
        written = spelling.format(key=key, first=key[:7], rest=key[7:])
        post.write("red", f"help\n> {written}\n> the next line")
        shown = [letter_text(post.office, one.digest, unseal=True)[1] for one in letters(post.office)]
        (quoting,) = [text for text in shown if "the next line" in text]
        assert key[:7] not in quoting
        assert key[7:] not in quoting
        assert "…" in quoting
        assert "\n> the next line" in quoting.replace("\r\n", "\n")


def key_of(post: Correspondence, side: str) -> str:
    """The key in the address of a side's newest letter."""
    address_of = parseaddr(str(post.letters[address(side)][-1]["Reply-To"]))[1]
    return address_of.partition(f"{GAME}.")[2].partition("@")[0]


@pytest.mark.parametrize("name", ["f" * 64, "%", "", "letter-9", "\x1b"])
def test_a_letter_that_is_not_there(name: str, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        with pytest.raises(RefereeError, match="no letter"):
            letter_text(post.office, name)


@pytest.mark.slow
def test_a_digest_that_two_letters_begin_with(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        for number in range(17):
            receive(post.office, letter(f"{number}"), post.at)
        begins = [one.digest[0] for one in letters(post.office)]
        twice = next(digit for digit in begins if begins.count(digit) > 1)
        with pytest.raises(RefereeError, match="more than one"):
            letter_text(post.office, twice)
