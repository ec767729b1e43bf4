"""Keys and signatures: RFC 8032's own examples, and keys whose signatures prove nothing."""

from __future__ import annotations

import hashlib

from referee.desk.log.signatures import Past, Signer, act_text, head_text, is_key, key_text, signed
from tests.support.rows import each

# RFC 8032, 7.1, TEST 1: the signature of nothing.
SEED = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
PUBLIC = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
SIGNATURE = (
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
    "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
)

SMALL = {
    "the neutral element": "01" + "00" * 31,
    "order 2": "ec" + "ff" * 30 + "7f",
    "order 4": "00" * 32,
    "order 4, the other sign": "00" * 31 + "80",
    "order 8": "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "order 8, another": "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
}
NO_KEYS = SMALL | {
    "a number too large for the field": "ff" * 32,
    "no point of the curve": "02" + "00" * 31,
    "capitals": PUBLIC.upper(),
    "too short": PUBLIC[:-2],
    "nothing": "",
}


def test_the_example_of_the_standard() -> None:
    signer = Signer(bytes.fromhex(SEED))
    assert (signer.public, signer.sign("")) == (PUBLIC, SIGNATURE)
    assert signed(PUBLIC, "", SIGNATURE)
    assert SEED not in repr(signer)


@each(NO_KEYS)
def test_texts_that_are_no_key(what: str) -> None:
    text = NO_KEYS[what]
    assert not is_key(text)
    assert not signed(text, "", SIGNATURE)


def test_keys_that_are_drawn_are_keys() -> None:
    assert all(is_key(Signer(hashlib.sha256(bytes([number])).digest()).public) for number in range(50))


def test_another_text_key_or_signature_does_not_hold() -> None:
    signer, other = Signer(bytes(32)), Signer(bytes([1] * 32))
    text = head_text("spring-7", 12, "ab" * 32)
    signature = signer.sign(text)
    assert signed(signer.public, text, signature)
    assert not signed(signer.public, head_text("spring-7", 13, "ab" * 32), signature)
    assert not signed(other.public, text, signature)
    assert not signed(signer.public, text, signature.upper())
    assert not signed(signer.public, text, signature[:-2] + "00")


def test_the_signed_text_is_lines() -> None:
    past = Past("aa" * 32, "bb" * 32)
    assert head_text("g", 3, "cc") == "referee head 1\ng\n3\ncc\n"
    assert act_text("g", past, 2, "south", "move P M1 A2 12").splitlines() == [
        "referee act 1", "g", past.opening, past.head, "2", "south", "move P M1 A2 12",
    ]  # fmt: skip
    assert key_text("g", "dd", "desk", None) == "referee key 1\ng\ndd\ndesk\nnone\n"
