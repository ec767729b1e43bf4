"""Bare positions, drawn and in plain text."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import referee
from referee.draw.picture import picture
from referee.errors import RefereeError
from referee.game import zeroth_ply
from tests.support.playthroughs import examples

every_game = pytest.mark.parametrize("name", referee.GAMES)


@every_game
def test_a_position_is_drawn_as_before_a_game(name: str) -> None:
    position = referee.start(name)
    for view in position.sides:
        drawn = referee.svg(position, view=view)
        assert drawn.encode() == picture(zeroth_ply(referee.GameFile(name)), "svg", view=view)
        assert ElementTree.fromstring(drawn).tag.endswith("svg")
    assert referee.svg(position) == referee.svg(position, view=position.sides[0]) == position._repr_svg_()


@every_game
def test_a_position_is_shown_in_plain_text(name: str) -> None:
    *_, last = referee.read(examples(name)[0]).replay()
    board = last.position.text()
    assert board.isascii()
    assert max(map(len, board.split("\n"))) <= 78
    assert board == last.position.text(last.position.sides[0])
    assert last.position.text(unicode=True) != board


@every_game
def test_a_chair_that_there_is_not(name: str) -> None:
    position = referee.start(name)
    with pytest.raises(RefereeError, match="unknown-side: there is no side 'nobody'"):
        referee.svg(position, view="nobody")
    with pytest.raises(RefereeError, match="unknown-side: there is no side 'nobody'"):
        position.text("nobody")


def test_a_value_that_is_no_position_is_reported() -> None:
    with pytest.raises(TypeError, match="expected a position, a ply or a game, not 3"):
        referee.svg(3)  # type: ignore[arg-type] # on purpose
