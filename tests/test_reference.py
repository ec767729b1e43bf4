"""The page of the Python API has every public name with its docstring, and its examples run."""

from __future__ import annotations

import contextlib
import doctest
import re
from pathlib import Path

import pytest

import referee
from tests.support.reference import WITHIN, Member, members, page
from tests.support.rows import each

ROOT = Path(__file__).resolve().parents[1]
TEXT = page()
ALL = [member for name in referee.__all__ for member in members(name)]
DATA = {"frame"}
"""Names with examples that need libraries for data."""


def test_the_page_has_a_place_for_every_public_name() -> None:
    """`python -m tests.support.reference > spec/reference.md` writes the page."""
    assert (ROOT / "spec" / "reference.md").read_text(encoding="utf-8") == TEXT
    assert {*re.findall(r"^### (\w+)$", TEXT, re.MULTILINE)} == {*referee.__all__}
    assert not re.search(r"\]\((?!#)", TEXT), "a link that leads from the page"


@each(ALL, name=lambda member: member.title)
def test_every_public_name_is_described(member: Member) -> None:
    assert member.summary
    is_shown = f" `{member.title}`\n" in TEXT or f" {member.title}\n" in TEXT
    assert is_shown is (member.title not in WITHIN)


@each(referee.__all__)
def test_every_public_name_has_an_example(name: str) -> None:
    assert any(">>> " in member.doc for member in members(name))


def does_what_it_says(member: Member) -> None:
    test = doctest.DocTestParser().get_doctest(member.doc, {}, member.title, None, 0)
    said: list[str] = []
    with contextlib.chdir(ROOT):
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    assert not said, "".join(said)


@each([one for one in ALL if one.title not in DATA], name=lambda member: member.title)
def test_examples_of_docstrings_do_what_they_say(member: Member) -> None:
    does_what_it_says(member)


@pytest.mark.data
@each([one for one in ALL if one.title in DATA], name=lambda member: member.title)
def test_examples_that_need_libraries_for_data_do_what_they_say(member: Member) -> None:
    does_what_it_says(member)
