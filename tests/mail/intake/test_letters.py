"""Real-looking letters of many mail programs, and the right verdict on each (verdicts.yaml)."""

from __future__ import annotations

import re
from typing import Any

from referee.mail.intake.classification import LetterKind, classify
from referee.mail.intake.letter import read_letter
from tests.support.corpus import MAILBOX, letters, verdicts
from tests.support.rows import each

KEYS = {"class", "because", "games", "notation", "vouched"} | {
    *("commands", "failed", "unknown", "ignored", "question", "stop", "doubted")
}


@each(verdicts, every=3)
def test_letter(name: str) -> None:
    wanted = {"class": "human", "games": ["spring-b3-7"], **verdicts()[name]}
    letter = read_letter(letters()[name], MAILBOX)
    verdict = classify(letter, MAILBOX)
    said: dict[str, Any] = {
        "class": verdict.kind.value,
        "because": verdict.reason,
        "games": list(letter.games),
        "vouched": letter.vouched,
    }
    if verdict.reads:
        reading = letter.reading(wanted.get("notation", "beams"))
        said |= {
            "commands": [str(said.command) for said in reading.commands],
            "failed": [failed.line.text for failed in reading.failed],
            "unknown": [line.text for line in reading.unknown],
            "ignored": [line.text for line in reading.ignored],
            "question": reading.question and reading.question.code,
            "stop": reading.stop and reading.stop.text,
            "doubted": [str(said.command) for said in reading.doubted],
        }
    assert {key: value for key, value in said.items() if value} == {
        key: value for key, value in wanted.items() if value and key != "notation"
    }


def test_every_letter_has_a_verdict_and_every_sort_of_letter_an_example() -> None:
    assert set(letters()) == set(verdicts())
    assert len(letters()) >= 60
    assert set().union(*verdicts().values()) <= KEYS
    assert {verdict.get("class", "human") for verdict in verdicts().values()} == {kind.value for kind in LetterKind}


@each(letters)
def test_letters_name_no_real_addresses(name: str) -> None:
    for domain in re.findall(rb"[\w.+-]@([\w-]+(?:\.[\w-]+)+)", letters()[name]):
        assert re.fullmatch(rb"(?:[\w-]+\.)*example\.(?:com|org|net)", domain), domain


@each(letters, every=3)
def test_a_line_is_shown_as_it_was_read(name: str) -> None:
    reading = read_letter(letters()[name], MAILBOX).reading("beams")
    shown = [*reading.unknown, *reading.ignored, *(said.line for said in reading.commands)]
    for line in shown:
        assert line.text.isprintable()
        assert line.text == line.text.strip()
        assert line.number >= 1
