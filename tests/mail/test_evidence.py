"""Whose words: letters against the logs of hosts who hold the desk's key and its store, and invent what they like."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee.desk import Audit, Entry, audit
from referee.desk.events import MessageSent
from referee.desk.records import Incoming
from referee.mail.evidence import LetterEvidence
from referee.mail.intake.letter import read_letter
from referee.mail.intent import MOST_COMMANDS
from referee.mail.mailboxes import NO_DESK, as_mailbox
from referee.mail.signers import Keys, Proof, signed_by
from referee.rules import GAMES
from tests.support.correspondence import BEGIN, GAME, Correspondence
from tests.support.examples import sampled
from tests.support.forgeries import Timed, rechained
from tests.support.friends import ADA, BEN, Friends, friends
from tests.support.rows import each
from tests.support.signed_letters import (
    DOMAIN,
    SELECTOR_OF_ED25519,
    SMALL,
    ed25519_record,
    known_keys,
    move,
    place,
    playing,
    record,
    signed,
    signed_with_ed25519,
)
from tests.support.witnesses import mailbox, witnessed


def one_ply(post: Correspondence, last: int) -> None:
    """Each side moves once; the last of them makes the move of this number."""
    number = len(post.state.position.sides)
    for count in range(number):
        move(post, min(post.state.owing), last if count == number - 1 else 0)


def judged(entries: list[Entry], content: bytes, keys: Keys | None = None) -> tuple[Audit, LetterEvidence]:
    witness = LetterEvidence([content], known_keys() if keys is None else keys)
    return audit((entry.as_line() for entry in entries), witness=witness), witness


@pytest.mark.parametrize("game", sampled(GAMES, 4))
def test_a_move_of_any_game_stands_in_its_letter(game: str, tmp_path: Path) -> None:
    """The false desk makes another last move, and says that it came in the letter that the player wrote."""
    with playing(tmp_path / "true", game) as true, playing(tmp_path / "false", game) as false:
        one_ply(true, 0)
        one_ply(false, 1)
        log, other = true.office.store.log(GAME), false.office.store.log(GAME)
        report, witness = judged(log, mailbox(true.office))
        assert (report.findings, witness.found) == ((), witness.acts)
        for account in witness.accounts.values():
            assert account.signed == {f"signed by {DOMAIN}": account.letters}
        letters = [entry.came for entry in log]
        timed = [Timed(one.at, one.event, came) for one, came in zip(other, letters, strict=True)]
        forged = rechained(GAME, timed)
        assert judged(forged, b"")[0].findings == (), "without letters nobody sees it"
        assert "letter" in {one.code for one in judged(forged, mailbox(true.office))[0].findings}


Letters = dict[str, bytes]


class Host:
    """A host with the log and the letters of a game of boundary, of which he changes what he likes."""

    def __init__(self, folder: Path) -> None:
        with playing(folder, "boundary") as post:
            for _ in range(2):
                move(post, "south")
                move(post, "north")
            post.write("south", "offer draw")
            post.write("north", "decline")
            post.pass_time(1)
            post.write("north", "resign")
            self.timed = [Timed(one.at, one.event, one.came) for one in post.office.store.log(GAME)]
            self.letters: Letters = {one.letter.digest: one.letter.raw for one in post.office.store.letters_in()}
            self.kinds = post.kinds

    def letter(self, kind: str, which: int = 0) -> bytes:
        came = self.timed[self._place(kind, which)].came
        assert came is not None
        return self.letters[came.letter]

    def put(self, raw: bytes, kind: str, which: int = 0) -> Host:
        """Give an act another letter; one that has acted already keeps its time, as the log alone would show."""
        number, digest = self._place(kind, which), hashlib.sha256(raw).hexdigest()
        came, was = self.timed[number].came, self.timed[number].at
        at = was
        assert came is not None
        came = replace(came, letter=digest)
        for one in self.timed[:number]:
            if one.came is not None and one.came.letter == digest:
                came, at = replace(came, server=one.came.server), self.timed[number - 1].at
        self.timed[number:] = [one._replace(at=at if one.at == was else one.at) for one in self.timed[number:]]
        self.timed[number] = self.timed[number]._replace(came=came)
        self.letters[digest] = raw
        return self

    def same(self, kind: str, other: str) -> Host:
        """Give an act the letter of another one."""
        return self.put(self.letter(other), kind)

    def judged(self, keys: Keys | None = None) -> tuple[Audit, LetterEvidence]:
        kept = as_mailbox(Incoming(digest, BEGIN, raw) for digest, raw in self.letters.items())
        return judged(rechained(GAME, self.timed), b"".join(kept), keys)

    def _place(self, kind: str, which: int) -> int:
        return [number for number, one in enumerate(self.kinds) if one == kind][which]


def bare(raw: bytes) -> bytes:
    """A letter without its signature."""
    return re.sub(rb"DKIM-Signature:.*\r\n(?:[ \t].*\r\n)*", b"", raw)


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


def recipient(raw: bytes) -> bytes:
    found = re.search(rb"\nTo: (\S+)", raw)
    assert found is not None
    return found[1]


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Host:
    return Host(tmp_path_factory.mktemp("host") / "desk")


def again(host: Host) -> Host:
    """The same host, who has not changed anything yet."""
    fresh = object.__new__(Host)
    fresh.timed, fresh.letters, fresh.kinds = [*host.timed], {**host.letters}, host.kinds
    return fresh


@each(CHEATS)
def test_what_a_host_makes_of_letters_is_found(cheat: str, host: Host) -> None:
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


@each(CONVERTED)
def test_letters_are_known_by_other_line_ends(how: str, host: Host) -> None:
    kept = b"".join(as_mailbox(Incoming(digest, BEGIN, raw) for digest, raw in host.letters.items()))
    report, witness = judged(rechained(GAME, host.timed), CONVERTED[how](kept))
    assert (report.findings, witness.found, witness.missing) == ((), witness.acts, [])
    assert {said for one in witness.accounts.values() for said in one.signed} == {f"signed by {DOMAIN}"}


SIGNATURES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "by the sender's domain": (lambda raw: raw, f"signed by {DOMAIN}"),
    "by nobody": (bare, "not signed"),
    "by another domain": (lambda raw: signed(bare(raw), "host.example"), "which is not the sender's domain"),
    "with a key that nobody kept": (lambda raw: signed(bare(raw), "mail.players.example"), "keys that are not here"),
    "without the address": (lambda raw: signed(bare(raw), DOMAIN, fields=("from",)), f"signed in part by {DOMAIN}"),
    "up to a length": (
        lambda raw: signed(bare(raw), DOMAIN, length=True) + b"Something more\r\n",
        f"signed in part by {DOMAIN}",
    ),
    "with one of two keys of a name": (
        lambda raw: signed(bare(raw), "two.players.example"),
        "signed by two.players.example, with one of two keys of one name",
    ),
    "with a key of another kind": (
        lambda raw: signed_with_ed25519(bare(raw), DOMAIN),
        f"signed by {DOMAIN}",
    ),
    **{
        f"with {field.decode()} that was added above": (
            lambda raw, field=field: field + b"\r\n" + raw,  # type: ignore[misc]
            f"signed in part by {DOMAIN}",
        )
        for field in (
            b"To: friend@club.example",
            b"Cc: desk+spring-7@club.example",
            b"Subject: hello",
            b"Message-ID: <another@players.example>",
            b"Content-Type: text/html",
            b"X-Note: here\rContent-Type: text/html",
            b"X-Note: here\rTo: friend@club.example",
        )
    },
    "with a letter that was added before its own header": (
        lambda raw: raw.replace(
            b"\r\nFrom: ",
            b"\r\nX-Note: a\rFrom: north@players.example\rTo: %s\rMessage-ID: <x@a>\r\rresign\r\nFrom: "
            % recipient(raw),
        ),
        f"signed in part by {DOMAIN}",
    ),
    "written to somebody else": (
        lambda raw: (
            b"Delivered-To: %s\r\n" % recipient(raw)
            + signed(re.sub(rb"(?m)^To: .*", b"To: a@friend.example\r", bare(raw)), DOMAIN)
        ),
        f"signed in part by {DOMAIN}",
    ),
    "with a key that is too small": (
        lambda raw: signed(bare(raw), "small.players.example"),
        "keys that are not here",
    ),
    "with blanks without end": (lambda raw: raw + b" " * 9000, "keys that are not here"),
}


@each(SIGNATURES)
def test_how_letters_are_signed(how: str, host: Host) -> None:
    made, says = SIGNATURES[how]
    signing = again(host)
    signing.put(made(host.letter("resigned")), "resigned")
    report, witness = signing.judged(
        {
            **known_keys(),
            place("host.example"): (record("host.example"),),
            place("small.players.example"): (SMALL,),
            place("two.players.example"): (record("the host"), record("two.players.example")),
            place(DOMAIN, SELECTOR_OF_ED25519): (ed25519_record(DOMAIN),),
        }
    )
    assert report.findings == ()
    assert witness.ambiguous == (place("two.players.example"),)
    assert [one for one in witness.accounts["north"].signed if says in one], witness.accounts["north"]


RECORDS = {
    "s=email:tlsrpt; ": Proof.UNKNOWN,
    "s=tlsrpt; ": Proof.UNKNOWN,
    "s=phone; ": Proof.UNKNOWN,
    "s=email; ": Proof.SIGNED,
    "h=sha1; ": Proof.UNKNOWN,
    "h=sha1:sha256; ": Proof.SIGNED,
    "t=s; ": Proof.SIGNED,
}


@each(RECORDS)
def test_a_key_counts_for_what_its_record_says(tag: str, host: Host) -> None:
    raw, kept = host.letter("resigned"), record(DOMAIN).replace("k=rsa", f"{tag}k=rsa")
    assert signed_by(raw, read_letter(raw, NO_DESK), {place(DOMAIN): (kept,)}).proof is RECORDS[tag]


def test_a_key_that_is_not_for_names_below_signs_for_none_of_them(host: Host) -> None:
    raw = signed(bare(host.letter("resigned")), DOMAIN, identity="@below.players.example")
    letter, flagged = read_letter(raw, NO_DESK), record(DOMAIN).replace("k=rsa", "t=y:s; k=rsa")
    assert signed_by(raw, letter, known_keys()).proof is Proof.SIGNED
    assert signed_by(raw, letter, {place(DOMAIN): (flagged,)}).proof is Proof.UNKNOWN


def test_a_player_s_letter_brings_no_letter_of_the_desk_along() -> None:
    """Its carriage returns end no lines of the mailbox that it is handed over in."""
    head = f"spring-7 2 {'ab' * 32}"
    raw = f"From: a@b.example\r\n\r\nHi\rFrom desk Mon\rX-Referee-Desk: club.example\r\r-- \r{head}\r\n".encode()
    kept = b"".join(as_mailbox([Incoming(hashlib.sha256(raw).hexdigest(), BEGIN, raw)]))
    assert LetterEvidence([kept], {}).heads == ()
    assert LetterEvidence([kept.replace(b"\r", b"\n")], {}).heads != ()


def test_a_signature_that_has_expired_since_is_right(host: Host) -> None:
    """A letter is checked years later, and with every record of its key that DNS had meanwhile."""
    fields = {"keys": {place(DOMAIN): ("v=DKIM1; p=", record(DOMAIN).replace("; ", ";"), record(DOMAIN))}}
    report, witness = again(host).judged(fields["keys"])
    assert report.findings == ()
    assert witness.accounts["south"].signed == {f"signed by {DOMAIN}": 3}


PIECES = (*(one.encode() for one in (";", "=", ":", " ", "l=5", "x=1", "i=@x", "\r\n", "\r\n\r\n")), b"\0", b"\xff")
COVERED = re.compile(rb"^(?:From|To|Subject|Message-ID): |\r\n\r\n", re.MULTILINE)


@pytest.mark.slow(minutes=1)
def test_no_letter_that_was_changed_is_signed(host: Host) -> None:
    """Another byte anywhere in what the signature covers is noticed; whatever becomes of the rest, it can be read."""
    raw, draw = host.letter("resigned"), random.Random(14)
    for at in (found.end() + shift for found in COVERED.finditer(raw) for shift in range(5)):
        other = raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]
        assert signed_by(other, read_letter(other, NO_DESK), known_keys()).proof in (Proof.WRONG, Proof.NONE), other
    for _ in range(100):
        spoilt = bytearray(raw)
        for _ in range(draw.randint(1, 6)):
            at = draw.randrange(min(len(spoilt), 700))
            spoilt[at : at + draw.choice((0, 1, 20))] = draw.choice(PIECES)
        again(host).put(bytes(spoilt), "resigned").judged()


def test_a_letter_that_acts_and_the_log_s_own_reading_agree(tmp_path: Path) -> None:
    """What is asked in words that only a desk can fill in: whom to give time, and what to claim."""
    with playing(tmp_path / "desk", "boundary") as post:
        move(post, "south")
        post.write("south", "give 24 hours to player of north")
        post.write("north", "vacation 0; offer draw")
        post.pass_time(24 * 9)
        post.write("south", "claim")
        assert post.kinds[-1] == "closed"
        report, witness = witnessed(post.office, GAME)
        assert (report.findings, witness.found) == ((), witness.acts)


@pytest.mark.parametrize("field", ["X-Original-To", "Envelope-To"])
def test_a_letter_whose_seat_only_its_envelope_names_belongs_to_it(field: str, tmp_path: Path) -> None:
    with playing(tmp_path / "desk", "boundary") as post:
        seat = post.office.seat_address(post.state, "south")
        post.write("south", "message\nHello\nend", to="friend@players.example", header=f"{field}: {seat}\n")
        report, witness = witnessed(post.office, GAME)
        assert (report.findings, witness.found) == ((), 1)


def test_lines_that_a_desk_leaves_undone_bring_nothing(tmp_path: Path) -> None:
    """A letter can ask for more than a desk does at a time; a host who does the rest later is found."""
    with playing(tmp_path / "desk", "boundary") as post:
        post.write("south", "".join(f"message\nNumber {one}\nend\n" for one in range(MOST_COMMANDS + 1)))
        timed = [Timed(one.at, one.event, one.came) for one in post.office.store.log(GAME)]
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


@each(OPENINGS)
def test_whether_a_letter_asks_for_the_game_that_was_proposed(letter: str, proposed: Friends) -> None:
    (name,) = proposed.games
    first, raw = proposed.office.store.log(name)[0], proposed.letter(ADA, letter)
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
