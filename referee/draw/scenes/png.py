"""A scene as PNG, with a palette: a tenth of the bytes of full colours."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from io import BytesIO

from referee.draw.scenes.scene import BOLD, FAMILY, NONE, REGULAR, Paint, Scene, legible
from referee.draw.scenes.svg import scene_svg
from referee.errors import RefereeError
from referee.extras import extra

_NARROWEST, _WIDEST = 16, 10_000
"""The width of a PNG picture, in pixels."""

_PIXELS = 64_000_000
"""Maximum pixels of a PNG picture: half a gigabyte of memory, and some seconds."""

_BACKGROUNDS = {"light": "#ffffff", "dark": "#202124"}

_COLOURS, _BETWEEN = 256, 16
"""Maximum colours of a palette, and of those among them that lie between two paints, for soft edges."""

_SEARCHED = 180
"""Width in pixels of the shrunk picture used to find the colours between; the whole picture takes twice as long."""

_NEAR = 8.0
"""Minimum distance of two colours of the palette."""

Rgb = tuple[int, int, int]
"""Red, green and blue, each from 0 to 255."""


def scene_png(scene: Scene, *, width: int = 1000, paper: str = "light") -> bytes:
    """The scene as a PNG picture, whose palette has every colour of the scene and a few between them.

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
    full = images.open(BytesIO(_full_colours(scene, width, paper))).convert("RGB")
    plain = images.Dither.NONE
    edges = full.reduce(max(1, min(width // _SEARCHED, full.height))).quantize(_BETWEEN, dither=plain).getpalette()
    palette = images.new("P", (1, 1))
    found = (*_colours(scene, paper), *zip(*[iter(edges)] * 3, strict=True))
    palette.putpalette([part for colour in _apart(found) for part in colour])
    file = BytesIO()
    full.quantize(palette=palette, dither=plain).save(file, "PNG", compress_level=7)
    return file.getvalue()


def _full_colours(scene: Scene, width: int, paper: str) -> bytes:
    """The scene as a PNG with all the colours of soft edges, with our own fonts only."""
    resvg = extra("resvg_py", "pictures")
    return bytes(
        resvg.svg_to_bytes(
            legible(scene_svg(scene, paper=paper, crisp=True)),
            width=width,
            background=_BACKGROUNDS[paper],
            skip_system_fonts=True,
            font_files=[str(REGULAR), str(BOLD)],
            font_family=FAMILY,
        )
    )


def _apart(colours: Iterable[Rgb]) -> list[Rgb]:
    """The colours of a palette, none near to another: Pillow would take either of them, even for the paper."""
    kept: list[Rgb] = []
    for one in dict.fromkeys(colours):
        if len(kept) < _COLOURS and all(math.dist(one, other) >= _NEAR for other in kept):
            kept.append(one)
    return kept


def _colours(scene: Scene, paper: str) -> Iterator[Rgb]:
    """The colour of the paper, and those of the marks on it."""
    ground = _rgb(_BACKGROUNDS[paper])
    yield ground
    for _, paint in scene.marks():
        for colour in (paint.fill, paint.stroke):
            if colour is not None and colour != NONE:
                yield _thinned(_rgb(colour[int(paper == "dark")]), ground, paint)


def _rgb(colour: str) -> Rgb:
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue


def _thinned(colour: Rgb, ground: Rgb, paint: Paint) -> Rgb:
    """A colour as the paper shows it."""
    opacity = 1.0 if paint.opacity is None else paint.opacity
    red, green, blue = (round(below - (below - part) * opacity) for part, below in zip(colour, ground, strict=True))
    return red, green, blue
