"""Every code is explained, its example brings it, and the tables of the docs say what the explanations say."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from referee.codes import Chapter, Explanation, chapters
from tests.support.explained import codes_of

ROOT = Path(__file__).resolve().parents[1]
ALL = [(chapter, one) for chapter in chapters() for one in chapter.explanations]


@pytest.mark.parametrize(("chapter", "one"), ALL, ids=lambda value: getattr(value, "code", getattr(value, "title", "")))
def test_the_example_of_a_code_brings_it(
    chapter: Chapter, one: Explanation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert one.example
    if "words" not in one.example:
        assert one.code in codes_of(chapter, one, tmp_path)
