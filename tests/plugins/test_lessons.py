"""Games of other packages on the pages that teach games: each with what it has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from referee.errors import PackageFault
from referee.notation.lesson import lesson_of
from referee.rules import Position, first_position, game_named
from tests.support.sites import club


@pytest.mark.parametrize("name", ["three-crows", "hex"])
def test_a_game_is_taught_by_its_rules_its_moves_and_boards_of_its_example(name: str, tmp_path: Path) -> None:
    game = game_named(name)
    lesson = lesson_of(game, {})
    with club(tmp_path) as here:
        page = unescape(here.get(f"/rules/{name}"))
        pictures = re.findall(rf'src="(/rules/{name}/[^"?]+)', page)
        assert len(pictures) == len(lesson.parts)
        for picture in (*pictures, f"/rules/{name}/small.svg"):
            assert ElementTree.fromstring(here.get(picture)).tag.endswith("svg")
        for text in (game.title, lesson.credit, *lesson.words, *(form.write for form in lesson.forms)):
            assert text in page
        for path in ("/", "/rules"):
            assert game.title in here.get(path)


def test_a_game_that_fails_leaves_all_others_on_the_first_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(name: str, options: Mapping[str, object]) -> Position:
        if name == "hex":
            raise PackageFault("the game hex cannot be used")
        return first_position(name, options)

    monkeypatch.setattr("referee.web.site.lessons.first_position", failing)
    with club(tmp_path) as here:
        page = here.get("/")
        assert "Boundary" in page
        assert "/rules/hex" not in page
