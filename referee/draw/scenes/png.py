"""A scene as PNG, with a palette: a tenth of the bytes of full colours."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from io import BytesIO

from referee.draw.scenes.raster import pixels
from referee.draw.scenes.scene import NONE, Mark, Paint, Scene
from referee.errors import RefereeError
from referee.extras import extra

_NARROWEST, _WIDEST = 16, 10_000
"""The width of a PNG picture, in pixels."""

_PIXELS = 64_000_000
"""Maximum pixels of a PNG picture: half a gigabyte of memory, and some seconds."""

_BACKGROUNDS = {"light": "#ffffff", "dark": "#202124"}

_COLOURS = 256
"""Maximum colours of a palette."""

_NEAR = 8.0
"""Minimum distance of two colours of the palette."""

Rgb = tuple[int, int, int]
"""Red, green and blue, each from 0 to 255."""


def scene_png(scene: Scene, *, width: int = 1000, paper: str = "light") -> bytes:
    """The scene as a PNG picture, whose palette has every colour of the scene, and those halfway to the paper.

    The width is from 16 to 10,000 pixels, and the picture has at most 64 million. The paper is "light" or "dark".

    Raises:
        RefereeError: `picture-size`, `unknown-paper`, or `missing-extra`.
    """
    if paper not in _BACKGROUNDS:
        raise RefereeError("unknown-paper", f"there is no paper {paper!r} for a picture: {' or '.join(_BACKGROUNDS)}")
    widest = min(_WIDEST, math.isqrt(int(_PIXELS * scene.width / scene.height)))
    if not _NARROWEST <= width <= widest:
        sizes = f"{_NARROWEST} to {widest} pixels wide"
        raise RefereeError("picture-size", f"a picture of this board is {sizes}, not {width}")
    images = extra("PIL.Image", "pictures")
    marks, scale = [*scene.marks()], width / scene.width
    size = width, math.ceil(scene.height * scale)
    full = pixels(marks, scale, size, _BACKGROUNDS[paper], int(paper == "dark"))
    palette = images.new("P", (1, 1))
    palette.putpalette([part for colour in _apart(_colours(marks, paper)) for part in colour])
    file = BytesIO()
    full.quantize(palette=palette, dither=images.Dither.NONE).save(file, "PNG", compress_level=6)
    return file.getvalue()


def _apart(colours: Iterable[Rgb]) -> list[Rgb]:
    """The colours of a palette, none near to another: Pillow would take either of them, even for the paper."""
    kept: list[Rgb] = []
    for one in dict.fromkeys(colours):
        if len(kept) < _COLOURS and all(math.dist(one, other) >= _NEAR for other in kept):
            kept.append(one)
    return kept


def _colours(marks: Iterable[tuple[Mark, Paint]], paper: str) -> Iterator[Rgb]:
    """The colour of the paper, those of the marks on it, and those of soft edges, halfway between the two."""
    ground = _rgb(_BACKGROUNDS[paper])
    found = dict.fromkeys(
        _thinned(_rgb(colour[int(paper == "dark")]), ground, 1.0 if paint.opacity is None else paint.opacity)
        for paint in dict.fromkeys(paint for _, paint in marks)
        for colour in (paint.fill, paint.stroke)
        if colour is not None and colour != NONE
    )
    yield from (ground, *found, *(_thinned(colour, ground, 0.5) for colour in found))


def _rgb(colour: str) -> Rgb:
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue


def _thinned(colour: Rgb, ground: Rgb, opacity: float) -> Rgb:
    """A colour as the paper shows it."""
    red, green, blue = (round(below - (below - part) * opacity) for part, below in zip(colour, ground, strict=True))
    return red, green, blue
