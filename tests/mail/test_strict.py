"""A strict audit passes only if letters or signatures of players show all their acts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest

import referee
from referee.desk import START, MakeMove, UseKey, events, new_entry, set_up
from referee.desk.law.summary import UNSIGNED
from referee.game import loads
from referee.mail.evidence.evidence import LetterEvidence
from referee.mail.evidence.testimony import LettersAudit, audit_letters
from tests.support.correspondence import BEGIN, Correspondence
from tests.support.desks import ADDRESSES, signer
from tests.support.friends import ADA, BEN, friends
from tests.support.keyed_games import lines
from tests.support.signed_letters import DOMAIN, known_keys, move, playing, signed, stamped
from tests.support.witnesses import mailbox


def strictly(log: Sequence[str], letters: bytes = b"Subject: x\n\nHello\n") -> LettersAudit:
    return audit_letters(log, "log", witness=LetterEvidence([letters], known_keys()), strict=True)


def of_desk(post: Correspondence) -> LettersAudit:
    return strictly(post.exported.splitlines(), mailbox(post.office))


def test_an_invented_game_without_letters_is_refused() -> None:
    move = str(next(iter(referee.start("boundary").legal_moves("south"))))
    players = {"south": "Ada Victim", "north": "The Host"}
    made: list[events.LogEvent] = [
        events.Opened(events.LOG_FORMAT, "boundary", 1, None, players, {}, None, ("south",)),
        events.Played(1, {"south": move}, {}, ("north",), None),
        events.Resigned("south"),
        events.Closed("resignation", "south", "north", {"north": 1, "south": 0}, {}, None, None, ADDRESSES),
    ]
    before, written = START, list[str]()
    for number, event in enumerate(made):
        entry = new_entry("spring-7", number, BEGIN, event, before)
        before = entry.digest
        written.append(entry.as_line())
    found = strictly(written)
    assert not [line for line in found.lines if line.startswith("log:")], "the log agrees with itself"
    assert found.failed
    assert "2 acts came by no letter: nothing shows that a player wrote so" in found.lines
    assert UNSIGNED in found.lines


def test_moves_from_a_file_are_shown_by_no_letter() -> None:
    moves = "game: boundary\nmoves: |\n  1. P a1-a2 | P a6-a5\n"
    begun = set_up("spring-7", loads(moves), BEGIN)
    found = strictly([entry.as_line() for entry in begun.entries])
    assert found.failed
    assert "2 acts came by no letter: nothing shows that a player wrote so" in found.lines


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stamp", "failed"),
    [
        (stamped, False),
        (bytes, True),
        (partial(signed, domain=DOMAIN, fields=("from", "subject", "message-id")), True),
        (partial(signed, domain="host.example"), True),
    ],
    ids=["all of it", "nothing", "all but the address of the seat", "by somebody else"],
)
def test_a_letter_that_its_sender_has_not_signed_shows_nothing(
    stamp: Callable[[bytes], bytes], tmp_path: Path, *, failed: bool
) -> None:
    with playing(tmp_path / "desk", "boundary") as post:
        move(post, "south")
        post.stamp = stamp
        post.write("north", "resign")
        found = of_desk(post)
        said = "entry 3, north (resigned): no signature shows that its player wrote this, for this seat"
        assert (found.failed, said in found.lines) == (failed, failed), found.lines


@pytest.mark.slow
def test_the_key_of_a_seat_shows_an_act_as_well(tmp_path: Path) -> None:
    """But not the letter with the key: a forger could have made that one."""
    with playing(tmp_path / "desk", "boundary") as post:
        post.write("south", str(UseKey(signer("south").public)))
        post.stamp = bytes
        legal = str(next(iter(post.state.position.legal_moves("south"))))
        post.write("south", lines(post, "south", MakeMove(legal)))
        post.stamp = stamped
        post.write("north", "resign")
        assert not of_desk(post).failed
    with playing(tmp_path / "other", "boundary") as post:
        post.stamp = bytes
        post.write("south", str(UseKey(signer("south").public)))
        post.stamp = stamped
        post.write("north", "resign")
        found = of_desk(post)
        assert found.failed
        assert any("south (keyed): no signature shows" in line for line in found.lines)


@pytest.mark.slow
def test_a_game_that_its_players_have_begun_by_signed_letters_says_nothing_of_its_beginning(tmp_path: Path) -> None:
    with friends(tmp_path) as post:
        post.write(ADA, f"new boundary with {BEN}")
        post.answer(BEN, "accept")
        (name,) = post.games
        log = [entry.as_line() for entry in post.office.desk.log(name)]
        assert UNSIGNED in strictly(log, mailbox(post.office)).lines, "nobody has signed these letters"
        assert UNSIGNED not in audit_letters(log, "log").lines, "whoever has the letters can look"
