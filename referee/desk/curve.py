"""Ed25519 signatures checked with whole numbers alone, for where no library for that is installed (RFC 8032, 5.1.7).

It only checks, so that nothing in it is secret; who signs needs the library.
"""

from __future__ import annotations

import hashlib

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


def verifies(public: bytes, text: bytes, signature: bytes) -> bool:
    """Whether a signature of 64 bytes is that of a text by the private half of a public key of 32 bytes."""
    scalar = int.from_bytes(signature[32:], "little")
    key = _decoded(public)
    if key is None or scalar >= _ORDER:
        return False
    hashed = int.from_bytes(hashlib.sha512(signature[:32] + public + text).digest(), "little") % _ORDER
    return _encoded(_sum(scalar, _BASE, hashed, _negative(key))) == signature[:32]


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
