"""A letter that an eavesdropper sends again: it has no effect, or is proved not to fit.

The host knows every address of the desk, and can also hand an old letter to a newer address. The letter itself names
its address, and its signature covers that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import dkim
import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from referee.desk import Act, Close, MakeMove, OfferDraw, Reopen, Resign, Terms, UseKey
from referee.game import GameFile
from referee.mail.handlers.pipeline import handle_waiting
from referee.mail.host.host import open_game, order_by_host
from referee.mail.transport.receipt import receive
from tests.mail.inventive_hosts import bare
from tests.support.correspondence import GAME, Correspondence, address, corresponding, text
from tests.support.desks import signer
from tests.support.examples import sampled
from tests.support.friends import ADA, BEN, friends
from tests.support.keyed_games import lines
from tests.support.rows import each
from tests.support.signed_letters import DOMAIN, FIELDS, SELECTOR, key, move, playing, stamped
from tests.support.witnesses import witnessed

GAMES = ("beams", "boundary", "laser-chess", "the-beam")
OTHER = "autumn-1"
HOP = b"Received: from relay by mx.example.org; Mon, 01 Mar 2027 12:00:00 +0000\r\n"


class Letters:
    """The letters of players, as they went out."""

    def __init__(self, post: Correspondence, stamp: Callable[[bytes], bytes] = stamped) -> None:
        self.post, self.sent = post, list[bytes]()

        def kept(raw: bytes) -> bytes:
            self.sent.append(stamp(raw))
            return self.sent[-1]

        post.stamp = kept

    def again(self, raw: bytes, game: str = GAME, *, to: str | None = None) -> list[str]:
        """The kinds of the events of a letter that is received again."""
        office = self.post.office
        before = len(office.desk.log(game))
        receive(office, raw, self.post.at, recipient=to)
        handle_waiting(office, self.post.at)
        self.post.collect()
        return [entry.as_json()["kind"] for entry in office.desk.log(game)[before:]]


def mover(post: Correspondence) -> str:
    return next(side for side in post.state.position.sides if side in post.state.owing)


def legal(post: Correspondence, side: str, which: int = 0) -> str:
    return [str(one) for one, _ in zip(post.state.position.legal_moves(side), range(which + 1), strict=False)][-1]


def with_new_id(raw: bytes) -> bytes:
    """A letter with a new id, as an attacker with its text can send it: its signature no longer fits."""
    return re.sub(rb"Message-ID: <([^>]*)>", rb"Message-ID: <again.\1>", bare(raw))


class Saying(NamedTuple):
    """The text of a letter, its answer, true if only games of two have it, and true if the side to move writes it."""

    body: str
    answer: str = ""
    of_two: bool = False
    moving: bool = True


SAYINGS = {
    "a move": Saying("MOVE"),
    "a message": Saying("message\nHello\nend", of_two=True),
    "an offer that stands": Saying("offer draw", of_two=True),
    "an offer that was declined": Saying("offer draw", "decline", of_two=True),
    "days off": Saying("vacation 2027-03-02 2027-03-03"),
    "days off that were taken back": Saying("vacation 2027-03-02 2027-03-03", "own: vacation 0"),
    "hours for the other side": Saying("give 24 hours", of_two=True, moving=False),
    "a resignation": Saying("resign", of_two=True),
}


def rows() -> Iterable[tuple[str, str]]:
    return [
        (game, shows) for game in GAMES for shows, said in SAYINGS.items() if not (said.of_two and game == "the-beam")
    ]


@pytest.mark.slow
@each(rows, every=21)
def test_a_letter_that_comes_again_does_nothing(row: tuple[str, str], tmp_path: Path) -> None:
    """Neither the same letter nor a copy by another way; not in later plies, and not after the game was reopened."""
    game, shows = row
    said = SAYINGS[shows]
    with corresponding(tmp_path / f"{game} {shows}") as post:
        letters = Letters(post)
        post.open(game, {"days": 5, "vacation": 9, "bank": 48})
        side = mover(post)
        other = next(one for one in post.state.players if one != side)
        if not said.moving:
            side, other = other, side
        post.write(side, legal(post, side) if said.body == "MOVE" else said.body)
        raw = letters.sent[-1]
        assert len(post.kinds) > 1, "it has done something"
        if said.answer:
            post.write(side if said.answer.startswith("own: ") else other, said.answer.removeprefix("own: "))

        def nothing() -> None:
            for copy in (raw, HOP + raw, HOP + HOP + raw):
                assert letters.again(copy) == []

        nothing()
        for _ in range(len(post.state.players) + 1):
            if post.state.closed is None:
                move(post, mover(post))
                nothing()
        if post.state.closed is None:
            order_by_host(post.office, GAME, Close(), post.at)
            post.collect()
        assert post.state.closed is not None
        nothing()
        if game == "the-beam":
            return  # its end reveals the deal, so it cannot be reopened
        order_by_host(post.office, GAME, Reopen("It was a mistake"), post.at)
        post.collect()
        nothing()
        assert letters.again(with_new_id(raw)) in ([], ["message"])
        move(post, mover(post))
        nothing()
        report, _ = witnessed(post.office, GAME)
        assert report.findings == ()


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(GAMES, 3))
def test_a_letter_handed_to_another_address_does_not_fit(game: str, tmp_path: Path) -> None:
    """To the same seat in a later ply, to another game, and to the game as it goes on after its end."""
    with playing(tmp_path / "desk", game) as post:
        letters = Letters(post)
        side = mover(post)
        post.write(side, f"{legal(post, side)}\nmessage\nWell\nend")
        raw = letters.sent[-1]
        while side not in post.state.owing:
            move(post, mover(post))
        addresses = {one: address(one) for one in post.state.players}
        open_game(post.office, OTHER, GameFile(game), post.at, terms=None, addresses=addresses, secret="seed-0")
        post.collect()
        for name in (GAME, OTHER):
            to = post.office.seat_address(post.office.desk.state(name), side)
            brought = letters.again(with_new_id(raw), name, to=to)
            report, _ = witnessed(post.office, name)
            assert brought or game in ("boundary", "the-beam"), "the host can have it written into a log"
            if brought:
                assert {one.code for one in report.findings} == {"letter"}
                assert "was written to another address" in report.findings[0].message


@pytest.mark.slow
@pytest.mark.parametrize("game", ["boundary", "laser-chess"])
def test_a_host_who_writes_a_copy_into_the_log_is_found(game: str, tmp_path: Path) -> None:
    """A declined offer comes again as a copy with a valid signature, and a friend accepts it."""
    with playing(tmp_path / "desk", game) as post, pytest.MonkeyPatch.context() as patch:
        letters = Letters(post)
        side = mover(post)
        other = next(one for one in post.state.players if one != side)
        post.write(side, "offer draw")
        post.write(other, "decline")
        patch.setattr("referee.mail.handlers.visit.has_acted", lambda *_: False)
        assert letters.again(HOP + letters.sent[0]) == ["offered"]
        post.write(other, "accept")
        assert post.kinds[-1] == "closed"
        report, _ = witnessed(post.office, GAME)
        assert [one.message for one in report.findings] == ["a copy of its letter has acted before"]


RELAXED: dict[str, Callable[[bytes], bytes]] = {
    "two blanks for one": lambda text: text.replace(b" ", b"  "),
    "a tabulator": lambda text: text.replace(b" ", b"\t"),
    "a blank at the end of a line": lambda text: text.replace(b"\r\n", b" \r\n", 1),
    "empty lines at the end": lambda text: text + b"\r\n\r\n",
    "other words": lambda text: text.replace(b"\r\n", b" please\r\n", 1),
}
"""Changes of a text that DKIM allows, and others."""

ABOVE: dict[str, bytes] = {
    "a hop": HOP,
    "18 KB of fields": (b"X-Spam-Report: " + b"a" * 900 + b"\r\n") * 20 + HOP,
    "another id": HOP + b"Message-ID: <another@host.example>\r\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("above", sampled(ABOVE, 2))
@pytest.mark.parametrize("change", sampled(RELAXED, 2))
def test_a_copy_is_recognized_despite_changes_by_servers(above: str, change: str, tmp_path: Path) -> None:
    """An honest desk does nothing again, and reports that once; a cheating host is found."""
    with playing(tmp_path / "desk", "boundary") as post, pytest.MonkeyPatch.context() as patch:
        letters = Letters(post, relaxed)
        side = mover(post)
        other = next(one for one in post.state.players if one != side)
        post.write(other, "give 24 hours")
        raw = letters.sent[-1]
        head, _, said = raw.partition(b"\r\n\r\n")
        copy = ABOVE[above] + head + b"\r\n\r\n" + RELAXED[change](said)
        before = len(post.letters[address(other)])
        assert letters.again(copy) == []
        (told,) = post.letters[address(other)][before:]
        assert "I have already had this letter, and did what it says." in " ".join(text(told).split())
        assert "NOT" not in str(told["Subject"])
        assert letters.again(HOP + copy) == []
        assert len(post.letters[address(other)]) == before + 1, "once is enough"
        report, _ = witnessed(post.office, GAME)
        assert report.findings == ()
        patch.setattr("referee.mail.handlers.visit.has_acted", lambda *_: False)
        if change != "other words":
            assert letters.again(HOP + HOP + copy) == ["gave"]
            report, _ = witnessed(post.office, GAME)
            assert [one.message for one in report.findings] == ["a copy of its letter has acted before"]


def relaxed(raw: bytes) -> bytes:
    """A letter as most mail servers sign it."""
    pem = key(DOMAIN).private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    fields = [name.encode() for name in FIELDS]
    signing = dkim.DKIM(raw)
    made: bytes = signing.sign(
        SELECTOR.encode(), DOMAIN.encode(), pem, canonicalize=(b"relaxed", b"relaxed"), include_headers=fields
    )
    return made + raw


@pytest.mark.slow
def test_letters_without_an_id_act_each_time(tmp_path: Path) -> None:
    """Programs other than mail programs give none; a signed letter is recognized by its signature."""
    with corresponding(tmp_path / "desk") as post:
        post.open("boundary", {"days": 5})
        to = post.office.seat_address(post.state, "south")
        head = f"From: south@players.example\r\nTo: {to}\r\nSubject: my letter\r\nDate: "
        first, second = (f"{head}{number}\r\n\r\nmessage\r\nHello\r\nend\r\n".encode() for number in (1, 2))
        letters = Letters(post)
        assert letters.again(first) == letters.again(second) == ["message"]
        signed = relaxed(first)
        assert letters.again(signed) == ["message"]
        assert letters.again(HOP + signed.replace(b"Hello", b"Hello ")) == []


WAYS_TO_WRITE_AN_ID = {
    "as it is": lambda said: b"Message-ID: <" + said + b">",
    "on the next line": lambda said: b"Message-ID:\r\n <" + said + b">",
    "in two lines": lambda said: b"Message-ID: <" + said[:5] + b"\r\n " + said[5:] + b">",
    "encoded": lambda said: b"Message-ID: =?utf-8?q?<" + said + b">?=",
    "not in ASCII": lambda said: b"Message-ID: <\xfc" + said + b">",
    "in UTF-8": lambda said: b"Message-ID: <\xc3\xbc" + said + b">",
    "behind a long header": lambda said: (b"X-Long: " + b"a" * 900 + b"\r\n") * 20 + b"Message-ID: <" + said + b">",
}


@pytest.mark.slow
@pytest.mark.parametrize("way", sampled(WAYS_TO_WRITE_AN_ID, 3))
def test_a_copy_does_nothing_however_its_id_is_written(way: str, tmp_path: Path) -> None:
    with playing(tmp_path / "desk", "boundary") as post:
        letters = Letters(post, lambda raw: _with_id_written(stamped(raw), way))
        side = mover(post)
        other = next(one for one in post.state.players if one != side)
        post.write(side, "offer draw")
        post.write(other, "decline")
        brought = letters.again(HOP + letters.sent[0])
        assert brought == []
        report, _ = witnessed(post.office, GAME)
        assert [one.message for one in report.findings if "copy" in one.message] == []


def _with_id_written(raw: bytes, way: str) -> bytes:
    return re.sub(rb"Message-ID: <([^>]*)>", lambda found: WAYS_TO_WRITE_AN_ID[way](found[1]), raw, count=1)


def keyed_acts(post: Correspondence, side: str) -> list[Act]:
    return [MakeMove(legal(post, side)), Resign(), *([OfferDraw()] if "p1" not in post.state.players else [])]


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(GAMES, 3))
def test_a_signed_act_is_for_one_moment_of_one_game(game: str, tmp_path: Path) -> None:
    """An attacker's letter with the same lines has no effect in the next ply, another game, or a reopened id."""
    with corresponding(tmp_path / "desk") as post:
        post.open(game, {"days": 5})
        side = mover(post)
        post.write(side, str(UseKey(signer(side).public)))
        said = {str(one): lines(post, side, one) for one in keyed_acts(post, side)}
        post.write(side, next(iter(said.values())))
        while side not in post.state.owing:
            move(post, mover(post))
        before = post.kinds
        for body in said.values():
            post.write(side, body)
        assert post.kinds == before, "each belongs to the ply before"
        addresses = {one: address(one) for one in post.state.players}
        open_game(post.office, OTHER, GameFile(game), post.at, terms=None, addresses=addresses, secret="seed-0")
        post.collect()
        other = post.office.desk.state(OTHER)
        assert side in other.owing
        there = post.office.seat_address(other, side)
        post.write(side, str(UseKey(signer(side).public)), to=there)
        entries = len(post.office.desk.log(OTHER))
        for body in said.values():
            post.write(side, body, to=post.office.seat_address(post.office.desk.state(OTHER), side))
        assert len(post.office.desk.log(OTHER)) == entries, "each belongs to the other game"
    with corresponding(tmp_path / "again") as post:
        post.pass_time(1)
        post.open(game, {"days": 5})
        post.write(side, str(UseKey(signer(side).public)))
        before = post.kinds
        for body in said.values():
            post.write(side, body)
        assert post.kinds == before, "the same id begins another log"


@pytest.mark.slow
def test_no_letter_counts_in_a_rematch(tmp_path: Path) -> None:
    with friends(tmp_path) as post:
        post.write(ADA, f"new boundary with {BEN}, as south")
        post.answer(BEN, "accept")
        (first,) = post.games
        sent = list[bytes]()
        for body in ("P a1-a2", "message\nHello\nend", "resign"):
            sent.append(post.letter(ADA, body, to=str(post.letters[ADA][-1]["Reply-To"])))
            receive(post.office, sent[-1], post.at)
            handle_waiting(post.office, post.at)
            post.collect()
        post.answer(ADA, "rematch")
        post.answer(BEN, "rematch")
        (second,) = {*post.games} - {first}
        for _ in range(2):
            kinds = {name: post.kinds(name) for name in post.games}
            for raw in sent:
                for copy in (raw, HOP + raw, with_new_id(raw)):
                    receive(post.office, copy, post.at)
                    handle_waiting(post.office, post.at)
                    post.collect()
            assert {name: post.kinds(name) for name in post.games} == kinds
            if post.office.desk.state(second).invitation is not None:
                post.answer(BEN, "accept")
        post.holds()


@pytest.mark.slow
def test_a_copy_for_all_games_does_nothing(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        letters = Letters(post)
        post.open("boundary", {"days": 5, "vacation": 9})
        post.write("south", "vacation 2 all")
        assert post.kinds[-1] == "vacation"
        raw = letters.sent[-1]
        post.pass_time(24 * 4)
        addresses = {side: address(side) for side in ("south", "north")}
        terms = Terms.read({"days": 5, "vacation": 9})
        open_game(post.office, "autumn-1", GameFile("boundary"), post.at, terms=terms, addresses=addresses)
        post.collect()
        for copy in (raw, HOP + raw):
            assert letters.again(copy) == letters.again(copy, "autumn-1") == []
