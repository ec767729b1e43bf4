"""Pieces that belong to no side are in the words of a board, in its text and in its picture."""

from __future__ import annotations

from typing import Any

import referee
from referee.draw.scenes.ink import plain_lines
from referee.draw.scenes.svg import scene_svg
from referee.plugin import BoardDrawing, Content, Square

ROCKS = {Square(2, 1), Square(3, 4)}


class Rocks(BoardDrawing[Any]):
    """A board with nothing but rocks."""

    def content(self, position: Any, square: Square) -> Content | None:  # noqa: ANN401
        """A rock on some squares."""
        return Content("", "rock") if square in ROCKS else None


def test_a_piece_of_no_side_is_named_without_one() -> None:
    draw, position = Rocks(), referee.start("hex")
    assert "There is a rock on b1, c4." in [*draw.words(position, view="red")]
    scene = draw.scene(position, view="red")
    assert "There is a rock on b1, c4." in scene.description
    assert ">r</text>" in scene_svg(scene)
    lines = plain_lines(draw.board_lines(position, view="red", unicode=False, events=(), width=78))
    assert sum(line.split().count("r") for line in lines) == len(ROCKS)
    assert "b1, rock" in {one.name for one in draw.targets(position, side="red", view="red")}
