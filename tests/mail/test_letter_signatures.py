"""The proof in the signatures of letters, and the keys that count."""

from __future__ import annotations

import random
import re
from base64 import b64encode
from collections.abc import Callable

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from referee.mail.evidence.mailboxes import NO_DESK
from referee.mail.evidence.signers import Proof, signed_by
from referee.mail.intake.letter import read_letter
from tests.mail.inventive_hosts import Host, again, bare, recipient
from tests.support.rows import each
from tests.support.signed_letters import (
    DOMAIN,
    SELECTOR_OF_ED25519,
    SMALL,
    ed25519_record,
    known_keys,
    place,
    record,
    signed,
    signed_with_ed25519,
)


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Host:
    return Host(tmp_path_factory.mktemp("host") / "desk")


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


@pytest.mark.slow
@each(SIGNATURES)
def test_the_signatures_of_letters(how: str, host: Host) -> None:
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


@pytest.mark.slow
@pytest.mark.parametrize(("bits", "proof"), [(2048, Proof.WRONG), (8200, Proof.UNKNOWN)])
def test_a_key_that_is_too_large_is_not_tried(bits: int, proof: Proof, host: Host) -> None:
    key = RSAPublicNumbers(65537, 1 << bits - 1 | 1).public_key()
    form = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    kept = f"v=DKIM1; k=rsa; p={b64encode(form).decode()}"
    raw = host.letter("resigned")
    assert signed_by(raw, read_letter(raw, NO_DESK), {place(DOMAIN): (kept,)}).proof is proof


@each(RECORDS)
def test_a_key_counts_for_what_its_record_says(tag: str, host: Host) -> None:
    raw, kept = host.letter("resigned"), record(DOMAIN).replace("k=rsa", f"{tag}k=rsa")
    assert signed_by(raw, read_letter(raw, NO_DESK), {place(DOMAIN): (kept,)}).proof is RECORDS[tag]


def test_a_key_that_is_not_for_names_below_signs_for_none_of_them(host: Host) -> None:
    raw = signed(bare(host.letter("resigned")), DOMAIN, identity="@below.players.example")
    letter, flagged = read_letter(raw, NO_DESK), record(DOMAIN).replace("k=rsa", "t=y:s; k=rsa")
    assert signed_by(raw, letter, known_keys()).proof is Proof.SIGNED
    assert signed_by(raw, letter, {place(DOMAIN): (flagged,)}).proof is Proof.UNKNOWN


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
    """Every changed byte that the signature covers is noticed; other changes do not prevent the reading."""
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
