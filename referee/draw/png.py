"""A scene as a PNG picture of any size, lettered in the font that comes with the package."""

from __future__ import annotations

from referee.draw.lettering import BOLD, FAMILY, REGULAR, legible
from referee.draw.scene import Scene
from referee.draw.svg import svg
from referee.errors import RefereeError
from referee.extras import extra

SMALLEST, LARGEST = 16, 10_000
"""The least and the greatest width, in pixels."""

PAPERS = {"light": "#ffffff", "dark": "#202124"}


def png(scene: Scene, *, width: int = 1000, paper: str = "light") -> bytes:
    """The scene as a PNG picture.

    Args:
        scene: what to draw.
        width: in pixels, from 16 to 10000; the height follows from it.
        paper: "light" or "dark".

    Raises:
        RefereeError: `picture-size`, `unknown-paper`, or `missing-extra`.
    """
    if paper not in PAPERS:
        raise RefereeError("unknown-paper", f"there is no paper {paper!r} for a picture: {' or '.join(PAPERS)}")
    if not SMALLEST <= width <= LARGEST:
        raise RefereeError("picture-size", f"a picture is {SMALLEST} to {LARGEST} pixels wide, not {width}")
    resvg = extra("resvg_py", "pictures")
    return bytes(
        resvg.svg_to_bytes(
            legible(svg(scene, paper=paper)),
            width=width,
            background=PAPERS[paper],
            skip_system_fonts=True,
            font_files=[str(REGULAR), str(BOLD)],
            font_family=FAMILY,
        )
    )
