"""Runs the browser's tests of games on the board: all four kinds, each side in a browser of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

import referee
from referee.desk import kind_of
from referee.mail.office import now
from tests.browser.browser import in_a_browser
from tests.browser.test_seated import SETTINGS, run_on_pages
from tests.support.correspondence import GAME, KEY, Correspondence, corresponding

pytestmark = in_a_browser

PLIES = 8


def play_by_letter(post: Correspondence) -> None:
    """Play the first plies of a game, each side its first legal move."""
    while len(post.state.plies) < PLIES and post.state.owing:
        (side, *_) = sorted(post.state.owing)
        post.write(side, str(next(iter(post.state.position.legal_moves(side)))))


@pytest.mark.slow(minutes=2)
@pytest.mark.parametrize("game", referee.GAMES)
def test_a_game_is_played_on_the_board_in_chromium(game: str, tmp_path: Path) -> None:
    with corresponding(tmp_path / "letters", key=KEY) as post:
        post.open(game)
        play_by_letter(post)
        plies, by_letter = [*post.state.plies], [entry.event for entry in post.office.desk.log(GAME)][1:]
    with corresponding(tmp_path / "desk", SETTINGS, key=KEY) as post:
        post.at = now()
        post.open(game)
        run_on_pages(post, plies, "played.test.js", tmp_path)
        assert [*post.state.plies] == plies
        by_page = [entry.event for entry in post.office.desk.log(GAME)][1:]
        if post.state.simultaneous:  # seals are bound to the time of the ply
            assert sorted(map(kind_of, by_page)) == sorted(map(kind_of, by_letter))
        else:
            assert by_page == by_letter
        post.holds()
