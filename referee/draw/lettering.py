"""The font that pictures and printed pages are lettered in, which comes with the package.

It is DejaVu Sans: Latin, Greek, Cyrillic, Arabic, Hebrew, Armenian, Georgian and many symbols.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from referee.extras import extra

FAMILY = "DejaVu Sans"
_FOLDER = Path(__file__).resolve().parent / "fonts"
REGULAR = _FOLDER / "DejaVuSans.ttf"
BOLD = _FOLDER / "DejaVuSans-Bold.ttf"

MISSING = "\u25a1"
"""What stands for a character that the font has no picture of: a square."""


def legible(text: str) -> str:
    """A text as the font can show it: what it lacks is a square, so that nothing vanishes."""
    return text if text.isascii() and text.isprintable() else text.translate(_squares(frozenset(text)))


@cache
def _characters() -> frozenset[int]:
    """The characters that both weights of the font have, and the blanks."""
    fonts = extra("fontTools.ttLib", "pictures")
    both: list[set[int]] = []
    for file in (REGULAR, BOLD):
        with fonts.TTFont(file, lazy=True) as font:
            both.append(set(font.getBestCmap()))
    return frozenset({*map(ord, "\t\n"), *set.intersection(*both)})


def _squares(used: frozenset[str]) -> dict[int, str]:
    return {ord(one): MISSING for one in used if ord(one) not in _characters()}
