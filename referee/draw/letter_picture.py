"""The small picture of a board that a letter shows."""

from __future__ import annotations

from dataclasses import replace

from referee.draw import chair, drawing
from referee.draw.scenes.png import scene_png
from referee.draw.scenes.scene import Group
from referee.rules import Event, Position

LETTER_BYTES = 60_000
"""Maximum size of a letter's picture."""

_LETTER_WIDTH, _LETTER_HEIGHT, _LETTER_NARROWEST = 720, 1200, 120
"""The largest size in pixels, two for each of a telephone's 360, and the smallest width."""


def letter_picture(position: Position, view: str, events: tuple[Event, ...] = ()) -> bytes:
    """The board as a PNG for a letter: at most 60,000 bytes, 720 pixels wide and 1200 high, on white.

    It leaves out all that readers of a page can switch off, and the panel next to the board.

    Raises:
        RefereeError: `missing-extra` or `unknown-side`.
    """
    scene = drawing(position.game).scene(position, view=chair(position, view), events=events)
    shapes = tuple(one for one in scene.shapes if not (isinstance(one, Group) and one.switch))
    scene = replace(scene, width=scene.board_width or scene.width, shapes=shapes)
    width = int(min(_LETTER_WIDTH, _LETTER_HEIGHT * scene.width / scene.height))
    while len(picture := scene_png(scene, width=width)) > LETTER_BYTES and width > _LETTER_NARROWEST:
        width = width * 4 // 5
    return picture
