"""Seals of moves (spec/log.md, "Seals"), and the desk's key."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, field
from functools import lru_cache

from referee.desk.log.signatures import Past, Signer, digest_of

NONCE = 32
"""Random bytes of a seal; without them short moves could be guessed."""

CALENDAR = 15
"""Bytes of a calendar's secret name: twenty-four letters and digits, too many to guess."""

_HEX = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Promise:
    """A side's promise for the ply, `own` if it sealed the move; `note` is the SHA-256 of its key's signature.

    `head` is the digest of the entry that began the ply, or that in which the side sealed the move ahead.
    """

    commitment: str
    own: bool
    opened: tuple[str, str] | None = None
    key: str | None = None
    note: str = ""
    head: str = ""

    @property
    def noted(self) -> bool:
        """True if a signature of the move must be published with it."""
        return self.key is not None and not self.own


def commitment(game: str, ply: int, side: str, rules: str, move: str, nonce: bytes, past: Past | None = None) -> str:
    """SHA-256 over the seal's lines, in hexadecimal; `past` is None outside a log, as for answers to puzzles."""
    head = ("referee seal 1", game) if past is None else ("referee seal 2", game, *past)
    return digest_of(*head, str(ply), side, rules, move, nonce.hex())


def plan_commitment(game: str, ply: int, side: str, rules: str, plan: str, nonce: bytes, past: Past) -> str:
    """SHA-256 over the lines of a plan, in hexadecimal; `ply` and `past` are those of the ply in which it came."""
    return digest_of("referee plan 1", game, *past, str(ply), side, rules, nonce.hex(), plan)


def planned_nonce(plan: bytes, ply: int, head: str) -> bytes:
    """The nonce of the move that a plan gives in a ply, which the entry with the digest `head` began."""
    return hmac.digest(plan, f"referee plan move 1\n{ply}\n{head}\n".encode(), hashlib.sha256)


def seal_lines(
    game: str, ply: int, side: str, rules: str, move: str, nonce: bytes, past: Past | None = None
) -> tuple[str, str]:
    """The line of a letter that seals a move, and the one to keep, which reveals it; arguments as of `commitment`."""
    return f"seal {commitment(game, ply, side, rules, move, nonce, past)}", f"reveal {move} {nonce.hex()}"


def digits(text: str) -> str | None:
    """The 64 hexadecimal digits of a commitment or nonce in small letters; None if the text is not that."""
    small = text.strip().lower()
    return small if _HEX.fullmatch(small) else None


def draw_nonce() -> bytes:
    """A fresh nonce, for players who seal a move themselves."""
    return secrets.token_bytes(NONCE)


_signer = lru_cache(4)(Signer)
"""The same signer for the same seed: its public key takes as long as a signature."""


@dataclass(frozen=True, slots=True)
class Key:
    """The desk's secret key, the source of all its addresses, nonces and signatures.

    A desk restored from a backup draws a new key; everything from the old one is void then. The addresses of the
    `former` key count only for letters that came before.
    """

    secret: bytes = field(repr=False)
    former: Key | None = field(default=None, repr=False)

    @classmethod
    def drawn(cls) -> Key:
        """A fresh key."""
        return cls(secrets.token_bytes(32))

    @property
    def signer(self) -> Signer:
        """The desk's private key for signatures."""
        return _signer(self._code("signature", ""))

    def addresses(self, game: str, closings: int) -> bytes:
        """The secret of a game's addresses after this number of ends, which the next end reveals."""
        return self._code("addresses", f"{game}\n{closings}")

    def calendar(self, address: str) -> str:
        """The secret name of the calendar with the deadlines of an address, which is in small letters."""
        return base64.b32encode(self._code("calendar", address)[:CALENDAR]).decode().lower()

    def draw(self, name: str) -> bytes:
        """Thirty-two secret bytes, the same for one name, so that letters handled again give the same log."""
        return self._code("chance", name)

    def mark(self, name: str) -> str:
        """Twenty secret hexadecimal digits, always the same for one name."""
        return self._code("mark", name).hex()[:20]

    def _code(self, use: str, text: str) -> bytes:
        return hmac.digest(self.secret, f"referee {use} 1\n{text}\n".encode(), hashlib.sha256)
