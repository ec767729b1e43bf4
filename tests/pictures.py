"""The pictures of the README, made from the example games: python -m tests.pictures writes them."""

from __future__ import annotations

from pathlib import Path

from referee.draw.drawing import drawing
from referee.draw.svg import svg
from referee.game import read
from referee.game.timeline import timeline

ROOT = Path(__file__).resolve().parent.parent
SHOWN = {
    "beams": ("asynchronous", 18),
    "boundary": ("trees", 16),
    "the-beam": ("class-4b", 17),
    "laser-chess": ("ace", 43),
}


def picture(game: str) -> str:
    """The picture of one game."""
    example, number = SHOWN[game]
    file = read(ROOT / "games" / game / f"{example}.yaml")
    ply = next(timeline(file, number=number))
    assert ply is not None
    scene = drawing(game).scene(ply.position, view=file.description.sides[0], events=ply.events)
    return svg(scene, paper="light") + "\n"


def path(game: str) -> Path:
    """Where it lies."""
    return ROOT / "docs" / "pictures" / f"{game}.svg"


if __name__ == "__main__":
    for name in SHOWN:
        path(name).write_text(picture(name), encoding="utf-8")
