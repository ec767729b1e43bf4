"""A scene as PNG, with a palette: a tenth of the bytes of full colours."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache
from io import BytesIO
from itertools import takewhile

from referee.draw.scenes.raster import pixels
from referee.draw.scenes.scene import Group, Paint, Polygon, Scene, every
from referee.errors import RefereeError
from referee.extras import extra

_NARROWEST, _WIDEST = 16, 10_000
"""The width of a PNG picture, in pixels."""

_PIXELS = 64_000_000
"""Maximum pixels of a PNG picture: half a gigabyte of memory, and some seconds."""

_BACKGROUNDS = {"light": "#ffffff", "dark": "#202124"}

_COLOURS = 256
"""Maximum colours of a palette."""

_CLEAR = 0.5
"""Opacity below which the palette has the colours that show through."""

_NEAR, _APART = 8.0, 24.0
"""Minimum distance of two colours of the palette, and of a mixed one from others: each makes files larger."""

Rgb = tuple[int, int, int]
"""Red, green and blue, each from 0 to 255."""


def scene_png(scene: Scene, *, width: int = 1000, paper: str = "light", effort: int = 6) -> bytes:
    """The scene as a PNG picture, whose palette has the scene's colours, those halfway to the paper, and mixtures.

    The width is from 16 to 10,000 pixels, and the picture has at most 64 million. The paper is "light" or "dark".
    The effort to make the file small is from 1 to 9; packing takes a third less time at 5 than at 6.

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
    still = takewhile(lambda one: isinstance(one, Group) and one.still, scene.shapes)
    first = sum(not isinstance(one, Group) for one in every(still))
    full = pixels(marks[:first], marks[first:], scale, size, _BACKGROUNDS[paper], int(paper == "dark"))
    palette = images.new("P", (1, 1))
    palette.putpalette(
        _palette(tuple(dict.fromkeys((paint, isinstance(mark, Polygon)) for mark, paint in marks)), paper)
    )
    file = BytesIO()
    full.quantize(palette=palette, dither=images.Dither.NONE).save(file, "PNG", compress_level=effort)
    return file.getvalue()


@lru_cache(64)
def _palette(paints: tuple[tuple[Paint, bool], ...], paper: str) -> list[int]:
    """The palette for paints; those of polygons, which other marks lie on, are marked as true.

    None of its colours is near to another: Pillow would take either, even for the paper.
    """
    kept: list[Rgb] = []
    for one, near in _colours(paints, paper):
        if len(kept) < _COLOURS and all(math.dist(one, other) >= near for other in kept):
            kept.append(one)
    return [part for colour in kept for part in colour]


def _colours(paints: Iterable[tuple[Paint, bool]], paper: str) -> Iterator[tuple[Rgb, float]]:
    """Each colour of a palette with its minimum distance from others: paper, paints, soft edges, and mixtures."""
    ground, place = _rgb(_BACKGROUNDS[paper]), int(paper == "dark")
    inks = [
        (_rgb(colour[place]), 1.0 if paint.opacity is None else paint.opacity, is_area and colour is paint.fill)
        for paint, is_area in paints
        for colour in (paint.fill, paint.stroke)
        if colour is not None and colour[place] != "none"
    ]
    found = [_thinned(colour, ground, opacity) for colour, opacity, _ in inks]
    yield from ((one, _NEAR) for one in (ground, *found, *(_thinned(colour, ground, 0.5) for colour in found)))
    areas = [colour for colour, opacity, is_area in inks if is_area and opacity == 1]
    veils = [(colour, opacity) for colour, opacity, _ in inks if opacity < _CLEAR]
    yield from ((_thinned(colour, below, opacity), _APART) for colour, opacity in veils for below in areas)


def _rgb(colour: str) -> Rgb:
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue


def _thinned(colour: Rgb, ground: Rgb, opacity: float) -> Rgb:
    """A translucent colour mixed with the one below it."""
    red, green, blue = (round(below - (below - part) * opacity) for part, below in zip(colour, ground, strict=True))
    return red, green, blue
