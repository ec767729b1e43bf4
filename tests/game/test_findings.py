"""The faults of a game file: every finding, at its place, all of them at once."""

from __future__ import annotations

import pytest

from tests.game.findings import Case, cases, found
from tests.support.rows import each


@pytest.mark.slow
@each(cases, name=lambda case: case.shows, every=3)
def test_every_finding_at_its_place(case: Case) -> None:
    findings = found(case.file)
    expected = [place.strip() for place in case.findings]
    assert [f"{one.line}:{one.column} {one.code}" for one in findings] == expected
    for one, words in zip(findings, case.findings.values(), strict=True):
        assert words in one.message
    tried = {f"{one.line}:{one.column}": list(one.suggestions) for one in findings}
    for place, tries in case.tries.items():
        assert (len(tried[place]) if isinstance(tries, int) else tried[place]) == tries


@pytest.mark.slow
@each(cases, name=lambda case: case.shows, every=3)
def test_the_text_of_a_finding_is_printable_and_short(case: Case) -> None:
    for one in found(case.file):
        lines = one.as_text("file.yaml").split("\n")
        assert lines[0].startswith(f"file.yaml:{one.line}:{one.column}: {one.code}: ")
        assert all(line.isprintable() and line == line.rstrip() for line in lines)
        assert all(len(line) <= 78 for line in lines[1:])


@each(lambda: [case for case in cases() if case.file.isprintable()], name=lambda case: case.shows)
def test_the_caret_is_under_the_place(case: Case) -> None:
    for one in found(case.file):
        if one.excerpt and len(one.excerpt) < 60:
            shown, caret = one.as_text().split("\n")[1:3]
            assert shown == f"    {one.excerpt}".rstrip()
            assert caret.index("^") == 3 + (one.caret or one.column)


def test_cases_have_names_of_their_own() -> None:
    names = [case.shows for case in cases()]
    assert len(set(names)) == len(names)
