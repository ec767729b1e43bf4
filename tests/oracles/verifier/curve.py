"""Ed25519 as plainly as in RFC 8032 (5.1.7), and the demands of spec/log.md on a key."""

from __future__ import annotations

from hashlib import sha512

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)
Point = tuple[int, int, int, int]
NEUTRAL: Point = (0, 1, 1, 0)


def add(one: Point, other: Point) -> Point:
    """The sum of two points, in extended coordinates."""
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def times(number: int, point: Point) -> Point:
    """The multiple of a point."""
    total = NEUTRAL
    while number:
        if number & 1:
            total = add(total, point)
        point, number = add(point, point), number >> 1
    return total


def same(one: Point, other: Point) -> bool:
    """True if two points are one."""
    return (one[0] * other[2] - other[0] * one[2]) % P == 0 == (one[1] * other[2] - other[1] * one[2]) % P


def point_of(raw: bytes) -> Point | None:
    """The point in 32 bytes; None if they are none."""
    number = int.from_bytes(raw, "little")
    sign, y = number >> 255, number % 2**255
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * ROOT % P
    if x * x % P != square or (x == 0 and sign):
        return None
    x = P - x if x % 2 != sign else x
    return (x, y, 1, x * y % P)


BASE = point_of((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def good_key(key: str) -> bool:
    """True if 64 digits are a public key, and none of small order."""
    point = point_of(bytes.fromhex(key))
    return point is not None and not same(times(8, point), NEUTRAL)


def verified(key: str, text: str, signature: str) -> bool:
    """True if a text was signed with the private half of a key."""
    raw = bytes.fromhex(signature)
    point, first, scalar = point_of(bytes.fromhex(key)), point_of(raw[:32]), int.from_bytes(raw[32:], "little")
    if point is None or first is None or scalar >= ORDER or BASE is None:
        return False
    challenge = int.from_bytes(sha512(raw[:32] + bytes.fromhex(key) + text.encode()).digest(), "little") % ORDER
    return same(times(scalar, BASE), add(first, times(challenge, point)))
