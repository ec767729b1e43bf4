"""The pictures of the README, drawn from the example games; `python -m tests.support.pictures` redraws them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import referee
from referee.draw import drawing
from referee.draw.scenes.scene import Paint, Polygon, Scene
from referee.draw.scenes.svg import scene_svg

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "pictures"

SHOWN = {
    "beams": ("asynchronous", 18),
    "boundary": ("trees", 38),
    "the-beam": ("class-4b", 24),
    "laser-chess": ("curiosity", 41),
}
"""For each game the example, and the ply after which it is shown."""


def pictures() -> Iterator[tuple[Path, str]]:
    """The file of each picture, and its content."""
    for name, (example, number) in SHOWN.items():
        game = referee.read(ROOT / "games" / name / f"{example}.yaml")
        ply = next(ply for ply in game.replay() if ply.number == number)
        view = game.description.sides[0]
        scene = drawing(name).scene(ply.position, view=view, events=ply.events)
        yield FOLDER / f"{name}.svg", scene_svg(on_paper(scene), paper="light", name=name) + "\n"


def on_paper(scene: Scene) -> Scene:
    """A scene on white paper of its own, so that it can be read on a dark page too."""
    right, bottom = scene.width, scene.height
    sheet = Polygon(((0, 0), (right, 0), (right, bottom), (0, bottom)), ("paper",))
    white = Paint(fill=("#ffffff", "#ffffff"))
    return replace(scene, shapes=(sheet, *scene.shapes), paints={"paper": white, **scene.paints})


if __name__ == "__main__":
    for file, text in pictures():
        file.write_text(text, encoding="utf-8")
