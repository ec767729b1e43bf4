"""PDF pages as the tests read them: every path in millimetres from the page's upper left corner, and the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from pypdf import PageObject, PdfReader, Transformation
from pypdf.generic import ContentStream

MM = 25.4 / 72
PAINTED = {"S", "s", "f", "F", "f*", "B", "B*", "b", "b*"}

Point = tuple[float, float]
Matrix = tuple[float, float, float, float, float, float]


@dataclass(frozen=True)
class Path:
    """One outline of a path: the ends of its lines and curves, and the rectangle that it is clipped to."""

    points: tuple[Point, ...]
    clip: tuple[float, float, float, float] | None
    curved: bool

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        across, down = zip(*self.points, strict=True)
        return min(across), min(down), max(across), max(down)

    @property
    def diameter(self) -> float | None:
        """That of a circle."""
        left, top, right, bottom = self.box
        return right - left if self.curved and abs((right - left) - (bottom - top)) < 0.01 else None


def pages(pdf: bytes) -> list[PageObject]:
    return list(PdfReader(BytesIO(pdf)).pages)


def size(page: PageObject) -> Point:
    return round(float(page.mediabox.width) * MM, 1), round(float(page.mediabox.height) * MM, 1)


def text(pdf: bytes) -> str:
    return "\n".join(page.extract_text() for page in pages(pdf))


def texts(page: PageObject) -> list[tuple[str, Point]]:
    """Every piece of text, and its beginning."""
    found: list[tuple[str, Point]] = []
    height = float(page.mediabox.height)

    def visit(text: str, around: Matrix, matrix: Matrix, *_: object) -> None:
        if text.strip():
            place = Transformation(matrix).transform(Transformation(around)).apply_on((0, 0))
            found.append((text.strip(), (float(place[0]) * MM, (height - float(place[1])) * MM)))

    page.extract_text(visitor_text=visit)
    return found


def beside_their_rounds(pdf: bytes, beginning: str) -> list[bool]:
    """For each comment that begins so, true if the row of its round is right above it, in the same column."""
    told = []
    for page in pages(pdf):
        found = texts(page)
        numbers = [place for one, place in found if re.fullmatch(r"\d+\.", one)]
        for one, (x, y) in found:
            if one.startswith(beginning):
                told.append(any(0 < y - down < 6 and 0 <= x - left < 12 for left, down in numbers))
    return told


def paths(page: PageObject) -> Iterator[Path]:
    """Every painted outline of a page."""
    height = float(page.mediabox.height)
    contents = page.get_contents()
    assert contents is not None
    matrix, clip = Transformation(), None
    kept: list[tuple[Transformation, Any]] = []
    outlines: list[tuple[list[Point], bool]] = []

    def moved(a: float, b: float, c: float, d: float, e: float, f: float) -> Transformation:
        return Transformation((a, b, c, d, e, f))

    def at(x: float, y: float) -> Point:
        place = matrix.apply_on((float(x), float(y)))
        return float(place[0]) * MM, (height - float(place[1])) * MM

    for operands, operator in ContentStream(contents, page.pdf).operations:
        match operator.decode():
            case "q":
                kept.append((matrix, clip))
            case "Q":
                matrix, clip = kept.pop()
            case "cm":
                matrix = moved(*map(float, operands)).transform(matrix)
            case "m":
                outlines.append(([at(*operands)], False))
            case "l":
                outlines[-1][0].append(at(*operands))
            case "c":
                outlines[-1][0].append(at(*operands[4:]))
                outlines[-1] = (outlines[-1][0], True)
            case "re":
                x, y, width, tall = map(float, operands)
                outlines.append(([at(x, y), at(x + width, y + tall)], False))
            case "W":
                clip = Path(tuple(outlines[-1][0]), None, False).box
            case "n":
                outlines = []
            case painted if painted in PAINTED:
                yield from (Path(tuple(points), clip, curved) for points, curved in outlines if len(points) > 1)
                outlines = []
