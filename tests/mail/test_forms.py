"""Letters whose text can be read in one way only, without unsigned fields."""

from __future__ import annotations

from referee.mail.evidence.signers import is_plain_form
from tests.support.rows import each

PARTS = b"--b\r\nContent-Type: text/plain\r\n\r\nM A2\r\n--b--\r\n"
PLAIN, MIXED = b"Content-Type: text/plain", b"Content-Type: multipart/mixed; boundary=b"

FORMS: dict[str, tuple[list[bytes], bytes, bool]] = {
    "nothing is said": ([], b"M A2\r\n", True),
    "plain text": ([PLAIN], b"M A2\r\n", True),
    "plain text in another code": ([PLAIN, b"Content-Transfer-Encoding: base64"], b"TSBBMg==\r\n", True),
    "parts": ([MIXED], PARTS, True),
    "parts of which nothing is said": ([], PARTS, False),
    "parts that are said to be plain": ([PLAIN], PARTS, False),
    "parts with another boundary": ([MIXED.replace(b"=b", b"=c")], PARTS + b"--c\r\n\r\nresign\r\n--c--", False),
    "parts that begin within the text": ([MIXED], b"Look:\r\n" + PARTS, False),
    "parts without a boundary": ([MIXED.partition(b";")[0]], PARTS, False),
    "a page that is said to be plain": ([PLAIN], b"<blockquote>\r\nresign\r\n</blockquote>", False),
    "a page": ([b"Content-Type: text/html"], b"<p>resign</p>", False),
    "a broken line that is said to be whole": ([PLAIN], b"I shall never =\r\nresign\r\n", False),
    "two kinds": ([PLAIN, MIXED], PARTS, False),
    "bytes that are no text": ([b'Content-Type: \xff/\0;;boundary="\xff'], b"\xff\0", False),
}


@each(FORMS)
def test_the_form_of_a_letter(shows: str) -> None:
    fields, body, expected = FORMS[shows]
    named = [(name, b":".join(value) + b"\r\n") for name, *value in (one.split(b":") for one in fields)]
    assert is_plain_form(named, body) is expected
