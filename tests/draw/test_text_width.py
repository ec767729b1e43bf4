"""Every report of every example fits into a letter: 78 columns, ASCII by default."""

from __future__ import annotations

from pathlib import Path

import pytest

import referee
from referee.draw.text import BOARD_WIDTH, REPORT_WIDTH, report_text, text_board
from referee.game import zeroth_ply
from tests.support.playthroughs import examples, sampled_examples


@pytest.mark.parametrize("unicode", [False, True], ids=["ascii", "unicode"])
@pytest.mark.parametrize("file", sampled_examples())
def test_a_report_is_78_columns_wide_at_most(file: Path, unicode: bool) -> None:
    game = referee.read(file)
    for ply in (zeroth_ply(game), *game.replay()):
        for view in game.description.sides:
            lines = report_text(game, ply, view=view, unicode=unicode).split("\n")
            assert [line for line in lines if len(line) > REPORT_WIDTH] == []
            assert unicode or all(line.isascii() for line in lines)


def test_the_width_is_that_of_a_letter() -> None:
    assert REPORT_WIDTH == 78


@pytest.mark.parametrize("unicode", [False, True], ids=["ascii", "unicode"])
@pytest.mark.parametrize("game", referee.GAMES)
def test_a_usual_board_and_its_legend_are_70_columns_wide_at_most(game: str, unicode: bool) -> None:
    for ply in referee.read(examples(game)[0]).replay():
        for view in ply.position.sides:
            lines = text_board(ply.position, view, ply.events, unicode=unicode)
            wide = [line for line in lines if len(line) > BOARD_WIDTH]
            assert wide == [], "mail programs that break lines at 72 would tear it"
