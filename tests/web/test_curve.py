"""Signatures of the page hold exactly where they hold with the library."""

from __future__ import annotations

import random
import sys

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from referee.desk import Signer, signed
from referee.desk.log.signatures import is_key
from referee.errors import RefereeError
from referee.web.onepage import curve

ORDER = 2**252 + 27742317777372353535851937790883648493


def by_the_library(public: bytes, text: bytes, signature: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, text)
    except (InvalidSignature, ValueError):
        return False
    return True


def by_the_page(public: bytes, text: bytes, signature: bytes) -> bool:
    try:
        curve.Ed25519PublicKey.from_public_bytes(public).verify(signature, text)
    except curve.InvalidSignature:
        return False
    return True


def spoilt(content: bytes, chance: random.Random) -> bytes:
    number = int.from_bytes(content, "little") ^ (1 << chance.randrange(8 * len(content)))
    return number.to_bytes(len(content), "little")


def agree(number: int) -> None:
    chance = random.Random(number)
    private = Ed25519PrivateKey.from_private_bytes(chance.randbytes(32))
    public, text = private.public_key().public_bytes_raw(), chance.randbytes(number % 90)
    made = private.sign(text)
    seed = private.private_bytes_raw()
    of_the_page = curve.Ed25519PrivateKey.from_private_bytes(seed)
    assert (of_the_page.public_key().public_bytes_raw(), of_the_page.sign(text)) == (public, made)
    assert by_the_page(public, text, made)
    other = chance.choice(["public", "text", "signature"])
    wrong = (
        spoilt(public, chance) if other == "public" else public,
        spoilt(text or b"1", chance) if other == "text" else text,
        spoilt(made, chance) if other == "signature" else made,
    )
    if is_key(wrong[0].hex()):
        assert by_the_page(*wrong) is by_the_library(*wrong) is False


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 40, 10))
def test_it_agrees_with_the_library(start: int) -> None:
    for number in range(start, start + 10):
        agree(number)


@pytest.mark.slow
def test_it_agrees_with_the_library_many_times() -> None:
    for number in range(1000, 2500):
        agree(number)


def test_the_second_form_of_a_signature_does_not_hold() -> None:
    signer = Signer(bytes(32))
    first = bytes.fromhex(signer.sign("text"))
    twin = first[:32] + (int.from_bytes(first[32:], "little") + ORDER).to_bytes(32, "little")
    public = bytes.fromhex(signer.public)
    assert by_the_page(public, b"text", first)
    assert by_the_page(public, b"text", twin) is by_the_library(public, b"text", twin) is False


def test_no_point_is_no_key() -> None:
    for public in (b"\x02" + bytes(31), b"\xff" * 32):
        assert not by_the_page(public, b"text", bytes(64))


def test_the_desk_signs_and_verifies_with_the_page_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    public, made = Signer(bytes(32)).public, Signer(bytes(32)).sign("text")
    for name in ("cryptography.exceptions", "cryptography.hazmat.primitives.asymmetric.ed25519"):
        monkeypatch.setitem(sys.modules, name, None)
    curve.install()
    assert signed(public, "text", made)
    assert not signed(public, "test", made)
    assert (Signer(bytes(32)).public, Signer(bytes(32)).sign("text")) == (public, made)


def test_signatures_need_an_extra_that_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    signer = Signer(bytes(32))
    public, made = signer.public, signer.sign("text")
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.asymmetric.ed25519", None)
    for needing in (lambda: Signer(bytes(32)).sign("text"), lambda: signed(public, "text", made)):
        with pytest.raises(RefereeError, match=r"missing-extra: .*pip install 'referee\[proof\]'"):
            needing()
