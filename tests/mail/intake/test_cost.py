"""Every step of the intake takes time in proportion to what it reads, up to each limit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.mail.intake.classification import classify
from referee.mail.intake.commands import read_commands, speaks
from referee.mail.intake.letter import read_letter
from referee.mail.intake.message.announcements import announcement
from referee.mail.intake.message.headers import Headers
from referee.mail.intake.message.html import text_of
from referee.mail.intake.message.limits import LIMITS, excess, text_excess, unix_lines
from referee.mail.intake.message.phrases import is_polite, without_please
from referee.mail.intake.message.text import bare, decode_text, letter_lines, unflow
from referee.mail.intake.message.trace import crossing, hop, is_vouched
from referee.mail.intake.quotes import own_lines
from referee.notation.typography import plain_text
from tests.mail.attacks import ATTACKS, HEAD, TOKENS, part, repeated
from tests.support import timing
from tests.support.corpus import MAILBOX
from tests.support.examples import examples

DEAREST = 1.0
"""Seconds of processor time that a letter may cost."""


def field(name: str) -> Callable[[str], Headers]:
    return lambda text: Headers(((name, text.replace("\n", " ")),))


def letter(text: str) -> bytes:
    return HEAD + b"\n" + text.encode()


STEPS: dict[str, tuple[int, Callable[[str], Any]]] = {
    "unix_lines": (400_000, lambda text: unix_lines(text.encode())),
    "excess": (400_000, lambda text: excess(letter(text))),
    "excess of parts": (400_000, lambda text: excess(part("multipart/mixed", text.encode()))),
    "decode": (200_000, lambda text: decode_text(text.encode(), "cp932")),
    "unflow": (LIMITS.text, unflow),
    "unflow, delsp": (LIMITS.text, lambda text: unflow(text, delsp=True)),
    "text_excess": (LIMITS.text, lambda text: text_excess(text, LIMITS)),
    "text_of": (60_000, text_of),
    "lines": (60_000, letter_lines),
    "plain": (60_000, lambda text: plain_text(text.replace("\n", " "))),
    "bare": (60_000, bare),
    "own_lines": (60_000, lambda text: own_lines(letter_lines(text))),
    "announcement": (60_000, lambda text: announcement(letter_lines(text.replace("\n", " ")), 0)),
    "is_polite": (60_000, lambda text: is_polite(text, frozenset({"x"}))),
    "without_please": (60_000, without_please),
    "read_commands": (30_000, lambda text: read_commands(text, "beams", ("x",))),
    "speaks": (4_000, lambda text: speaks.__wrapped__(text, "beams")),
    "addresses": (LIMITS.field, lambda text: field("from")(text).addresses("from")),
    "text": (LIMITS.field, lambda text: field("subject")(text).text("subject")),
    "word": (LIMITS.field, lambda text: field("precedence")(text).word("precedence")),
    "message_ids": (LIMITS.field, lambda text: field("references")(text).message_ids("references")),
    "hop": (LIMITS.field, lambda text: hop(f"by a with lmtp {text};{text}")),
    "crossing": (LIMITS.field, lambda text: crossing(field("received")(f"by a; {text}"), MAILBOX)),
    "is_vouched": (LIMITS.field, lambda text: is_vouched(field("authentication-results")(text), MAILBOX)),
    "read": (60_000, lambda text: read_letter(letter(text), MAILBOX)),
    "read and classify": (30_000, lambda text: classify(read_letter(letter(text), MAILBOX), MAILBOX)),
    "the whole intake": (30_000, lambda text: read_letter(letter(text), MAILBOX).reading("beams")),
}
"""Each step with the longest text for its measurement, and its function."""


def test_excessive_cost_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing, "cost", lambda work, text: work(text))
    assert timing.excess(lambda text: len(text) ** 2 * 1e-6, "x" * 600, "x" * 2_400)
    assert not timing.excess(lambda text: len(text) * 1e-3, "x" * 600, "x" * 2_400)
    assert not timing.excess(lambda text: len(text) ** 2 * 1e-9, "x" * 600, "x" * 2_400)


@pytest.mark.slow
@pytest.mark.timing
@pytest.mark.parametrize("name", STEPS)
def test_four_times_as_much_costs_four_times_as_much(name: str) -> None:
    longest, step = STEPS[name]
    shortest = longest // timing.MORE
    found = {token: timing.excess(step, repeated(token, shortest), repeated(token, longest)) for token in TOKENS}
    assert {token: said for token, said in found.items() if said} == {}


@pytest.mark.slow
@pytest.mark.timing
@pytest.mark.parametrize("name", STEPS)
def test_pairs_of_tokens_on_one_line_cost_no_more(name: str) -> None:
    longest, step = STEPS[name]

    @given(
        st.tuples(st.sampled_from(TOKENS), st.sampled_from(TOKENS)), st.sampled_from(("", "x", "please", ":", '"'))
    )
    @examples(0.15, derandomize=True)
    def costs_no_more(pair: tuple[str, str], end: str) -> None:
        piece = "".join(pair).replace("\n", " ")
        lengths = longest // timing.MORE, longest
        shorter, longer = ((piece * (length // len(piece) + 1))[:length] + end for length in lengths)
        assert not timing.excess(step, shorter, longer)

    costs_no_more()


@pytest.mark.slow
@pytest.mark.timing
@pytest.mark.parametrize("name", ATTACKS)
def test_no_letter_costs_a_second(name: str) -> None:
    raw = ATTACKS[name]()

    def whole(_: str) -> None:
        found = read_letter(raw, MAILBOX)
        classify(found, MAILBOX)
        found.reading("beams")

    assert min(timing.cost(whole, "") for _ in range(2)) < DEAREST


@pytest.mark.parametrize(
    "line", [", " * 12_500 + "x", " " * 12_500 + "x", "bitte " * 4_000, "-" * 12_500, "\u0315\u0300" * 9_000]
)
def test_a_long_line_costs_nothing(line: str) -> None:
    with timing.within(0.3):
        read_commands(line, "beams")
        without_please(line)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (part("text/plain; " + "a;" * 101, b"x"), "the letter has 102 parameters in one header field"),
        (HEAD + (b"X: " + b"x" * 15_000 + b"\n") * 9 + b"\n", "bytes in its header"),
        (ATTACKS["long fields in 99 parts"](), ""),
        pytest.param(
            ATTACKS["a line of ligatures"](), "or more characters of text as it is read", marks=pytest.mark.slow
        ),
        (ATTACKS["decoded marks"](), ""),
        (ATTACKS["a report"](), "blocks in a delivery report"),
    ],
)
def test_limits_hold_before_a_header_is_parsed_and_after_a_text_is_decoded(raw: bytes, said: str) -> None:
    found = read_letter(raw, MAILBOX)
    assert said in found.excess
    assert bool(said) == bool(found.excess)
    assert found.senders[0].address == "ada@example.com"


def test_a_refused_letter_keeps_the_names_of_the_fields_that_are_too_long() -> None:
    raw = HEAD + b"X-Referee-Desk: " + b"x" * 20_000 + b"\nContent-Type: a/b; " + b";" * 9_000 + b"\nSubject: hm\n\n"
    found = read_letter(raw, MAILBOX)
    assert found.excess
    assert found.headers.first("x-referee-desk") == ""
    assert "x-referee-desk" in found.headers
    assert found.subject == "hm"


def test_the_envelopes_tag_is_enough() -> None:
    raw = b"Delivered-To: <desk+spring-7.k2x@example.org>\nTo: desk+other-8@example.org\n\n"
    assert str(read_letter(raw, MAILBOX).tag) == "spring-7.k2x"
    assert str(read_letter(b"To: " + raw[14:], MAILBOX).tag) == "spring-7.k2x"


def test_more_lines_than_people_write_decide_nothing() -> None:
    found = read_commands("resign\n" + "well\n" * 1_000, "beams")
    assert found.question is not None
    assert found.question.code == "too-long"
    assert found.commands == ()
    assert read_commands("resign\n" + "> well\n" * 4_000, "beams").commands


def test_soft_lines_end_at_an_empty_one() -> None:
    assert unflow("P M1 \n\nthanks") == "P M1 \nthanks"
