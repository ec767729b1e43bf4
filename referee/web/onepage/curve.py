"""Ed25519 signatures in the page, with whole numbers alone (RFC 8032, 5.1).

The time to sign depends on the key, so this is for keys that are drawn for one game and stay with their owner. The
names are those of cryptography, which Pyodide lacks; a browser's own signatures (WebCrypto) are asynchronous.
"""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass, field
from functools import lru_cache
from typing import cast

_PRIME = 2**255 - 19
_D = -121665 * pow(121666, -1, _PRIME) % _PRIME
_ORDER = 2**252 + 27742317777372353535851937790883648493
_ROOT = pow(2, (_PRIME - 1) // 4, _PRIME)
_TWICE = 2 * _D % _PRIME
_SIGN = 1 << 255

_Point = tuple[int, int, int, int]
"""A point in extended coordinates: X, Y, Z and XY/Z."""

_NEUTRAL: _Point = (0, 1, 1, 0)


def install() -> None:
    """Let the desk find this module where it looks for the library: in the worker of the page."""
    for name in ("hazmat.primitives.asymmetric.ed25519", "exceptions"):
        sys.modules[f"cryptography.{name}"] = sys.modules[__name__]


class InvalidSignature(Exception):  # noqa: N818 - the library's name
    """A signature is not that of the text."""


@dataclass(frozen=True)
class Ed25519PublicKey:
    """A public key of 32 bytes."""

    raw: bytes

    @classmethod
    def from_public_bytes(cls, raw: bytes) -> Ed25519PublicKey:
        """The key that bytes say."""
        return cls(raw)

    def public_bytes_raw(self) -> bytes:
        """Its bytes."""
        return self.raw

    def verify(self, signature: bytes, text: bytes) -> None:
        """Raise InvalidSignature unless a signature of 64 bytes is that of a text by the private half of the key."""
        if not _verifies(self.raw, text, signature):
            raise InvalidSignature


@dataclass(frozen=True)
class Ed25519PrivateKey:
    """A private key of 32 bytes."""

    seed: bytes = field(repr=False)

    @classmethod
    def from_private_bytes(cls, seed: bytes) -> Ed25519PrivateKey:
        """The key that bytes say."""
        return cls(seed)

    def public_key(self) -> Ed25519PublicKey:
        """Its public half."""
        return Ed25519PublicKey(_encoded(_multiple(_secret(self.seed)[0])))

    def sign(self, text: bytes) -> bytes:
        """The signature of a text, 64 bytes: always the same (RFC 8032, 5.1.6)."""
        scalar, prefix = _secret(self.seed)
        nonce = _hashed(prefix, text)
        point = _encoded(_multiple(nonce))
        answer = (nonce + _hashed(point, self.public_key().raw, text) * scalar) % _ORDER
        return point + answer.to_bytes(32, "little")


@lru_cache(maxsize=4096)
def _verifies(public: bytes, text: bytes, signature: bytes) -> bool:
    scalar = int.from_bytes(signature[32:], "little")
    key = _decoded(public)
    if key is None or scalar >= _ORDER:
        return False
    x, y, z, t = key
    hashed, negative = _hashed(signature[:32], public, text), (-x % _PRIME, y, z, -t % _PRIME)
    return _encoded(_sum(scalar, _BASE, hashed, negative)) == signature[:32]


def _secret(seed: bytes) -> tuple[int, bytes]:
    """The number of a private key, and the prefix for its nonces (RFC 8032, 5.1.5)."""
    digest = hashlib.sha512(seed).digest()
    return int.from_bytes(digest[:32], "little") & ((1 << 254) - 8) | 1 << 254, digest[32:]


def _hashed(*parts: bytes) -> int:
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % _ORDER


def _multiple(number: int) -> _Point:
    """So many times the base point."""
    return _sum(number, _BASE, 0, _NEUTRAL)


def _sum(one: int, first: _Point, other: int, second: _Point) -> _Point:
    """`one` times a point, and `other` times another one."""
    terms = (None, first, second, _added(first, second))
    total = _NEUTRAL
    for bit in range(max(one.bit_length(), other.bit_length()) - 1, -1, -1):
        total = _added(total, total)
        if (term := terms[(one >> bit & 1) + 2 * (other >> bit & 1)]) is not None:
            total = _added(total, term)
    return total


def _added(one: _Point, other: _Point) -> _Point:
    x1, y1, z1, t1 = one
    x2, y2, z2, t2 = other
    a, b = (y1 - x1) * (y2 - x2) % _PRIME, (y1 + x1) * (y2 + x2) % _PRIME
    c, d = t1 * _TWICE * t2 % _PRIME, 2 * z1 * z2 % _PRIME
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _PRIME, g * h % _PRIME, f * g % _PRIME, e * h % _PRIME


def _encoded(point: _Point) -> bytes:
    x, y, z, _ = point
    inverse = pow(z, -1, _PRIME)
    return (y * inverse % _PRIME | (x * inverse % _PRIME & 1) << 255).to_bytes(32, "little")


def _decoded(content: bytes) -> _Point | None:
    """The point of 32 bytes; None if there is none."""
    number = int.from_bytes(content, "little")
    y, odd = number % _SIGN, number >> 255
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _PRIME) % _PRIME
    x = pow(square, (_PRIME + 3) // 8, _PRIME)
    if (x * x - square) % _PRIME:
        x = x * _ROOT % _PRIME
    if y >= _PRIME or (x * x - square) % _PRIME or (odd and not x):
        return None
    if x & 1 != odd:
        x = _PRIME - x
    return x, y, 1, x * y % _PRIME


_BASE = cast("_Point", _decoded((4 * pow(5, -1, _PRIME) % _PRIME).to_bytes(32, "little")))
"""The point that all keys are multiples of: y is four fifths."""
