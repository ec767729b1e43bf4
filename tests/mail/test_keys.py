"""Seats with a key of their own, by letter: signed acts count, even if a mail program breaks their lines."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from referee.desk import Accept, OfferDraw, Reveal, Seal, commitment
from referee.mail.host.host import renew_key
from referee.mail.intake.commands import does, read_commands
from tests.support.correspondence import GAME, address, corresponding, proofs, text
from tests.support.desks import signed, signer
from tests.support.examples import sampled
from tests.support.friends import ADA, BEN, friends
from tests.support.keyed_games import lines, play_with_key, said
from tests.support.rows import each

KEYED = {"beams": "north", "boundary": "north", "laser-chess": "red", "the-beam": "p3"}
SIGNATURE = "0123456789abcdef" * 8
HALVES = f"{SIGNATURE[:64]} {SIGNATURE[64:]}"

WAYS = {
    "as it is printed": f"resign\nsigned {HALVES}",
    "without a blank": f"resign\nsigned {SIGNATURE}",
    "broken at 72": f"resign\nsigned {SIGNATURE[:64]}\n{SIGNATURE[64:]}",
    "on a line of its own": f"resign\nsigned\n{SIGNATURE}",
    "in groups": "resign\nSigned: " + " ".join(re.findall("....", SIGNATURE.upper())),
    "broken anywhere": f"resign\n\nsigned {SIGNATURE[:13]}\n{SIGNATURE[13:90]}\n{SIGNATURE[90:]}",
    "in one line with the act": f"resign signed {HALVES}",
    "in stars": f"resign;\nsigned {HALVES}\n\nBest,\nBen",
}


@each(WAYS)
def test_a_signature_is_read(way: str) -> None:
    (said,) = read_commands(WAYS[way], "boundary").commands
    assert (str(said.command), said.signature) == ("resign", SIGNATURE)


def test_lines_that_are_no_signature() -> None:
    assert not read_commands(f"> resign\n> signed {HALVES}\n", "boundary").commands
    reading = read_commands(f"resign\nWhat a game\nsigned {HALVES}", "boundary")
    assert [said.signature for said in reading.commands] == [""]
    assert len(reading.unknown) == 2
    (short,) = read_commands(f"resign\nsigned {SIGNATURE[:120]}", "boundary").failed
    assert "here are 120" in short.error.message


@pytest.mark.slow
@pytest.mark.parametrize("game", sampled(KEYED, 4))
def test_a_game_between_a_seat_with_a_key_and_others_without(game: str, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        play_with_key(post, game, KEYED[game])


@pytest.mark.slow
def test_an_invitation_is_accepted_with_a_key_and_a_word(tmp_path: Path) -> None:
    """The first attempt shows the command; in games of chance the word is part of the signed text."""
    with friends(tmp_path) as post:
        post.write(ADA, f"new beams with {BEN}, as south")
        (name,) = post.games
        key = signer("ben")
        accept = Accept("blue elephant", key.public)
        post.answer(BEN, str(accept))
        state = post.office.desk.state(name)
        asked = post.said(BEN)
        assert "(unsigned)" in asked
        assert "the section 'Signing with your key' of the newest letter has the command" in asked
        assert asked.count("referee sign") == 1
        assert "with the line that accepts with your key and the signed line below it" in asked
        assert "with the word [accept]" not in asked
        ends = f"--opening {state.root} \\ --head {state.root} Then send"
        assert f"referee sign --rules 'beams 1' {name} 1 north \\ {ends}" in asked
        post.answer(BEN, f"{accept}\nsigned {signed(state, 'north', key, Accept('rain', key.public)).signature}")
        assert "(signature)" in post.said(BEN)
        post.answer(BEN, f"{accept}\nsigned {signed(state, 'north', key, accept).signature}")
        state = post.office.desk.state(name)
        assert (state.keyring.keys, state.begun != "") == ({"north": key.public}, True)
        assert f"Ben signs with this key: {key.public}" in proofs(post.letters[ADA][-1])


@pytest.mark.slow
def test_a_player_with_a_key_seals_and_reveals(tmp_path: Path) -> None:
    """The output of `referee seal --sign` is a letter now, and another one later."""
    move, nonce = "P M1 A2 12", bytes(32)
    with corresponding(tmp_path / "desk") as post:
        post.open("beams")
        post.write("north", f"key {signer('north').public}")
        first = " ".join(text(post.letters[address("north")][-1]).split())
        assert "referee seal --sign referee.key --rules 'beams 1'" in said(post, "north", "seal")
        assert "and the signed line below it, both as 'referee sign' prints them" in first
        state = post.state
        promise = commitment(GAME, 1, "north", state.protocol, move, nonce, state.past)
        assert "(unsigned)" in said(post, "north", f"seal {promise}")
        assert "is in and binds you" in said(post, "north", lines(post, "north", Seal(promise)))
        due = " ".join(text(post.write("south", move)[address("north")]).split())
        assert "the one with the word reveal, your move, and your nonce, and the signed line below it" in due
        wrong = Reveal("P M1 A4 12", nonce.hex())
        assert "(unsigned)" in said(post, "north", str(wrong))
        assert "failed" not in post.kinds, "nobody can make a reveal fail that the player has not signed"
        assert "(mismatch)" in said(post, "north", lines(post, "north", wrong))
        broken = lines(post, "north", Reveal(move, nonce.hex())).replace(nonce.hex(), f"{'0' * 41}\n{'0' * 23}")
        post.write("north", broken)
        assert post.kinds[-3:] == ["failed", "revealed", "played"]
        post.holds()


@pytest.mark.slow
def test_a_draw_is_answered_with_a_key(tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("boundary")
        post.write("north", f"key {signer('north').public}")
        offered = " ".join(text(post.write("south", "offer draw")[address("north")]).split())
        assert "Your seat has a key. If you accept or claim, add the signed line below." in offered
        assert "reply [accept] and the signed line below it" in offered
        assert "(unsigned)" in said(post, "north", "accept")
        post.write("north", lines(post, "north", Accept()))
        assert post.kinds[-1] == "closed"


@pytest.mark.slow
@pytest.mark.parametrize("form", ["flowed", "html", "quoted-printable"])
def test_a_signature_survives_the_form_of_a_letter(form: str, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk") as post:
        post.open("boundary")
        post.write("north", f"key {signer('north').public}")
        act, one, other = lines(post, "north", OfferDraw()).splitlines()
        bodies = {
            "flowed": (f"{act}\n{one} \n{other}", "text/plain; charset=utf-8; format=flowed"),
            "html": (f"<div>{act}</div><div>{one}<br>{other}</div>", "text/html; charset=utf-8"),
            "quoted-printable": (f"{act}\n{one}=20=\n{other}", "text/plain; charset=utf-8"),
        }
        body, kind = bodies[form]
        header = f"Content-Type: {kind}\n"
        header += "Content-Transfer-Encoding: quoted-printable\n" if form == "quoted-printable" else ""
        post.write("north", body, header=header)
        assert post.kinds[-1] == "offered"


@pytest.mark.slow
def test_a_quoted_letter_gives_no_one_a_key(tmp_path: Path) -> None:
    """A quoted key of the desk or another seat does not become the writer's, even if its lines are broken."""
    with corresponding(tmp_path / "desk") as post:
        post.open("boundary")
        post.write("north", f"key {signer('north').public}")
        renew_key(post.office, post.at, reason="a copy was stolen")
        post.collect()
        told = [letter for side in post.state.players for letter in post.letters[address(side)]]
        assert any(proofs(letter).count(post.office.desk.key.signer.public) for letter in told)
        for letter in told:
            for width in range(40, 90):
                broken = [piece for line in text(letter).splitlines() for piece in textwrap.wrap(line, width) or [""]]
                found = read_commands("\n".join(broken), "boundary").commands
                assert not [one for one in found if does(one.command)], width
        for key in (signer("north").public, post.state.desk):
            assert "(key)" in said(post, "south", f"key {key}")
        assert post.state.keyring.keys.keys() == {"north"}
