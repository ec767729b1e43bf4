"""A program that ignores Reply-To can move: the letter that it answers names the seat."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path

import pytest

from referee.desk import acting_side
from referee.mail.host.host import renew_key
from tests.support.correspondence import GAME, Correspondence, address, corresponding, text
from tests.support.signed_letters import DOMAIN, FIELDS, known_keys, signed
from tests.support.witnesses import witnessed

DESK = "desk@example.org"
TRUST = "trust: {authserv: [mx.example.org]}\n"
PASS, FAIL = (
    f"Authentication-Results: mx.example.org; dmarc={said} header.from=players.example\n"
    "Received: from client.example by mx.example.org with ESMTPS; Mon, 01 Mar 2027 12:00:00 +0000\n"
    for said in ("pass", "fail")
)


@contextmanager
def playing(folder: Path) -> Iterator[Correspondence]:
    with corresponding(folder / "desk", TRUST) as post:
        post.open("laser-chess")
        yield post
        post.holds()


def newest(post: Correspondence, side: str) -> EmailMessage:
    return post.letters[address(side)][-1]


def legal(post: Correspondence) -> str:
    """A move of red's."""
    return str(next(iter(post.state.position.legal_moves("red"))))


def answer(post: Correspondence, side: str, said: str, *, field: str, identity: str = "", above: str = PASS) -> str:
    """The answer of a program to the desk's own address; the field names the letter that it answers."""
    identity = identity or str(newest(post, side)["Message-ID"])
    post.count += 1
    fields = f"From: {address(side)}\nTo: {DESK}\n{field}: {identity}\nMessage-ID: <{post.count}@players.example>\n"
    raw = f"{above}{fields}\n{said}\n"
    came = post.post(raw.replace("\n", "\r\n").encode())
    return text(came[address(side)])


@pytest.mark.slow
@pytest.mark.parametrize("field", ["In-Reply-To", "References"])
def test_a_reply_to_the_desks_own_address_moves(field: str, tmp_path: Path) -> None:
    with playing(tmp_path) as post:
        assert "Your move is in" in answer(post, "blue", "M d1-d2", field=field)
        assert "Your move is in" in answer(post, "red", f"{legal(post)}\nmessage\nHello\nend", field=field)
        assert len(post.state.plies) == 2


@pytest.mark.slow
def test_an_invented_or_changed_id_moves_nothing(tmp_path: Path) -> None:
    with playing(tmp_path) as post:
        known = str(newest(post, "blue")["Message-ID"])
        mark = re.findall(r"\.([0-9a-f]{20})\.referee@", known)[0]
        for other in (known.replace(mark, "0" * 20), known.replace(f".{mark}", ""), known.replace("blue", "red")):
            assert "(no-token)" in answer(post, "blue", "M d1-d2", field="In-Reply-To", identity=other)
        assert post.state.plies == ()


@pytest.mark.slow
def test_without_the_mail_servers_word_it_moves_nothing(tmp_path: Path) -> None:
    with playing(tmp_path) as post:
        for above in (FAIL, ""):
            told = answer(post, "blue", "M d1-d2", field="In-Reply-To", above=above)
            assert "(no-token)" in told
            assert f"desk+{GAME}." in told, "the address to write to is in the letter's text"


@pytest.mark.slow
def test_the_id_of_an_older_ply_or_of_another_player_moves_nothing(tmp_path: Path) -> None:
    with playing(tmp_path) as post:
        old = str(newest(post, "blue")["Message-ID"])
        post.write("blue", "M d1-d2")
        post.write("red", legal(post))
        assert "(no-token)" in answer(post, "blue", "M c1-c2", field="In-Reply-To", identity=old)
        theirs = str(newest(post, "red")["Message-ID"])
        assert "(no-token)" in answer(post, "blue", "M c1-c2", field="In-Reply-To", identity=theirs)
        assert len(post.state.plies) == 2


@pytest.mark.slow
def test_a_new_key_of_the_desk_voids_the_ids_of_older_letters(tmp_path: Path) -> None:
    with playing(tmp_path) as post:
        old = str(newest(post, "blue")["Message-ID"])
        renew_key(post.office, post.at)
        post.collect()
        assert "(no-token)" in answer(post, "blue", "M d1-d2", field="In-Reply-To", identity=old)
        assert "Your move is in" in answer(post, "blue", "M d1-d2 ", field="In-Reply-To")


@pytest.mark.slow
@pytest.mark.parametrize("fields", [(*FIELDS, "in-reply-to", "references"), FIELDS])
def test_no_signature_ties_a_letter_to_the_seat_that_only_a_number_of_the_desk_names(
    fields: tuple[str, ...], tmp_path: Path
) -> None:
    with playing(tmp_path) as post:
        identity = newest(post, "blue")["Message-ID"]
        raw = (
            f"From: {address('blue')}\nTo: {DESK}\nSubject: my move\nMessage-ID: <1@players.example>\n"
            f"In-Reply-To: {identity}\n\nM d1-d2\n"
        )
        letter = PASS.replace("\n", "\r\n").encode() + signed(
            raw.replace("\n", "\r\n").encode(), DOMAIN, fields=fields
        )
        post.post(letter)
        assert len(post.state.plies) == 1
        report, witness = witnessed(post.office, GAME, known_keys())
        assert report.findings == ()
        assert [*witness.accounts["blue"].signed] == [f"signed in part by {DOMAIN}"]
        assert [acting_side(one.event) for one in witness.untied] == ["blue"]


@pytest.mark.slow
def test_an_audit_finds_an_act_whose_letter_answers_an_older_ply(tmp_path: Path) -> None:
    """A host who uses a letter of the first ply in a later one."""
    with corresponding(tmp_path / "desk", TRUST) as post, pytest.MonkeyPatch.context() as patch:
        post.open("laser-chess")
        old = str(newest(post, "blue")["Message-ID"])
        post.write("blue", "M d1-d2")
        post.write("red", legal(post))
        patch.setattr("referee.mail.handlers.arrival.answered_seats", lambda *_: ("blue",))
        answer(post, "blue", "resign", field="In-Reply-To", identity=old)
        report, _ = witnessed(post.office, GAME)
        assert [one.code for one in report.findings] == ["letter"]
        assert "answers no letter to one about this ply" in report.findings[0].message
