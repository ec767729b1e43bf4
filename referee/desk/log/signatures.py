"""Ed25519 keys and what is signed with them, in hexadecimal (RFC 8032; spec/log.md, "Keys of players")."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from importlib import import_module
from typing import Any, NamedTuple

from referee.extras import extra

GROUP = "proof"
"""The extra of the package that brings the library for signatures."""

_PRIME = 2**255 - 19
_D = -121665 * pow(121666, -1, _PRIME) % _PRIME

_KEY = re.compile("[0-9a-f]{64}")
_SIGNATURE = re.compile("[0-9a-f]{128}")


class Past(NamedTuple):
    """The past that seals and signatures acknowledge: the digests of a log's first entry, and of a ply's."""

    opening: str
    head: str


@dataclass(frozen=True)
class Signer:
    """A private key; `seed` is its 32 secret bytes."""

    seed: bytes = field(repr=False)

    @cached_property
    def public(self) -> str:
        """The public key."""
        return str(self._private.public_key().public_bytes_raw().hex())

    def sign(self, text: str) -> str:
        """The signature of a text, always the same for the same one."""
        return str(self._private.sign(text.encode()).hex())

    @cached_property
    def _private(self) -> Any:  # noqa: ANN401 - a class of a library that need not be there
        return _library().Ed25519PrivateKey.from_private_bytes(self.seed)


def signed(public: str, text: str, signature: str) -> bool:
    """True if a text was signed with the private half of a key."""
    if not is_key(public) or not _SIGNATURE.fullmatch(signature):
        return False
    key = _library().Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
    try:
        key.verify(bytes.fromhex(signature), text.encode())
    except import_module("cryptography.exceptions").InvalidSignature:
        return False
    return True


def is_key(text: str) -> bool:
    """True for a public key; those of small order are none, as one signature can hold for several texts."""
    if not _KEY.fullmatch(text):
        return False
    y = int.from_bytes(bytes.fromhex(text), "little") & (1 << 255) - 1
    square = y * y % _PRIME
    small = y * (square - 1) * (_D * square * square + 2 * square - 1) % _PRIME == 0
    ratio = (square - 1) * pow(_D * square + 1, -1, _PRIME) % _PRIME
    return y < _PRIME and not small and pow(ratio, (_PRIME - 1) // 2, _PRIME) == 1


def head_text(game: str, number: int, head: str) -> str:
    """The text that the desk signs in each letter: number and digest of the newest entry of a game's log."""
    return text_of("referee head 1", game, str(number), head)


def act_text(game: str, past: Past, ply: int, side: str, words: str) -> str:
    """The text that a player signs who acts; `words` are those of the act in spec/log.md."""
    return text_of("referee act 1", game, *past, str(ply), side, words)


def key_text(game: str, head: str, who: str, key: str | None) -> str:
    """The text that an old key signs for its replacement; `who` is a side or `desk`, `key` None without a new one."""
    return text_of("referee key 1", game, head, who, key or "none")


def text_of(*lines: str) -> str:
    """Lines as they are signed or hashed."""
    return "".join(f"{line}\n" for line in lines)


def digest_of(*lines: str) -> str:
    """SHA-256 over lines, in hexadecimal."""
    return sha256(text_of(*lines).encode()).hexdigest()


def _library() -> Any:  # noqa: ANN401 - a module of a library that need not be there
    return extra("cryptography.hazmat.primitives.asymmetric.ed25519", GROUP)
