"""Every sentence of the letters is in one file: none is missing, unused, or anywhere else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from referee.mail.intake.message.announcements import announcement
from referee.mail.intake.message.text import letter_lines
from referee.mail.letters.format.language import sentences, short_deadline
from referee.mail.letters.story.draft import Gist
from tests.support.rows import each
from tests.support.sources import PACKAGE, modules, nodes

WRITERS = (
    "mail/letters/*.py",
    "mail/handlers/replies.py",
    "mail/handlers/notifications.py",
    "mail/handlers/reception.py",
    "mail/handlers/roundup.py",
    "mail/handlers/arrangements.py",
    "mail/handlers/responses.py",
    "mail/host/outages.py",
)
"""The modules that write letters."""

SENTENCE = re.compile(r"[A-Za-z']+(?: [A-Za-z']+){2}")
"""Three words in a row: enough to be English."""


def writers() -> Iterator[Path]:
    return (path for path in modules() if any(fnmatchcase(path.as_posix(), pattern) for pattern in WRITERS))


def asked(path: Path) -> Iterator[str]:
    """The names of sentences that a module uses; a computed part may be anything."""
    joined = {part for node in nodes(path) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in nodes(path):
        match node:
            case ast.Constant(value=str(text)) if node not in joined and re.fullmatch(r"[a-z-]+\.[a-z-]+", text):
                yield text
            case ast.JoinedStr(values=parts):
                yield "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in parts)


def documentation(path: Path) -> set[ast.AST]:
    """The strings of a module that are no data: docstrings, and the texts below constants."""
    return {node.value for node in nodes(path) if isinstance(node, ast.Expr)}


def logged(path: Path) -> set[ast.AST]:
    """The texts of a module for the log of the desk, and notes for the host."""
    calls = (node for node in nodes(path) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute))
    notes = (
        node
        for node in nodes(path)
        if (isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "note")
        or (isinstance(node, ast.keyword) and node.arg == "note")
    )
    return {
        *(one for call in calls if ast.unparse(call.func).startswith("LOG.") for one in call.args),
        *(one for note in notes for one in ast.walk(note)),
    }


@pytest.mark.slow
def test_every_sentence_that_is_asked_for_is_there_and_no_other() -> None:
    known, wanted = set(sentences()), {name for path in writers() for name in asked(path)}
    sections = {name.partition(".")[0] for name in known}
    plain = {name for name in wanted if "*" not in name and name.partition(".")[0] in sections}
    assert plain - known == set()
    patterns = [name for name in wanted if "*" in name and name.partition(".")[0] in sections | {"*"}]
    unused = [name for name in known - plain if not any(fnmatchcase(name, pattern) for pattern in patterns)]
    assert unused == []


@pytest.mark.slow
def test_no_letter_has_a_sentence_of_its_own() -> None:
    found = [
        (path.as_posix(), node.lineno, node.value)
        for path in writers()
        for said_elsewhere in [documentation(path) | logged(path)]
        for node in nodes(path)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if node not in said_elsewhere and SENTENCE.search(node.value)
    ]
    assert found == []


_BY_KIND = (
    *("submitted", "sealed", "revealed", "failed", "offered", "accepted", "declined", "resigned", "claimed"),
    *("message", "vacation", "replaced", "extended", "joined", "refused", "left", "aborted"),
)
"""Kinds of events whose sentences are named after them."""


def test_parts_and_plural_forms_agree() -> None:
    for name, sentence in sentences().items():
        if isinstance(sentence, dict):
            assert sentence.keys() == {"one", "other"}, name
            assert "{number}" in sentence["other"], name
            parts = [set(re.findall(r"{(\w+)}", form)) - {"number"} for form in sentence.values()]
            assert parts[0] == parts[1], name


def test_a_deadline_at_midnight_tells_its_hour() -> None:
    days = [datetime(2027, 3, 8, hour, tzinfo=UTC) for hour in (0, 13)]
    assert [short_deadline(day) for day in days] == ["Mon 8 Mar, 00:00", "Mon 8 Mar"]


def test_every_event_and_gist_has_its_subject_and_its_first_sentence() -> None:
    """Their names are computed, so no other test would miss one."""
    told = {f"{part}.{name}{own}" for name in _BY_KIND for part in ("subject", "first") for own in ("", "-own")}
    gists = {f"{part}.{gist}" for gist in Gist if gist for part in ("subject", "first")}
    standings = {f"task.{name}{until}" for name in ("to-move", "to-reveal") for until in ("", "-until", "-late")}
    assert (told | gists | standings) - sentences().keys() == set()


def test_every_answer_of_the_desk_has_its_sentence() -> None:
    text = (PACKAGE / "desk" / "play" / "decisions.py").read_text(encoding="utf-8")
    codes = set(re.findall(r'Answer\("([a-z]+)"', text)) - {*_ORDERED}
    assert {code for code in codes if f"done.{code}" not in sentences()} == set()


_ORDERED = ("ticked", "extended", "paused", "resumed", "adjudicated", "replaced", "closed", "reopened")
"""Answers to the host, who gets no letter."""


@each(
    [
        *("first.submitted-own", "first.sealed-own", "first.not-in", "first.reveal-not-in"),
        *("first.not-done", "first.not-done-in", "first.unclear", "first.shown", "first.invitation", "first.closed"),
        *("task.to-move-until", "task.to-move-late", "task.to-reveal", "task.to-reveal-until", "task.to-reveal-late"),
    ]
)
def test_a_quoted_letter_of_the_desk_is_known_by_its_first_lines_even_without_marks(name: str) -> None:
    sentence = sentences()[name]
    assert isinstance(sentence, str)
    told = re.sub(r"{\w+}", lambda part: "7" if part[0] == "{round}" else "Ada", sentence)
    for first in (f"{told} It is your turn.", f"Ben moved. {told}" if name.startswith("task.") else told):
        assert announcement(letter_lines(first), 0) == 1
