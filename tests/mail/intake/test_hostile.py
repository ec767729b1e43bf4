"""Letters that were made to hurt: none of them raises, and each is read in bounded time and memory."""

from __future__ import annotations

import random
import resource
import time
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.desk.acts import DECIDING
from referee.mail.intake import Kind, classify, read, read_commands
from referee.rules import GAMES
from tests.mail.intake.corpus import HEADER, MAILBOX, letters

SLOWEST = 4.0
"""Seconds that any letter may take, on a machine that has other things to do."""
MOST_MEMORY = 120
"""Megabytes that the letters together may add to the process."""

HEAD = HEADER.encode()
PIECES = (
    b"\n~\r~\r\n~\n\n~\0~\xff\xfe~\x1b$B~=?utf-8?B?~?=~=\n~--~-- \n~> ~; ~(~<~@~message\n~end\n~P M1 A2 12\n~resign\n"
    b"~Content-Type: multipart/mixed; boundary=~Content-Type: message/rfc822\n\n~Content-Type: text/html\n\n"
    b"~Content-Transfer-Encoding: base64\n~charset*0*=utf-8''%ff;~; format=flowed~On 1 Mar 2027 Ben wrote:\n"
    b'~<blockquote>~<!--~"~From: '
).split(b"~")


def handled(raw: bytes, game: str) -> Kind:
    """A letter taken through every stage of the intake."""
    letter = read(raw, MAILBOX)
    verdict = classify(letter, MAILBOX)
    reading = letter.reading(game)
    for said in reading.commands:
        assert str(said.command)
    for failed in reading.failed:
        assert failed.error.finding.as_text()
    for text in (letter.subject, letter.message_id, *letter.references, *(one.address for one in letter.senders)):
        assert "\n" not in text
        assert "\r" not in text
    return verdict.kind


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


def many_mutated(count: int) -> Iterator[bytes]:
    chance = random.Random(20270301)
    corpus = list(letters().values())
    for _ in range(count):
        yield mutated(chance.choice(corpus), chance, corpus)


@pytest.mark.parametrize("count", [250, pytest.param(10_000, marks=pytest.mark.slow)])
def test_mutated_letters(count: int, record_property: Callable[[str, object], None]) -> None:
    kinds: dict[Kind, int] = {}
    slowest, held = 0.0, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for number, raw in enumerate(many_mutated(count)):
        start = time.process_time()
        kind = handled(raw, GAMES[number % len(GAMES)])
        slowest = max(slowest, time.process_time() - start)
        kinds[kind] = kinds.get(kind, 0) + 1
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - held) // 1024
    figures = {kind.value: found for kind, found in kinds.items()}
    record_property("mutated letters", figures)
    print(f"{count} mutated letters: {figures}; the slowest took {slowest:.3f} s; {memory} MB more at most")
    assert slowest < SLOWEST
    assert memory < MOST_MEMORY
    assert kinds[Kind.HUMAN] > count // 3, "the mutations leave too little to read"


def part(kind: str, content: bytes) -> bytes:
    return HEAD + f"Content-Type: {kind}\n\n".encode() + content


def page(piece: bytes) -> bytes:
    """An HTML part of one piece again and again, in lines that are not too long."""
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


@pytest.mark.parametrize("name", MONSTERS)
def test_monsters(name: str) -> None:
    raw = MONSTERS[name]()
    start, before = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    handled(raw, "beams")
    assert time.process_time() - start < SLOWEST
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024 < MOST_MEMORY


@given(st.binary(max_size=2_000))
@settings(deadline=None)
def test_any_bytes_are_a_letter(raw: bytes) -> None:
    handled(raw, "beams")
    handled(HEAD + raw, "boundary")
    handled(HEAD + b"\n" + raw, "the-beam")


@given(st.text(max_size=500), st.sampled_from(GAMES))
def test_any_text_can_be_read(text: str, game: str) -> None:
    reading = read_commands(text, game, (text[:20],))
    deciding = {type(said.command) for said in reading.binding} & set(DECIDING)
    assert len(deciding) <= (reading.question is None)
    seen = [*reading.unknown, *reading.ignored, *(said.line for said in reading.commands)]
    assert {line.number for line in seen} <= set(range(1, len(text.splitlines()) + 1))


def test_a_letter_that_breaks_the_parser_is_told_from_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RecursionError

    monkeypatch.setattr("referee.mail.intake.letter.body", broken)
    letter = read(HEAD + b"\nboard", MAILBOX)
    assert letter.excess == "the letter cannot be taken apart"
    assert letter.game == "spring-b3-7"
    monkeypatch.setattr("referee.mail.intake.letter.BytesParser.parsebytes", broken)
    assert read(HEAD, MAILBOX).excess == "the letter cannot be taken apart"
