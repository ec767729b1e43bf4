"""Malicious letters: none of them raises, and each is read in bounded time and memory."""

from __future__ import annotations

import random
import resource
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.desk.log.acts import DECIDING
from referee.mail.intake.classification import LetterKind, classify
from referee.mail.intake.commands import read_commands
from referee.mail.intake.letter import read_letter
from referee.rules import GAMES
from tests.mail.monsters import HEAD, MONSTERS, mutated
from tests.support.corpus import MAILBOX, letters
from tests.support.examples import sampled
from tests.support.timing import within

SLOWEST = 4.0
"""Maximum seconds for a letter, on a busy machine."""
MOST_MEMORY = 120
"""Megabytes that the letters together may add to the process."""


def handled(raw: bytes, game: str) -> LetterKind:
    """A letter taken through every stage of the intake."""
    letter = read_letter(raw, MAILBOX)
    verdict = classify(letter, MAILBOX)
    reading = letter.reading(game)
    for said in reading.commands:
        assert str(said.command)
    for failed in reading.failed:
        assert failed.error.finding.as_text()
    references = letter.headers.message_ids("references", "in-reply-to")
    for text in (letter.subject, letter.message_id, *references, *(one.address for one in letter.senders)):
        assert "\n" not in text
        assert "\r" not in text
    return verdict.kind


def many_mutated(count: int) -> Iterator[bytes]:
    chance = random.Random(20270301)
    corpus = list(letters().values())
    for _ in range(count):
        yield mutated(chance.choice(corpus), chance, corpus)


@pytest.mark.parametrize("count", [40, pytest.param(6_000, marks=pytest.mark.slow)])
def test_mutated_letters(count: int, record_property: Callable[[str, object], None]) -> None:
    kinds: dict[LetterKind, int] = {}
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for number, raw in enumerate(many_mutated(count)):
        with within(SLOWEST):
            kind = handled(raw, GAMES[number % len(GAMES)])
        kinds[kind] = kinds.get(kind, 0) + 1
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - held) // 1024
    figures = {kind.value: found for kind, found in kinds.items()}
    record_property("mutated letters", figures)
    print(f"{count} mutated letters: {figures}; {memory} MB more at most")
    assert memory < MOST_MEMORY
    assert kinds[LetterKind.HUMAN] > count // 3, "the mutations leave too little to read"


@pytest.mark.parametrize("name", sampled(MONSTERS, 5))
def test_monsters(name: str) -> None:
    raw = MONSTERS[name]()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with within(SLOWEST):
        handled(raw, "beams")
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024 < MOST_MEMORY


@given(st.binary(max_size=2_000))
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


def test_a_letter_that_breaks_the_parser_is_distinguished_from_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RecursionError

    monkeypatch.setattr("referee.mail.intake.letter.body_of", broken)
    letter = read_letter(HEAD + b"\nboard", MAILBOX)
    assert letter.excess == "the letter cannot be taken apart"
    assert letter.games[0] == "spring-b3-7"
    monkeypatch.setattr("referee.mail.intake.letter.BytesParser.parsebytes", broken)
    assert read_letter(HEAD, MAILBOX).excess == "the letter cannot be taken apart"
