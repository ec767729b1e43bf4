"""Malicious letters: monsters of every kind, and good letters with random changes."""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.support.corpus import HEADER

HEAD = HEADER.encode()
PIECES = (
    b"\n~\r~\r\n~\n\n~\0~\xff\xfe~\x1b$B~=?utf-8?B?~?=~=\n~--~-- \n~> ~; ~(~<~@~message\n~end\n~P M1 A2 12\n~resign\n"
    b"~Content-Type: multipart/mixed; boundary=~Content-Type: message/rfc822\n\n~Content-Type: text/html\n\n"
    b"~Content-Transfer-Encoding: base64\n~charset*0*=utf-8''%ff;~; format=flowed~On 1 Mar 2027 Ben wrote:\n"
    b'~<blockquote>~<!--~"~From: '
).split(b"~")


def mutated(raw: bytes, chance: random.Random, others: list[bytes]) -> bytes:
    """A letter with some of its bytes changed, left out, doubled, moved, or taken from another letter."""
    data = bytearray(raw)
    for _ in range(chance.choice((1, 2, 4, 8, 30))):
        at, end = sorted(chance.randrange(len(data) + 1) for _ in range(2))
        end = min(end, at + chance.choice((1, 8, 80, 800)))
        match chance.randrange(7):
            case 0:
                data[at:at] = chance.choice(PIECES)
            case 1:
                del data[at:end]
            case 2:
                data[at:at] = data[at:end] * chance.choice((1, 2, 20))
            case 3 if at < len(data):
                data[at] = chance.randrange(256)
            case 4:
                other = chance.choice(others)
                start = chance.randrange(len(other) + 1)
                data[at:end] = other[start : start + 300]
            case 5 if chance.random() < 0.1:
                del data[at:]
            case _:
                data[at:end] = chance.choice(PIECES)
    return bytes(data)


def part(kind: str, content: bytes) -> bytes:
    return HEAD + f"Content-Type: {kind}\n\n".encode() + content


def page(piece: bytes) -> bytes:
    """An HTML part of one piece, repeated, in lines that are not too long."""
    return part("text/html", b"\n".join([piece * (90_000 // len(piece))] * 4))


MONSTERS: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "zeros": lambda: b"\0" * 1_000_000,
    "30 MB": lambda: HEAD + b"\n" + b"x" * 30_000_000,
    "30 MB of lines": lambda: HEAD + b"\n" * 30_000_000,
    "many lines": lambda: HEAD + b"\n" + b"P M1\n" * 99_000,
    "form feeds": lambda: HEAD + b"\n" + b"P M1\x0c" * 15_000,
    "many moves": lambda: HEAD + b"\n" + b"".join(b"P M1 A%d 1\n" % number for number in range(4_900)),
    "semicolons": lambda: HEAD + b"\n" + (b"board;" * 40 + b"\n") * 800,
    "announcements": lambda: HEAD + b"\n" + b"On 1 a@example.com\n" * 4_900,
    "labels": lambda: HEAD + b"\n" + b"To: " * 24_000,
    "ligatures": lambda: HEAD + b"\n" + "\ufdfa".encode() * 30_000,
    "5,000 parts": lambda: part("multipart/mixed; boundary=b", b"--b\n\nx\n" * 5_000),
    "parts without lines": lambda: part("multipart/mixed; boundary=b", b"--b\n" * 1_900),
    "a thousand deep": lambda: HEAD + b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" * 1_000,
    "twenty deep": lambda: (
        b"".join(part(f"multipart/mixed; boundary=b{n}", b"--b%d\n" % n) for n in range(19)) + b"a\n" * 90_000
    ),
    "letters in letters": lambda: part("message/rfc822", b"Content-Type: message/rfc822\n\n" * 500),
    "a long report": lambda: part("message/delivery-status", b"a: b\n\n" * 49_000),
    "quotes in a parameter": lambda: part("multipart/mixed; " + '";' * 7_900, b"x"),
    "a parameter in pieces": lambda: part("text/plain; " + "".join(f"charset*{n}=a;" for n in range(900)), b"x"),
    "punycode": lambda: part("text/plain; charset=punycode", b"a-" + b"z9" * 45_000),
    "encoded words": lambda: HEAD + b"Subject: " + b"=?a?b?" * 2_600 + b"\n\n",
    "open encoded words": lambda: HEAD + b"Subject: " + b"=?" * 7_900 + b"\n\n",
    "open comments": lambda: b"From: " + b"(" * 15_900 + b"\n\n",
    "open quotes": lambda: b"From: " + b'"\\' * 7_900 + b"\n\n",
    "open brackets": lambda: b"From: " + b"<" * 15_900 + b"\n\n",
    "many senders": lambda: b"From: " + b"a@b," * 3_900 + b"\n\n",
    "many references": lambda: HEAD + (b"References: " + b"<a" * 7_900 + b"\n") * 290 + b"\n",
    "comments in a report": lambda: HEAD + b"Authentication-Results: " + b"(" * 7_000 + b")" * 7_000 + b"\n\n",
    "quotes in a report": lambda: HEAD + b"Authentication-Results: " + b'"\\' * 7_900 + b"\n\n",
    **{
        f"HTML of {piece!r}": (lambda piece=piece: page(piece))  # type: ignore[misc]
        for piece in (
            b"<",
            b"</",
            b"<!",
            b"<!--",
            b"--!",
            b"<![",
            b"<![CDATA[",
            b"<?",
            b"<a ",
            b"<a b='",
            b"<a =",
            b"&#",
            b"&",
        )
    },
    **{
        f"HTML of {piece!r} ": (lambda piece=piece: page(piece))  # type: ignore[misc]
        for piece in (
            b"<blockquote>x",
            b"<script>",
            b"<script><",
            b"<p>",
            b"<pre>\n",
            b"<title>",
            b"<style></",
            b"<!doctype [",
        )
    },
}
