"""Runs the main ways through the pages in each browser: reading, choosing, pairing, submitting, and the one page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import referee
from referee.draw.record import record
from referee.game import AnnotatedMove, GameFile, rounds_of
from referee.mail.office import now
from referee.web.onepage.one_page import one_page
from referee.web.onepage.parts import page_parts
from tests.browser.browser import BROWSERS, PYODIDE, in_a_browser
from tests.browser.composer_page import composer_page
from tests.browser.test_seated import SETTINGS, first_plies, run_on_pages
from tests.support.correspondence import KEY, corresponding
from tests.support.letter_commands import letter_commands
from tests.support.strategies import random_play

pytestmark = in_a_browser


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record, a composer, the referee in one page, and commands of letters."""
    folder = tmp_path_factory.mktemp("pages")
    moves = [AnnotatedMove(move) for ply in random_play("boundary", 3, {}, 8) for move in ply.moves.values()]
    (folder / "record.html").write_bytes(record(GameFile("boundary", rounds=rounds_of(moves, 2)), "html"))
    (folder / "composer.html").write_text(composer_page(referee.start("boundary"), "south"), encoding="utf-8")
    (folder / "referee.html").write_text(one_page(page_parts(PYODIDE)), encoding="utf-8")
    (folder / "letters").mkdir()
    (folder / "commands.json").write_text(json.dumps(letter_commands(folder / "letters")), encoding="utf-8")
    return folder


@pytest.mark.slow(minutes=1)
@pytest.mark.parametrize("browser", BROWSERS)
def test_the_main_ways(browser: str, pages: Path, tmp_path: Path) -> None:
    if not BROWSERS[browser]:
        pytest.skip(f"{browser} is not installed")
    for name in ("record.html", "composer.html", "referee.html", "commands.json"):
        (tmp_path / name).symlink_to(pages / name)
    with corresponding(tmp_path / "desk", SETTINGS, key=KEY) as post:
        post.at = now()
        post.open("laser-chess")
        plies = first_plies(post, 2)
        run_on_pages(post, plies, "ways.test.js", tmp_path, browser=browser)
        assert [*post.state.plies] == plies[:1]
        post.holds()
