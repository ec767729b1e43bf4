"""Ed25519 signatures with whole numbers alone, for where no library for them is installed (RFC 8032, 5.1).

How long it takes to sign depends on the key, so this is for keys that are drawn for one game and stay on their
owner's machine.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

PRIME = 2**255 - 19
D = -121665 * pow(121666, -1, PRIME) % PRIME
"""The numbers of the curve."""

_ORDER = 2**252 + 27742317777372353535851937790883648493
_ROOT = pow(2, (PRIME - 1) // 4, PRIME)
_TWICE = 2 * D % PRIME
_SIGN = 1 << 255

_Point = tuple[int, int, int, int]
"""A point in extended coordinates: X, Y, Z and XY/Z."""

_NEUTRAL: _Point = (0, 1, 1, 0)


def public_half(seed: bytes) -> bytes:
    """The public key, 32 bytes, of a private one of 32 bytes."""
    return _encoded(_multiple(_secret(seed)[0]))


def signature_of(seed: bytes, text: bytes) -> bytes:
    """The signature, 64 bytes, of a text with a private key of 32 bytes: always the same (RFC 8032, 5.1.6)."""
    scalar, prefix = _secret(seed)
    nonce = _hashed(prefix, text)
    point = _encoded(_multiple(nonce))
    answer = (nonce + _hashed(point, public_half(seed), text) * scalar) % _ORDER
    return point + answer.to_bytes(32, "little")


@lru_cache(maxsize=4096)
def verifies(public: bytes, text: bytes, signature: bytes) -> bool:
    """True if a signature of 64 bytes is that of a text by the private half of a public key of 32 bytes."""
    scalar = int.from_bytes(signature[32:], "little")
    key = _decoded(public)
    if key is None or scalar >= _ORDER:
        return False
    hashed = _hashed(signature[:32], public, text)
    return _encoded(_sum(scalar, _BASE, hashed, _negative(key))) == signature[:32]


def _secret(seed: bytes) -> tuple[int, bytes]:
    """What a private key stands for: its number, and what its nonces are made of (RFC 8032, 5.1.5)."""
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
        total = _doubled(total)
        if (term := terms[(one >> bit & 1) + 2 * (other >> bit & 1)]) is not None:
            total = _added(total, term)
    return total


def _added(one: _Point, other: _Point) -> _Point:
    x1, y1, z1, t1 = one
    x2, y2, z2, t2 = other
    a, b = (y1 - x1) * (y2 - x2) % PRIME, (y1 + x1) * (y2 + x2) % PRIME
    c, d = t1 * _TWICE * t2 % PRIME, 2 * z1 * z2 % PRIME
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME


def _doubled(point: _Point) -> _Point:
    x, y, z, _ = point
    a, b = x * x % PRIME, y * y % PRIME
    h = a + b
    e, g = h - (x + y) * (x + y) % PRIME, a - b
    f = 2 * z * z % PRIME + g
    return e * f % PRIME, g * h % PRIME, f * g % PRIME, e * h % PRIME


def _negative(point: _Point) -> _Point:
    x, y, z, t = point
    return -x % PRIME, y, z, -t % PRIME


def _encoded(point: _Point) -> bytes:
    x, y, z, _ = point
    inverse = pow(z, -1, PRIME)
    return (y * inverse % PRIME | (x * inverse % PRIME & 1) << 255).to_bytes(32, "little")


def _decoded(content: bytes) -> _Point | None:
    """The point of 32 bytes; None if there is none."""
    number = int.from_bytes(content, "little")
    y, odd = number % _SIGN, number >> 255
    square = (y * y - 1) * pow(D * y * y + 1, -1, PRIME) % PRIME
    x = pow(square, (PRIME + 3) // 8, PRIME)
    if (x * x - square) % PRIME:
        x = x * _ROOT % PRIME
    if y >= PRIME or (x * x - square) % PRIME or (odd and not x):
        return None
    if x & 1 != odd:
        x = PRIME - x
    return x, y, 1, x * y % PRIME


def _base() -> _Point:
    """The point that all keys are multiples of: y is four fifths."""
    found = _decoded((4 * pow(5, -1, PRIME) % PRIME).to_bytes(32, "little"))
    assert found is not None
    return found


_BASE = _base()
