"""The pages that teach the games, and the first page that leads to them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from referee.draw.words import alt_text
from referee.game import ply_at, read
from referee.notation.lesson import lesson_of
from referee.rules import all_games, game_named
from tests.support.sites import MAILBOX, Club, club


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    with club(tmp_path_factory.mktemp("lessons"), invites=MAILBOX, host="hanna@example.org") as found:
        yield found


@pytest.mark.parametrize("name", all_games())
def test_every_game_has_a_lesson_with_pictures_its_moves_its_rules_and_its_author(name: str, asked: Club) -> None:
    page = unescape(asked.get(f"/rules/{name}"))
    lesson = lesson_of(game_named(name), {})
    for told in (*lesson.parts.values(), [lesson.credit], [form.write for form in lesson.forms]):
        for text in told:
            assert text in page
    pictures = re.findall(rf'src="(/rules/{name}/[^"?]+)', page)
    assert len(pictures) == len(lesson.steps or lesson.parts)
    for picture in (*pictures, f"/rules/{name}/small.svg"):
        assert ElementTree.fromstring(asked.get(picture)).tag.endswith("svg")
    assert "<script" not in page
    assert asked.browser.get(f"/rules/{name}").headers["content-security-policy"].startswith("default-src 'none'")


def test_a_step_shows_the_position_after_its_moves_or_that_of_an_example(asked: Club) -> None:
    page = unescape(asked.get("/rules/laser-chess"))
    game = read("games/laser-chess/curiosity.yaml")
    ply = ply_at(game, 41)
    assert alt_text(ply.position, "blue", ply.events, outcome=ply.outcome) in page
    assert "Score: south 2, north 0." in unescape(asked.get("/rules/beams"))


def test_the_list_of_rules_and_the_first_page_lead_to_all_lessons(asked: Club) -> None:
    for path in ("/", "/rules"):
        page = asked.get(path)
        assert [name for name in all_games() if f'href="/rules/{name}"' not in page] == []


def test_every_page_says_who_runs_the_desk(asked: Club, tmp_path: Path) -> None:
    for path in ("/", "/rules", "/rules/beams", "/invite"):
        assert 'Run by <a href="mailto:hanna@example.org">' in asked.get(path)
    with club(tmp_path, invites=MAILBOX) as here:
        assert f'<a href="mailto:{MAILBOX}">' in here.get("/")


@pytest.mark.parametrize("path", ["/rules/chess", "/rules/beams/0.svg", "/rules/beams/99.svg", "/rules/beams/x.svg"])
def test_there_are_no_other_lessons_and_pictures(path: str, asked: Club) -> None:
    asked.get(path, 404)
