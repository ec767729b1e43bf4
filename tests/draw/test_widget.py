"""The widget of a notebook is the record in a frame, and nothing in it gets out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import referee
from referee.draw.page import page
from referee.errors import FileError
from referee.game import Player
from tests.draw.test_page import Page
from tests.support.records import HOSTILE

OPENING = Path("games/beams/opening.yaml")


@pytest.mark.slow
def test_the_widget_is_the_record_in_a_frame() -> None:
    game = replace(referee.read(OPENING), event=" ".join(HOSTILE), players={"south": Player(HOSTILE[1])})
    (frame,) = Page(referee.show(game, height=300)._repr_html_()).tags
    tag, attributes = frame
    assert (tag, attributes["srcdoc"]) == ("iframe", page(game))
    assert attributes["title"] == "Beams, Boosters and Barriers, ply by ply"
    assert attributes["sandbox"] == "allow-scripts allow-downloads"
    assert "height: 300px" in attributes["style"]


def test_a_game_that_does_not_hold_is_refused() -> None:
    wrong = referee.loads("game: beams\nmoves: |\n  P S A2 | P S A2\n  P S A2 | P S A4\n")
    with pytest.raises(FileError, match="occupied"):
        referee.show(wrong)
    assert wrong._repr_svg_() is None


def test_games_plies_and_positions_are_pictures_in_a_notebook() -> None:
    game = referee.read(OPENING)
    *_, last = game.replay()
    assert game._repr_svg_() == last._repr_svg_()
    assert last._repr_svg_().startswith("<svg")
    start = referee.loads("game: beams\nmoves: ''\n")
    assert start._repr_svg_() == start.start()._repr_svg_()
