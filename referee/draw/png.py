"""The picture of a letter: a board as a small PNG with a palette, on white in light and in dark mode."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from io import BytesIO

from referee.draw import chair, drawing
from referee.draw.scene import NONE, Group, Paint, Scene
from referee.draw.svg import scene_png
from referee.extras import extra
from referee.rules import Event, Position

LETTER_BYTES = 60_000
"""Maximum size of a letter's picture."""

_WIDEST, _HIGHEST, _NARROWEST = 720, 1200, 120
"""The largest size in pixels, two for each of a telephone's 360, and the width that it is never reduced below."""

_COLOURS, _BETWEEN = 256, 16
"""Maximum colours of a palette, and those among them that are not of the paints but between them, for soft edges."""

_NEAR = 8.0
"""Minimum distance of two colours of the palette."""

Rgb = tuple[int, int, int]
"""Red, green and blue, each from 0 to 255."""


def letter_picture(position: Position, view: str, events: tuple[Event, ...] = ()) -> bytes:
    """The board as a PNG for a letter: at most 60,000 bytes, 720 pixels wide and 1200 high, on white.

    What readers of a page can switch off is left out, and what is beside the board.

    Args:
        position: of any game.
        view: the side whose view of the board is shown.
        events: what the last ply changed, to be marked.

    Raises:
        RefereeError: `missing-extra`.
        RefereeError: `unknown-side`.
    """
    scene = drawing(position.game).scene(position, view=chair(position, view), events=events)
    shapes = tuple(one for one in scene.shapes if not (isinstance(one, Group) and one.switch))
    scene = replace(scene, width=scene.board_width or scene.width, shapes=shapes)
    width = int(min(_WIDEST, _HIGHEST * scene.width / scene.height))
    while len(picture := _small_png(scene, width)) > LETTER_BYTES and width > _NARROWEST:
        width = width * 4 // 5
    return picture


def _small_png(scene: Scene, width: int) -> bytes:
    """A PNG whose palette has every colour of the scene, and a few between them."""
    images = extra("PIL.Image", "pictures")
    full = images.open(BytesIO(scene_png(scene, width=width))).convert("RGB")
    plain = images.Dither.NONE
    edges = full.quantize(_BETWEEN, dither=plain).getpalette()
    palette = images.new("P", (1, 1))
    found = (*_colours(scene), *zip(*[iter(edges)] * 3, strict=True))
    palette.putpalette([part for colour in _apart(found) for part in colour])
    file = BytesIO()
    full.quantize(palette=palette, dither=plain).save(file, "PNG", compress_level=7)
    return file.getvalue()


def _apart(colours: Iterable[Rgb]) -> list[Rgb]:
    """The colours of a palette: of two that are near to each other Pillow may take either, even for the paper."""
    kept: list[Rgb] = []
    for one in dict.fromkeys(colours):
        if len(kept) < _COLOURS and all(math.dist(one, other) >= _NEAR for other in kept):
            kept.append(one)
    return kept


def _colours(scene: Scene) -> Iterator[Rgb]:
    """White, and the colours of the marks as they look on it."""
    yield 255, 255, 255
    for _, paint in scene.marks():
        for colour in (paint.fill, paint.stroke):
            if colour is not None and colour != NONE:
                red, green, blue = (int(colour[0][at : at + 2], 16) for at in (1, 3, 5))
                yield _thinned(red, paint), _thinned(green, paint), _thinned(blue, paint)


def _thinned(part: int, paint: Paint) -> int:
    """A part of a colour on white."""
    return round(255 - (255 - part) * (1.0 if paint.opacity is None else paint.opacity))
