"""Runs the browser's tests of whole games on the board: all four kinds, each side in a browser of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

import referee
from referee.mail.office import now
from tests.browser.browser import in_a_browser
from tests.browser.test_seated import SETTINGS, first_plies, run_on_pages
from tests.support.correspondence import KEY, corresponding

pytestmark = in_a_browser


@pytest.mark.slow(minutes=2)
@pytest.mark.parametrize("game", referee.GAMES)
def test_a_game_is_played_on_the_board_in_chromium(game: str, tmp_path: Path) -> None:
    with corresponding(tmp_path / "desk", SETTINGS, key=KEY) as post:
        post.at = now()
        post.open(game)
        plies = first_plies(post, 8)
        run_on_pages(post, plies, "played.test.js", tmp_path)
        assert [*post.state.plies] == plies
        post.holds()
