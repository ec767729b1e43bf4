"""The stages between the bytes of a letter and its lines, one by one."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

from referee.desk import GAME_ID
from referee.mail import intake
from referee.mail.addresses import Tag, subject_games
from referee.mail.intake import message
from referee.mail.intake.classification import Classification, LetterKind, classify
from referee.mail.intake.letter import read_letter
from referee.mail.intake.message.html import text_of
from referee.mail.intake.message.limits import LIMITS, Limits, excess
from referee.mail.intake.message.text import decode_text, unflow
from tests.support.corpus import HEADER, MAILBOX, above, letter, letters
from tests.support.rows import each


@each(
    [
        ("one \ntwo\nthree", ["one two", "three"]),
        ("> one \n> two\nthree", ["> one two", "three"]),
        ("> one \n>> two\n> three", ["> one ", "> > two", "> three"]),
        (" >no quotation", [">no quotation"]),
        ("one \n-- \nAda", ["one ", "-- ", "Ada"]),
        ("> one\n> -- \n> Ada", ["> one", "> -- ", "> Ada"]),
        ("P M1 \nA2 \n12\n", ["P M1 A2 12"]),
        ("\n\n", ["", ""]),
    ]
)
def test_flowed_lines_are_joined(row: tuple[str, list[str]]) -> None:
    text, lines = row
    assert unflow(text).split("\n") == lines


def test_the_blank_of_a_soft_line_end_can_be_dropped() -> None:
    assert unflow("P S A \n2\noffer  \ndraw", delsp=True).split("\n") == ["P S A2", "offer draw"]


@each(
    [
        (b"caf\xc3\xa9", "utf-8", "café"),
        (b"caf\xc3\xa9", "us-ascii", "café"),
        (b"caf\xe9", "utf-8", "café"),
        (b"\x93caf\xe9\x94", "iso-8859-1", "\u201ccafé\u201d"),
        (b"caf\xc3\xa9", "x-no-such", "café"),
        (b"caf\xe9", "", "café"),
        (b'\x1b$B$"\x1b(B', "iso-2022-jp", "あ"),
        (b"\x82\xa0", "Shift_JIS", "あ"),
        (b"\xef\xbb\xbfa", "iso-8859-1", "a"),
        (b"\xff\xfea\x00", "", "a"),
        (b"\x81\xe9", "utf-8", "\ufffdé"),
        (b"a", "hex", "a"),
        (b"a-b", "punycode", "a-b"),
        (b"a", "../../etc/passwd\0", "a"),
        (b"a", "x" * 10_000, "a"),
    ]
)
def test_every_charset_gives_some_text(row: tuple[bytes, str, str]) -> None:
    data, charset, text = row
    assert decode_text(data, charset) == text


@each(
    [
        ("<p>P&nbsp;M1 <b>A2</b>\n12</p>", "P\xa0M1 A2 12"),
        ("one<br>two<br><br/>three", "one\ntwo\n\nthree"),
        ("<div>one<div>two</div></div>three", "one\ntwo\nthree"),
        ("a<blockquote>b<blockquote>c</blockquote></blockquote>d", "a\n> b\n> > c\nd"),
        ("<blockquote>never closed", "> never closed"),
        ("</blockquote></blockquote>a", "a"),
        ("<head><title>t</title></head><body>a<script>b</script><style>c</style></body>", "a"),
        ("<head><title>never closed<body>a", "a"),
        ("<!DOCTYPE html><!-- a -->b<![if x]>c<![endif]><?xml d?>", "bc"),
        ("a <!-- never closed", "a"),
        ("1 < 2 <3 & 4 &lt; 5 <", "1 < 2 <3 & 4 < 5 <"),
        ("<pre>a\n  b</pre>c", "a\nb\nc"),
        ("<ul><li>a<li>b</ul>", "a\nb"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c", "a b\nc"),
        ("", ""),
    ]
)
def test_html_as_text(row: tuple[str, str]) -> None:
    html, text = row
    assert text_of(html) == text


def test_an_address_is_read_back_from_what_it_prints() -> None:
    for tag in (Tag("spring-b3-7"), Tag("a", "south.12.k4wq2m7x")):
        assert MAILBOX.tag(MAILBOX.address_for(tag)) == tag
        assert MAILBOX.tag(MAILBOX.address_for(tag).upper()) == tag
        assert MAILBOX.owns(MAILBOX.address_for(tag))
    assert MAILBOX.claimed_by(MAILBOX.message_id("spring-b3-7", 12, "south")) == ("spring-b3-7", 12, "south")


@each(
    [
        "desk@example.org",
        "desk+@example.org",
        "desk+a@example.com",
        "desk2+a@example.org",
        "desk+../a@example.org",
        "desk+a/b@example.org",
        "desk+-a@example.org",
        "desk+.a@example.org",
        "desk+a%00@example.org",
        "desk+",
        "@",
        "",
    ]
)
def test_no_tag(address: str) -> None:
    assert MAILBOX.tag(address) is None


@each(["", ".", "..", "../a", "a/b", "a\\b", "a.b", "A", "a b", "a\n", "-a", "a-", "a" * 41, "é"])
def test_no_game_id(text: str) -> None:
    assert not GAME_ID.fullmatch(text)
    assert text not in subject_games(f"Re: [{text}]")


@each(
    [
        "<a.1.south.referee@example.com>",
        "<a.1.south@desk.example.org>",
        "<../a.1.south.referee@desk.example.org>",
        "<a.b.south.referee@desk.example.org>",
        "a.1.south.referee@desk.example.org",
        "",
    ]
)
def test_no_message_id_of_the_desk(message_id: str) -> None:
    assert MAILBOX.claimed_by(message_id) is None


def test_the_envelope_says_more_than_the_header() -> None:
    found = letter("board", recipient="<desk+other.key@example.org>", sender="<>")
    assert found.tag == Tag("other", "key")
    assert found.games[0] == "other"
    assert classify(found, MAILBOX).kind is LetterKind.BOUNCE
    assert letter(recipient="desk@example.org").tag == Tag("spring-b3-7", "k4wq2m7x")
    assert letter("", "Return-Path: <>\n", sender="ada@example.com").return_path == "ada@example.com"


def test_games_are_named_by_address_then_reference_then_subject() -> None:
    header = (
        f"References: <x@y>,{MAILBOX.message_id('older', 1, 'a')},{MAILBOX.message_id('newer', 1, 'a')}\n"
        "Subject: Re: [EXT] [spring-b3-7] [Sub]\n"
    )
    assert letter("", header).games == ("spring-b3-7", "newer", "older", "ext", "sub")


@each(
    [
        ("mx.example.org; dmarc=pass header.from=example.com", True),
        ("MX.example.org 1; spf=pass; DMARC = Pass (p=none) header.from=EXAMPLE.com", True),
        ("mx.example.org; dmarc=fail header.from=example.com", False),
        ("mx.example.org; dmarc=pass", False),
        ("mx.example.org; dmarc=pass header.from=example.com.example.net", False),
        ("mx.example.org; dmarc=pass header.from=example.com; dmarc=fail header.from=example.com", False),
        ("mx.example.org; spf=pass smtp.mailfrom=dmarc=pass", False),
        ('mx.example.org; x="; dmarc=pass header.from=example.com"', False),
        ("mx.example.org; none (((((; dmarc=pass header.from=example.com)))))", False),
        ("mx.example.org.example.net; dmarc=pass header.from=example.com", False),
        ("(mx.example.org) evil; dmarc=pass header.from=example.com", False),
        ("mx.example.org", False),
        ("", False),
        (f"mx.example.org; {'x=y; ' * 500}dmarc=pass header.from=example.com", False),
    ]
)
def test_only_the_own_servers_report_vouches(row: tuple[str, bool]) -> None:
    results, vouched = row
    assert above(f"Authentication-Results: {results}\n").vouched is vouched
    below = f"Authentication-Results: mx.example.net; none\nAuthentication-Results: {results}\n"
    assert above(below).vouched is False


def test_two_froms_are_not_vouched_for() -> None:
    header = "Authentication-Results: mx.example.org; dmarc=pass header.from=example.com\n"
    assert above(header).vouched
    assert not above(header, "From: Eve <eve@example.com>\n").vouched


def test_nothing_decoded_ends_a_line() -> None:
    found = read_letter(letters()["header-injection"], MAILBOX)
    texts = [
        found.subject,
        found.message_id,
        *found.headers.message_ids("references", "in-reply-to"),
        *(text for sender in found.senders for text in sender),
    ]
    assert found.subject.startswith("[spring-b3-7] Bcc:")
    assert all(text.isprintable() for text in texts)


def test_an_excess_is_reported() -> None:
    wrong = {
        "size": b"x" * 30_000_000,
        "lines": b"\n" * (LIMITS.lines + 1),
        "line": b"\n" + b"x" * (LIMITS.line + 1),
        "fields": b"A: b\n" * (LIMITS.fields + 1),
        "field": b"A: " + b"b\n " * (LIMITS.field // 3),
        "part field": b"\nContent-Type: text/plain" + b";\n a=b" * (LIMITS.field // 6),
        "containers": b"\n" + b"Content-Type: multipart/mixed\n" * (LIMITS.containers + 1),
        "dashes": b"\n--" * 5_000,
    }
    for what, raw in wrong.items():
        assert "at most" in excess(raw), what
    for text in ("x\n" * (LIMITS.text_lines + 1), ("x" * 990 + "\n") * 203):
        found = letter(text)
        assert "at most" in found.excess
        assert found.body.text == ""
    parts = "--b\n\nx\n" * (LIMITS.parts + 1)
    assert "parts" in letter(parts, "Content-Type: multipart/mixed; boundary=b\n").excess
    assert excess(HEADER.encode()) == ""


def test_a_letter_that_is_too_large_is_still_answered_and_its_game_found() -> None:
    found = read_letter(HEADER.encode() + b"\n" + b"x\n" * 3_000_000, MAILBOX)
    assert classify(found, MAILBOX).kind is LetterKind.TOO_LARGE
    assert classify(found, MAILBOX).answerable
    assert found.games[0] == "spring-b3-7"
    assert found.senders[0].address == "ada@example.com"
    assert not found.reading("beams").commands
    robot = read_letter(b"Auto-Submitted: auto-replied\n" + HEADER.encode() + b"\n" + b"x\n" * 3_000_000, MAILBOX)
    assert classify(robot, MAILBOX).kind is LetterKind.AUTOMATIC


def test_limits_can_be_smaller() -> None:
    assert read_letter(HEADER.encode() + b"\n1234567890", MAILBOX, limits=Limits(size=20)).excess


def test_the_policy_never_answers_what_no_person_wrote() -> None:
    assert {kind for kind in LetterKind if Classification(kind).answerable} == {
        LetterKind.HUMAN,
        LetterKind.DOUBTFUL,
        LetterKind.TOO_LARGE,
    }
    assert {kind for kind in LetterKind if Classification(kind).reads} == {LetterKind.HUMAN, LetterKind.DOUBTFUL}
    assert not Classification(LetterKind.DOUBTFUL).answers(commands=False)
    assert Classification(LetterKind.DOUBTFUL).answers(commands=True)
    assert not Classification(LetterKind.AUTOMATIC).answers(commands=True)
    assert Classification(LetterKind.HUMAN).answers(commands=False)


@pytest.mark.parametrize(
    "address", ["de\u017fk@example.org", "des\u212a@example.org", "de\u017fk+spring-7@example.org"]
)
def test_an_address_that_looks_like_the_desks_is_not_its_own(address: str) -> None:
    assert not MAILBOX.owns(address)
    assert MAILBOX.tag(address) is None
    assert MAILBOX.owns("DESK@Example.ORG")


@pytest.mark.parametrize("part", [intake, message])
def test_a_package_of_the_intake_names_its_modules(part: ModuleType) -> None:
    folder = Path(part.__file__ or "").parent
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert set(re.findall(r"`([a-z]+)`", part.__doc__ or "")) - {"message"} == modules
