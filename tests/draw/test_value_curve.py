"""The curve of values: its place, and its description."""

from __future__ import annotations

import pytest

import referee
from referee.draw.scenes.chart import meaning, value_curve
from referee.draw.scenes.scene import Label, Polyline, Scene
from referee.game import zeroth_ply
from referee.rules import game_named

MOVES = ("R j1 L", "R a8 L", "R j1 R", "R a8 R")


def curve(*values: str, now: int | None = None) -> Scene | None:
    """The curve of a game whose plies have these values; without values there is none."""
    noted = [f"{move} {{value {value}}}" if value else move for move, value in zip(MOVES, values, strict=False)]
    rounds = [" | ".join(noted[place : place + 2]) for place in range(0, len(noted), 2)]
    game = referee.loads("game: laser-chess\nmoves: |\n" + "".join(f"  {one}\n" for one in rounds))
    return value_curve([zeroth_ply(game), *game.replay()], now)


def labels(scene: Scene | None) -> list[str]:
    assert scene is not None
    return [shape.text for shape in scene.shapes if isinstance(shape, Label)]


def test_without_values_there_is_no_curve() -> None:
    assert curve("", "") is None


def test_the_curve_tells_each_value_and_keeps_one_where_there_is_none() -> None:
    scene = curve("+0.40", "", "-1.25")
    assert scene is not None
    assert (scene.title, scene.description) == ("Value by ply", "blue: 0, 0.4, 0.4, -1.25.")


@pytest.mark.parametrize(
    ("values", "drawn"),
    [
        (("+0.40", "won"), "blue: 0, 0.4, 3."),
        (("-4.20", "lost"), "blue: 0, -4.2, -6."),
        (("+12.00", "won"), "blue: 0, 10, 10."),
    ],
)
def test_a_certain_win_lies_beyond_every_guess(values: tuple[str, ...], drawn: str) -> None:
    scene = curve(*values)
    assert scene is not None
    assert scene.description == drawn


def test_a_number_over_that_of_the_zero_line_is_left_out() -> None:
    assert labels(curve("+9.50", "-0.50"))[:2] == ["0", "10"]
    assert labels(curve("+2.00", "-2.00"))[:3] == ["-2", "0", "2"]


def test_any_ply_can_be_marked() -> None:
    def mark(now: int | None) -> float:
        scene = curve("+1.00", "+2.00", now=now)
        assert scene is not None
        (line,) = (one for one in scene.shapes if isinstance(one, Polyline) and "now" in one.classes)
        return line.points[0][0]

    assert mark(0) < mark(1) < mark(2) == mark(None)


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("beams", "By how many points south is better, as an engine sees it."),
        ("the-beam", "The points that an engine expects at the end."),
    ],
)
def test_values_say_what_they_mean(game: str, said: str) -> None:
    assert meaning(game_named(game)) == said
