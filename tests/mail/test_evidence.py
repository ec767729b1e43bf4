"""Letters against the logs of hosts who have the desk's key and store, and invent entries."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee.desk import Incoming, MessageSent
from referee.mail.evidence.evidence import LetterEvidence
from referee.mail.evidence.mailboxes import as_mailbox
from referee.mail.intake.intent import MOST_COMMANDS
from referee.rules import GAMES
from tests.mail.inventive_hosts import Host, again, bare, judged, recipient
from tests.support.correspondence import BEGIN, GAME, Correspondence
from tests.support.examples import sampled
from tests.support.forgeries import Timed, rechained
from tests.support.friends import ADA, BEN, Friends, friends
from tests.support.rows import each
from tests.support.signed_letters import (
    DOMAIN,
    move,
    playing,
    signed,
)
from tests.support.witnesses import mailbox, witnessed


def one_ply(post: Correspondence, last: int) -> None:
    """Each side moves once; the last of them makes the move of this number."""
    number = len(post.state.position.sides)
    for count in range(number):
        move(post, min(post.state.owing), last if count == number - 1 else 0)


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(GAMES, 4))
def test_a_move_of_any_game_is_in_its_letter(game: str, tmp_path: Path) -> None:
    """The false desk makes another last move, and says that it came in the letter that the player wrote."""
    with playing(tmp_path / "true", game) as true, playing(tmp_path / "false", game) as false:
        one_ply(true, 0)
        one_ply(false, 1)
        log, other = true.office.desk.log(GAME), false.office.desk.log(GAME)
        report, witness = judged(log, mailbox(true.office))
        assert (report.findings, witness.found) == ((), witness.acts)
        for account in witness.accounts.values():
            assert account.signed == {f"signed by {DOMAIN}": account.letters}
        letters = [entry.came for entry in log]
        timed = [Timed(one.at, one.event, came) for one, came in zip(other, letters, strict=True)]
        forged = rechained(GAME, timed)
        assert judged(forged, b"")[0].findings == (), "without letters nobody sees it"
        assert "letter" in {one.code for one in judged(forged, mailbox(true.office))[0].findings}


def changed(raw: bytes) -> bytes:
    return raw.replace(b"decline", b"resign")


CHEATS: dict[str, tuple[Callable[[Host], object], str]] = {
    "nothing": (lambda host: host, ""),
    "another text under the player's signature": (
        lambda host: host.put(changed(host.letter("declined")), "resigned"),
        "dkim: the signature of players.example does not fit",
    ),
    "a letter signed anew with a key of the host's": (
        lambda host: host.put(signed(changed(bare(host.letter("declined"))), DOMAIN, "the host"), "resigned"),
        "dkim: ",
    ),
    "a wrong signature beside the host's own": (
        lambda host: host.put(signed(changed(host.letter("declined")), "host.example"), "resigned"),
        "dkim: ",
    ),
    "a letter of the other side": (
        lambda host: host.put(host.letter("offered").replace(b"offer draw", b"resign"), "resigned"),
        "letter: its letter comes from south@players.example, and those of north come from north@players.example",
    ),
    "a letter to the other side's address": (
        lambda host: host.put(
            bare(host.letter("offered").replace(b"offer draw", b"resign").replace(b"From: south", b"From: north")),
            "resigned",
        ),
        "letter: its letter was written to the seat of south",
    ),
    "a letter of another game": (
        lambda host: host.put(host.letter("resigned").replace(b"desk+spring-7", b"desk+autumn-1"), "resigned"),
        "letter: its letter was written to no seat of this game",
    ),
    "a letter of another game in a false envelope": (
        lambda host: host.put(
            b"Delivered-To: "
            + recipient(host.letter("resigned"))
            + b"\r\n"
            + bare(host.letter("resigned")).replace(b"desk+spring-7", b"desk+autumn-1"),
            "resigned",
        ),
        "letter: its letter was written to another address than the one to which it came",
    ),
    "an earlier letter once more": (
        lambda host: host.put(bare(host.letter("played", 1)).replace(b"message", b"resign\r\nmessage"), "resigned"),
        "letter: its letter was written in ply 2",
    ),
    "one letter for two acts": (
        lambda host: host.put(host.letter("offered").replace(b"offer draw", b"offer draw; resign"), "offered").same(
            "resigned", "offered"
        ),
        "letter: its letter has acted before, and another one since",
    ),
    "a letter that says something else": (
        lambda host: host.put(host.letter("declined"), "resigned"),
        "letter: no line of its letter says this",
    ),
    "another move": (
        lambda host: host.put(host.letter("played"), "played", 2),
        "letter: its letter does not have the move ",
    ),
    "words that the player only quotes": (
        lambda host: host.put(host.letter("resigned").replace(b"\r\nresign", b"\r\n> resign"), "resigned"),
        "letter: no line of its letter says this",
    ),
    "the answer of a machine": (
        lambda host: host.put(b"Auto-Submitted: auto-replied\r\n" + host.letter("resigned"), "resigned"),
        "letter: its letter can bring no act: Auto-Submitted",
    ),
    "a letter from nobody": (
        lambda host: host.put(host.letter("resigned").replace(b"From: north@", b"From: north at "), "resigned"),
        "letter: its letter has not one sender",
    ),
    "a letter that was changed where it is kept": (
        lambda host: host.letters.update({name: raw + b"\r\n" for name, raw in host.letters.items()}),
        "letter: the letter of this act was changed",
    ),
}


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Host:
    return Host(tmp_path_factory.mktemp("host") / "desk")


@pytest.mark.slow
@each(CHEATS, every=3)
def test_forgeries_with_letters_are_found(cheat: str, host: Host) -> None:
    cheats, says = CHEATS[cheat]
    cheating = again(host)
    cheats(cheating)
    report, _ = cheating.judged()
    found = [f"{one.code}: {one.message}" for one in report.findings]
    assert {one.code for one in report.findings} <= {"letter", "dkim"}, found
    assert [one for one in found if one.startswith(says)] if says else not found, found


CONVERTED: dict[str, Callable[[bytes], bytes]] = {
    "to line feeds": lambda content: content.replace(b"\r\n", b"\n"),
    "to those of mail": lambda content: content.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"),
    "without the names of the letters": lambda content: re.sub(rb"[0-9a-f]{64}@letters", b"me", content).replace(
        b"\r\n", b"\n"
    ),
}


@pytest.mark.slow
@each(CONVERTED)
def test_letters_are_known_by_other_line_ends(how: str, host: Host) -> None:
    kept = b"".join(as_mailbox(Incoming(digest, BEGIN, raw) for digest, raw in host.letters.items()))
    report, witness = judged(rechained(GAME, host.timed), CONVERTED[how](kept))
    assert (report.findings, witness.found, witness.missing) == ((), witness.acts, [])
    assert {said for one in witness.accounts.values() for said in one.signed} == {f"signed by {DOMAIN}"}


def test_a_player_s_letter_brings_no_letter_of_the_desk_along() -> None:
    """Its carriage returns end no lines of the mailbox with it."""
    head = f"spring-7 2 {'ab' * 32}"
    raw = f"From: a@b.example\r\n\r\nHi\rFrom desk Mon\rX-Referee-Desk: club.example\r\r-- \r{head}\r\n".encode()
    kept = b"".join(as_mailbox([Incoming(hashlib.sha256(raw).hexdigest(), BEGIN, raw)]))
    assert LetterEvidence([kept], {}).heads == ()
    assert LetterEvidence([kept.replace(b"\r", b"\n")], {}).heads != ()


@pytest.mark.slow
def test_a_letter_that_acts_and_the_log_s_own_reading_agree(tmp_path: Path) -> None:
    """Requests that only the desk can complete: the recipient of time, and the end to claim."""
    with playing(tmp_path / "desk", "boundary") as post:
        move(post, "south")
        post.write("south", "give 24 hours to player of north")
        post.write("north", "vacation 0; offer draw")
        post.pass_time(24 * 9)
        post.write("south", "claim")
        assert post.kinds[-1] == "closed"
        report, witness = witnessed(post.office, GAME)
        assert (report.findings, witness.found) == ((), witness.acts)


@pytest.mark.slow
@pytest.mark.parametrize("field", ["X-Original-To", "Envelope-To"])
def test_a_letter_whose_seat_only_its_envelope_names_belongs_to_it(field: str, tmp_path: Path) -> None:
    with playing(tmp_path / "desk", "boundary") as post:
        seat = post.office.seat_address(post.state, "south")
        post.write("south", "message\nHello\nend", to="friend@players.example", header=f"{field}: {seat}\n")
        report, witness = witnessed(post.office, GAME)
        assert (report.findings, witness.found) == ((), 1)


@pytest.mark.slow
def test_lines_that_a_desk_leaves_undone_bring_nothing(tmp_path: Path) -> None:
    """A letter can ask for more than a desk does at a time; a host who does the rest later is found."""
    with playing(tmp_path / "desk", "boundary") as post:
        post.write("south", "".join(f"message\nNumber {one}\nend\n" for one in range(MOST_COMMANDS + 1)))
        timed = [Timed(one.at, one.event, one.came) for one in post.office.desk.log(GAME)]
        assert len(timed) == 1 + MOST_COMMANDS
        more = timed[-1]._replace(event=MessageSent("south", f"Number {MOST_COMMANDS}"))
        report, _ = judged(rechained(GAME, [*timed, more]), mailbox(post.office))
        assert [(one.code, one.line) for one in report.findings] == [("letter", MOST_COMMANDS + 2)]


OPENINGS = {
    f"new boundary with {BEN}, as south": "",
    f"new boundary with {BEN}": "",
    f"new beams with {BEN}, as south": "asks for no such game",
    f"new boundary with {BEN}, as north": "asks for no such game",
    "new boundary, as south": "asks for no such game",
    f"new boundary with {BEN}, as south, 9 days a move": "asks for no such game",
    "vacation 3 all": "asks for no such game",
}


@pytest.mark.slow
@each(OPENINGS)
def test_a_letter_must_ask_for_the_game_that_was_proposed(letter: str, proposed: Friends) -> None:
    (name,) = proposed.games
    first, raw = proposed.office.desk.log(name)[0], proposed.letter(ADA, letter)
    kept = Incoming(hashlib.sha256(raw).hexdigest(), BEGIN, raw)
    assert first.came is not None
    timed = Timed(first.at, first.event, replace(first.came, letter=kept.digest))
    report, _ = judged(rechained(name, [timed]), b"".join(as_mailbox([kept])))
    found = [one.message for one in report.findings if one.code == "letter"]
    assert [one for one in found if OPENINGS[letter] in one] if OPENINGS[letter] else not found, found


@pytest.fixture(scope="module")
def proposed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Friends]:
    with friends(tmp_path_factory.mktemp("friends")) as post:
        post.write(ADA, f"new boundary with {BEN}, as south")
        yield post
