"""Letters that were made to cost time: each attack at a size, up to the limits and beyond them."""

from __future__ import annotations

import base64
from collections.abc import Callable
from functools import partial

from tests.support.corpus import HEADER

HEAD = HEADER.encode()
GAME = "spring-b3-7"

TOKENS = (
    *(
        ", ",
        "> ",
        ">",
        "=?utf-8?q?",
        "=?",
        ";",
        "a;",
        "<",
        "(",
        "[",
        '"',
        '\\"',
        "\u0315\u0300",
        "\u0f73",
        "\uff9e\u0300",
    ),
    *(
        "\ufdfa",
        "On 1 2027 a@b.c wrote:\n",
        "From: ",
        "To: x\n",
        "x \n",
        "> x \n",
        "7",
        "-",
        "--\n",
        "--- x ",
        "_",
        "\n",
    ),
    *(
        "\0",
        "\t",
        " ",
        "|",
        "x",
        "x\u200b",
        "*x",
        "P M1 A2 12\n",
        "seal x\n",
        "resign;",
        "please ",
        "thanks\n",
        "a@b,",
    ),
    *("P M1 A2 B3 x\n", "message\n", "end\n", "<p>", "<b", "&a", "<!--", "<script>", "f" * 64 + "\n", "sent from "),
)
"""Parts of attacks, to be repeated."""


def repeated(token: str, length: int) -> str:
    """A token, repeated, in lines of a length that is read."""
    if "\n" in token:
        return (token * (length // len(token) + 1))[:length]
    line = (token * (900 // len(token) + 1))[:900] + "\n"
    return (line * (length // len(line) + 1))[:length]


def part(kind: str, content: bytes, head: bytes = HEAD) -> bytes:
    """A letter of one part."""
    return head + f"Content-Type: {kind}\n\n".encode() + content


def encoded(kind: str, content: bytes) -> bytes:
    """A letter with other lines once it is decoded."""
    return part(f"{kind}\nContent-Transfer-Encoding: base64", base64.encodebytes(content))


def parts(kind: str, content: bytes, count: int) -> bytes:
    """A letter of many parts."""
    return HEAD + b"Content-Type: multipart/%s; boundary=b\n\n" % kind.encode() + (b"--b\n" + content) * count


def nested(count: int, content: bytes) -> bytes:
    """A letter of parts in parts."""
    heads = (b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (one, one) for one in range(count))
    return HEAD + b"".join(heads) + content


PAGE = b"Content-Type: text/html\n\n"

ATTACKS: dict[str, Callable[[], bytes]] = {
    "commas before please": lambda: HEAD + b"\n" + b", " * 12_500 + b"x",
    "all commas": lambda: HEAD + b"\n" + (b", " * 45_000 + b"x\n") * 2,
    "soft line ends": lambda: part("text/plain; format=flowed", (b"x" * 11 + b" \n") * 90_000),
    "soft line ends within the limits": lambda: part("text/plain; format=flowed", b"x \n" * 60_000),
    "decoded soft line ends": lambda: encoded("text/plain; format=flowed", b"x \n" * 1_200_000),
    "decoded lines": lambda: encoded("text/plain; format=flowed", b"\n" * 3_600_000),
    "marks": lambda: HEAD + b"\n" + ("\u0315\u0300" * 24_000 + "\n").encode() * 4,
    "decoded marks": lambda: encoded("text/plain; charset=utf-8", ("\u0315\u0300" * 49_000 + "\n").encode() * 2),
    "marks that hide": lambda: encoded("text/plain; charset=utf-8", ("\u0f73" * 99_000 + "\n").encode() * 2),
    "ligatures": lambda: encoded("text/plain; charset=utf-8", ("\ufdfa" * 39 + "\n").encode() * 4_990),
    "a line of ligatures": lambda: encoded("text/plain; charset=utf-8", "\ufdfa".encode() * 99_000),
    "broken UTF-16": lambda: encoded("text/plain", b"\xff\xfe" + b"\x00\xdc" * 1_800_000),
    "gaps of Windows-1252": lambda: encoded("text/plain; charset=cp1252", b"\x81" * 3_600_000),
    "parameters": lambda: part("text/plain; " + "a;" * 7_900, b"x"),
    "as many parameters as are read": lambda: part("text/plain; " + "a;" * 99, b"x"),
    "quotes in parameters": lambda: part("multipart/mixed; " + '";' * 7_900, b"x"),
    "parameters in 99 parts": lambda: parts("mixed", b"Content-Type: text/plain; " + b"a;" * 7_900 + b"\n\nx\n", 99),
    "long fields in 99 parts": lambda: parts(
        "mixed", b"Content-Disposition: inline; filename=" + b"=?a?q?" * 48 + b"a;" * 98 + b"x" * 700 + b"\n\nx\n", 99
    ),
    "290 recipients": lambda: b"From: a@b.c\n" + (b"To: " + b"a@b," * 3_900 + b"\n") * 290 + b"\n",
    "recipients": lambda: (
        HEAD + b"".join(b"%s: %s\n" % (n, b"a@b," * 990) for n in (b"Cc", b"To", b"Reply-To")) + b"\n"
    ),
    "290 senders": lambda: (b"From: " + b"a@b," * 3_900 + b"\n") * 290 + b"\n",
    "open encoded words": lambda: HEAD + b"Subject: " + b"=?utf-8?q?" * 4_600 + b"\n\n",
    "open encoded words in a name": lambda: b"From: " + b"=?utf-8?q?" * 1_590 + b" <a@b.c>\n\n",
    "games in the subject": lambda: HEAD + b"Subject: " + b"".join(b"[g%d]" % n for n in range(2_000)) + b"\n\n",
    "a long name": lambda: (
        b"From: " + b"ab " * 2_600 + b"<a@b.c>\nTo: desk+spring-b3-7@example.org\n\n" + b"x y\n" * 4_990
    ),
    "semicolons": lambda: HEAD + b"\n" + b"a;a;a;a;a;a;a;a\n" * 4_990,
    "as many lines as are read": lambda: HEAD + b"\n" + b"P M1 A2 B3 12 B4 x\n" * 590,
    "prose": lambda: HEAD + b"\n" + b"well this is it and nothing else or so\n" * 4_990,
    "moves": lambda: HEAD + b"\n" + b"".join(b"P M1 A%d 1\n" % number for number in range(590)),
    "seals": lambda: HEAD + b"\n" + b"seal x; seal y; seal z;seal ;seal 4\n" * 118,
    "all that can be asked": lambda: (
        HEAD + b"\n" + b"".join(b"legal %c\nhistory\nboard\nstatus\n" % n for n in b"abcdefghijklmnop")
    ),
    "announcements": lambda: HEAD + b"\n" + b"On 1 2020 a@example.com wrote:\n> x\n" * 2_490,
    "nonces": lambda: HEAD + b"\n" + b"reveal x\n" + (b"a" * 64 + b"\n") * 3_050,
    "pages": lambda: parts("mixed", PAGE + b"<p>" * 16_000 + b"\n", 98),
    "one page of two": lambda: parts("alternative", PAGE + b"<p>" * 16_000 + b"\n", 98),
    "attributes": lambda: part("text/html", (b"<p" + b" a" * 2_400 + b">\n") * 100),
    "references in a page": lambda: part("text/html", (b"&a" * 40_000 + b"\n") * 5),
    "deep": lambda: nested(15, b"a\n" * 69_000),
    "fields of a part": lambda: parts("mixed", b"X-A: b\n" * 69_000, 1),
    "fields of all parts": lambda: parts("mixed", b"X-A: b\n" * 700, 98),
    "a report": lambda: part("message/delivery-status", b"a: b\n\n" * 34_000),
    "a report within the limits": lambda: part("message/delivery-status", b"a: b\n\n" * 4_900),
    "a digest": lambda: parts("digest", b"\nx\n", 1_990),
    "5 MB": lambda: HEAD + b"\n" + (b"x" * 71 + b"\n") * 69_000,
    "5 MB of almost fields": lambda: HEAD + b"\n" + (b"content-typ" + b"x" * 60 + b"\n") * 69_000,
}
ATTACKS |= {f"text of {token!r}": partial(part, "text/plain", repeated(token, 99_000).encode()) for token in TOKENS}
ATTACKS |= {f"page of {token!r}": partial(part, "text/html", repeated(token, 99_000).encode()) for token in TOKENS}
