"""Golden scenes: the picture of a tiny position of each game as short text, kept in tests/draw/scenes.

`python -m tests.draw.golden_scenes` rewrites them all; the difference shows what changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, assert_never

import referee
from referee.draw import drawing
from referee.draw.scenes.scene import Circle, Group, Label, Point, Polygon, Polyline, Scene, Shape
from referee.rules import Event, Position
from tests.support.positions import boundary, laser_chess, the_beam

KEPT = Path(__file__).resolve().parent / "scenes"
COUNTED = {"cell", "cells", "helices", "barriers", "discs", "labels", "collected", "hands"}
"""Groups whose shapes are only counted, by their classes."""

DECKS = [[3, 2], [5, 1]]


def tiny(game: str) -> tuple[Position, tuple[Event, ...]]:
    """A position of a game with few pieces, and the last events."""
    position: Position
    match game:
        case "beams":
            position = referee.start("beams", columns=7, rows=16, mode="synchronous", pieces="beginner")
            texts = ["P M1 B3 12", "P R1 B5 12", "P S C4"]
        case "boundary":
            stacks = {"a1": ["green L", "green S"], "f1": ["red S", "red L"], "b2": "green M"}
            position = boundary({"stacks": stacks, "stones": {"c3": "south", "d3": "north"}})
            texts = ["S c3-c2 P b2-b3"]
        case "laser-chess":
            position = laser_chess({"board": {"j4": "M2", "e4": "d2", "c7": "S1"}})
            texts = ["M c7-d7"]
        case "the-beam":
            position = the_beam({"decks": DECKS, "mirrors": {"2,5": "\\"}})
            texts = ["A M3 B5", "P / 3,5"]
        case _:
            raise ValueError(game)
    events: tuple[Event, ...] = ()
    for text in texts:
        moves = dict.fromkeys(position.to_move, referee.parse_move(game, text))
        after = position.play(moves)
        events, position = position.events(moves, after), after
    return position, events


def picture(game: str, view: str | None = None) -> Scene:
    """The scene of the tiny position of a game."""
    position, events = tiny(game)
    return drawing(game).scene(position, view=view or position.sides[0], events=events)


def text(scene: Scene) -> str:
    """A scene as lines of text: each shape with its classes and its points in whole numbers."""
    lines = [f"{scene.title}", f"{scene.description}", f"{scene.width:.0f} x {scene.height:.0f}"]
    return "\n".join([*lines, *_told(scene.shapes, "")]) + "\n"


def _told(shapes: Iterable[Shape], indent: str) -> Iterator[str]:
    for shape in shapes:
        match shape:
            case Group():
                yield f"{indent}group {' '.join(shape.classes)}{': ' if shape.title else ''}{shape.title}".rstrip()
                if COUNTED & {*shape.classes}:
                    counted = Counter(" ".join((type(one).__name__.lower(), *one.classes)) for one in shape.shapes)
                    yield from (f"{indent}  {number} {what}" for what, number in counted.items())
                else:
                    yield from _told(shape.shapes, indent + "  ")
            case Polygon():
                yield f"{indent}polygon {_classes(shape)}{_points(shape.points)}"
            case Polyline():
                width = "" if shape.width is None else f" width {shape.width:.1f}"
                yield f"{indent}line {_classes(shape)}{_points(shape.points)}{width}"
            case Circle():
                yield f"{indent}circle {_classes(shape)}{_points([shape.centre])} radius {shape.radius:.0f}"
            case Label():
                yield f"{indent}label {_classes(shape)}{_points([shape.at])} {shape.text!r}"
            case _:
                assert_never(shape)


def _classes(shape: Any) -> str:  # noqa: ANN401 - any shape that has classes
    return "".join(f"{one} " for one in shape.classes)


def _points(points: Iterable[Point]) -> str:
    """The points, of a long line the ends."""
    told = [f"{x:.0f},{y:.0f}" for x, y in points]
    return " ".join(told if len(told) <= 12 else [told[0], f"({len(told) - 2} more)", told[-1]])


def write() -> None:
    """Rewrite every golden scene."""
    KEPT.mkdir(exist_ok=True)
    for game in referee.GAMES:
        (KEPT / f"{game}.txt").write_text(text(picture(game)), encoding="utf-8")


if __name__ == "__main__":
    write()
