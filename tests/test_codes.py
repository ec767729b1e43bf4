"""Every code is explained, its example leads to it, and the tables of the docs agree with the explanations."""

from __future__ import annotations

import contextlib
import re
import shutil
from pathlib import Path

import pytest

from referee.codes import Chapter, Explanation, catalogue, chapters, entry_text, explanations_of
from referee.errors import RefereeError
from tests.support.code_tables import codes_of_docs, row, rows
from tests.support.command_line import referee
from tests.support.examples import sampled
from tests.support.explained import CODES_SAID, codes_of, lay_out, printed
from tests.support.rows import each

ALL = [(chapter, one) for chapter in chapters() for one in chapter.explanations]
LOGS = Path(__file__).parents[1] / "spec" / "vectors"
SLOW = {"too-many"}
"""Codes whose examples take seconds."""

SHOWN = [(chapter, one) for chapter, one in ALL if "words" not in one.example]
IN_WORDS = {
    "hidden-hands",
    *("attic", "unwritable", "broken-game", "missing-extra", "internal", "no-scheduler", "worker-lost"),
    *("already-told", "two-reveals", "which", "backup", "sealed-letter", "clock-jump", "parts-differ"),
    *("no-mirrors-left", "own-game", "no-game", "no-games", "no-engine", "no-match", "wrong-paste"),
    *("engine", "engine-first", "engine-version", "plan"),
    *("not-paired", "pairing-code", "pairing-over", "too-many-codes", "no-seat", "other-site", "media-type"),
    "serving",
    *("page-key", "page-line", "page-done", "page-engine", "page-waits"),
    *(
        "parameter",
        "no-such-path",
        "method",
        "other-host",
        "too-slow",
        "too-large",
        "too-costly",
        "too-often",
        "busy",
    ),
}
"""Codes with examples in words: they need a full disk, a server, another program, several games, or a wrong clock."""


def name(value: Chapter | Explanation) -> str:
    return value.code if isinstance(value, Explanation) else value.title


def commands() -> list[object]:
    """The examples that are commands, every third one of them quick."""
    shown = [(chapter, one) for chapter, one in SHOWN if "command" in one.example and one.code not in SLOW]
    return [
        *sampled(shown, 3),
        *(pytest.param(chapter, one, marks=pytest.mark.slow) for chapter, one in SHOWN if one.code in SLOW),
    ]


def called(shown: tuple[Chapter, Explanation]) -> str:
    chapter, one = shown
    return f"{chapter.title} {one.code}"


def brings_it(shown: tuple[Chapter, Explanation], folder: Path) -> None:
    chapter, one = shown
    own = folder / called(shown)
    shutil.copytree(LOGS, own / "logs")
    with contextlib.chdir(own):
        assert one.code in codes_of(chapter, one, own)


@each([shown for shown in SHOWN if not {"command", "letter"} & shown[1].example.keys()], name=called, every=5)
def test_the_example_of_a_code_brings_it(shown: tuple[Chapter, Explanation], tmp_path: Path) -> None:
    brings_it(shown, tmp_path)


@pytest.mark.slow
@each([shown for shown in SHOWN if "letter" in shown[1].example and "command" not in shown[1].example], name=called)
def test_the_letter_of_an_example_brings_its_code(shown: tuple[Chapter, Explanation], tmp_path: Path) -> None:
    brings_it(shown, tmp_path)


@pytest.mark.parametrize(("chapter", "one"), commands(), ids=name)
def test_a_command_prints_what_its_example_says(
    chapter: Chapter, one: Explanation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    shutil.copytree(LOGS, tmp_path / "logs")
    lay_out(one.example, tmp_path)
    said = "".join(f"{line.rstrip()}\n" for line in printed(one.example["command"]).splitlines())
    pattern = ".*".join(re.escape(part) for part in one.example["prints"].split("…"))
    assert re.fullmatch(pattern, said), said
    assert one.code in CODES_SAID.findall(said)
    assert one.example["prints"].splitlines()[0] in entry_text(chapter, one)


def test_every_code_has_an_example_and_few_have_one_in_words_alone() -> None:
    assert all(one.example for _, one in ALL)
    assert {one.code for _, one in ALL if "words" in one.example} == IN_WORDS


def test_every_code_of_the_docs_is_explained() -> None:
    assert codes_of_docs() - {one.code for _, one in ALL} == set()


@each(chapters(), name=name)
def test_the_tables_of_the_docs_are_made_of_the_explanations(chapter: Chapter) -> None:
    """`python -m tests.support.code_tables` rewrites them."""
    assert rows(chapter) == [row(one) for one in chapter.explanations]


@each(chapters(), name=name)
def test_an_explanation_is_plain_text_for_a_terminal(chapter: Chapter) -> None:
    for one in (one for one in chapter.explanations if "moves" not in one.example):
        text = entry_text(chapter, one)
        assert text.startswith(f"{one.code}: ")
        assert "](" not in text
        assert "the documentation, page " in text
        assert "docs/" not in text
        assert all(line.isprintable() and line == line.rstrip() for line in text.split("\n"))


def test_all_codes_are_listed_by_chapter() -> None:
    run = referee("explain")
    assert run == (0, f"{catalogue()}\n", "")
    for chapter in chapters():
        listed = run.out.partition(f"{chapter.title}\n")[2].partition("\n\n")[0]
        assert [one.strip() for one in listed.replace("\n", ",").split(",") if one.strip()] == [
            one.code for one in chapter.explanations
        ]


def test_a_code_of_several_games_is_explained_for_each_or_for_one() -> None:
    assert {chapter.game for chapter, _ in explanations_of("occupied")} == {
        "beams",
        "boundary",
        "the-beam",
        "laser-chess",
    }
    run = referee("explain", "Occupied", "--game", "boundary")
    assert run.status == 0
    assert run.lines[:10] == [
        "occupied: a piece stands on the square",
        'Boundary: the documentation, page rules/boundary, "refusals"',
        "",
        "For example:",
        "    1. S c3-a1 P a1-a2",
        "",
        "    1:4: occupied: a piece stands on a1",
        "        1. S c3-a1 P a1-a2",
        "           ^",
        "        try: S c3-b2 P a1-a2",
    ]


def test_a_code_that_only_other_games_have_is_said_to_be_theirs() -> None:
    run = referee("explain", "adjacent-generator", "--game", "boundary")
    said = "unknown-code: boundary has no code 'adjacent-generator': it belongs to beams\n"
    assert run == (1, "", said)


def test_an_unknown_code_brings_the_nearest() -> None:
    with pytest.raises(RefereeError) as caught:
        explanations_of("ocupied")
    assert (caught.value.code, caught.value.suggestions[0]) == ("unknown-code", "occupied")
    run = referee("explain", "\x1b[2J")
    assert (run.status, run.out) == (1, "")
    assert "\x1b" not in run.err
