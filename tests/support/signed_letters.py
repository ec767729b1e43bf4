"""Letters that a mail server has signed (DKIM), with keys for tests."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from hashlib import sha256
from itertools import islice
from pathlib import Path
from unittest.mock import patch

import dkim
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from referee.desk import Signer
from referee.mail.evidence.signers import Keys
from tests.support.correspondence import BEGIN, KEY, Correspondence, corresponding

SELECTOR, SELECTOR_OF_ED25519 = "s1", "s2"
FIELDS = ("from", "to", "subject", "message-id")
DOMAIN = "players.example"
"""The domain of all players (tests/support/correspondence.py)."""

SMALL = (
    "v=DKIM1; k=rsa; p=MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAL4UeA8lrON3493lUFep9hbTTx3c4g7lfHHxSN9dPCAAAHV/"
    "JLH8dNZSMdj16YtwEdHuebbfcLOBwxjZpoRzT+kCAwEAAQ=="
)
"""The DNS record of a key of 512 bits, which is easy to break."""


@cache
def key(owner: str) -> RSAPrivateKey:
    """The key of a mail server, the same for the whole run."""
    return generate_private_key(public_exponent=65537, key_size=1024)


def record(owner: str) -> str:
    """The DNS record of a key."""
    public = key(owner).public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return f"v=DKIM1; k=rsa; p={b64encode(public).decode()}"


def place(domain: str, selector: str = SELECTOR) -> str:
    """The name of a domain's key in DNS."""
    return f"{selector}._domainkey.{domain}"


def signed(
    raw: bytes,
    domain: str,
    owner: str = "",
    fields: tuple[str, ...] = FIELDS,
    *,
    length: bool = False,
    identity: str | None = None,
    at: datetime = BEGIN,
) -> bytes:
    """A letter signed by a domain, or by an `identity` in it; `owner` of the key is the domain by default."""
    pem = key(owner or domain).private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    covered = [name.encode() for name in fields]
    with _signing_at(at):
        header: bytes = dkim.DKIM(raw).sign(
            SELECTOR.encode(),
            domain.encode(),
            pem,
            identity=identity.encode() if identity else None,
            include_headers=covered,
            length=length,
        )
    return header + raw


def signed_with_ed25519(raw: bytes, domain: str, at: datetime = BEGIN) -> bytes:
    """A letter with a signature that is always the same for one time."""
    with _signing_at(at):
        signing = dkim.DKIM(raw, signature_algorithm=b"ed25519-sha256")
        fields = [name.encode() for name in FIELDS]
        seed = b64encode(_ed25519(domain).seed)
        header: bytes = signing.sign(SELECTOR_OF_ED25519.encode(), domain.encode(), seed, include_headers=fields)
    return header + raw


@contextmanager
def _signing_at(at: datetime) -> Iterator[None]:
    with patch.object(dkim, "time") as clock:
        clock.time.return_value = at.timestamp()
        yield


def ed25519_record(owner: str) -> str:
    """The DNS record of such a key."""
    return f"v=DKIM1; k=ed25519; p={b64encode(bytes.fromhex(_ed25519(owner).public)).decode()}"


def _ed25519(owner: str) -> Signer:
    return Signer(sha256(f"the mail server of {owner}".encode()).digest())


def stamped(raw: bytes) -> bytes:
    """A letter as the players' mail server signs it."""
    return signed(raw, DOMAIN)


@contextmanager
def playing(folder: Path, game: str, settings: str = "") -> Iterator[Correspondence]:
    """A desk whose key a host can use again, and players whose letters are signed."""
    with corresponding(folder, settings, key=KEY) as post:
        post.stamp = stamped
        post.open(game, {"days": 5})
        yield post


def move(post: Correspondence, side: str, which: int = 0, above: str = "") -> None:
    """Write a letter with the legal move of this number, and a message."""
    *_, made = islice(post.state.position.legal_moves(side), which + 1)
    post.write(side, f"{made}\nmessage\nWell, {side}\nend", above=above)


def known_keys() -> Keys:
    """The DNS record of the key of all players."""
    return {place(DOMAIN): (record(DOMAIN),)}
