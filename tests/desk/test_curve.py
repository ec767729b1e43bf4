"""Signatures without a library hold exactly where they hold with it."""

from __future__ import annotations

import random
import sys

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from referee.desk.log.curve import public_half, signature_of, verifies
from referee.desk.log.signatures import OneGameSigner, Signer, is_key, signed
from referee.errors import RefereeError

ORDER = 2**252 + 27742317777372353535851937790883648493


def by_the_library(public: bytes, text: bytes, signature: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, text)
    except (InvalidSignature, ValueError):
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
    assert (public_half(seed), signature_of(seed, text)) == (public, made)
    assert verifies(public, text, made)
    other = chance.choice(["public", "text", "signature"])
    wrong = (
        spoilt(public, chance) if other == "public" else public,
        spoilt(text or b"1", chance) if other == "text" else text,
        spoilt(made, chance) if other == "signature" else made,
    )
    if is_key(wrong[0].hex()):
        assert verifies(*wrong) is by_the_library(*wrong) is False


@pytest.mark.parametrize("start", range(0, 40, 10))
def test_it_agrees_with_the_library(start: int) -> None:
    for number in range(start, start + 10):
        agree(number)


@pytest.mark.slow
def test_it_agrees_with_the_library_thousands_of_times() -> None:
    for number in range(1000, 6000):
        agree(number)


def test_the_second_form_of_a_signature_does_not_hold() -> None:
    signer = Signer(bytes(32))
    first = bytes.fromhex(signer.sign("text"))
    twin = first[:32] + (int.from_bytes(first[32:], "little") + ORDER).to_bytes(32, "little")
    public = bytes.fromhex(signer.public)
    assert verifies(public, b"text", first)
    assert verifies(public, b"text", twin) is by_the_library(public, b"text", twin) is False


def test_no_point_is_no_key() -> None:
    for public in (b"\x02" + bytes(31), b"\xff" * 32):
        assert not verifies(public, b"text", bytes(64))


def test_signatures_need_no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    signer = Signer(bytes(32))
    public, made = signer.public, signer.sign("text")
    monkeypatch.setitem(sys.modules, "cryptography.exceptions", None)
    assert signed(public, "text", made)
    assert not signed(public, "test", made)
    alone = OneGameSigner(bytes(32))
    assert (alone.public, alone.sign("text")) == (public, made)


def test_a_key_for_more_than_one_game_signs_with_the_library_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.asymmetric.ed25519", None)
    with pytest.raises(RefereeError, match="missing-extra"):
        Signer(bytes(32)).sign("text")
