"""Pages of columns: what comes next goes below, into the next column, or onto the next page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from referee.draw.scenes.pdf import GREY, Box, PdfDocument, TextLook
from referee.draw.scenes.scene import Point, Scene

SMALL, STEP = 2.5, 1.4
"""The size of small text in millimetres, and the distance between lines in sizes."""

CUT = 1000
"""Maximum characters of a name that is shown on one line."""

_FOOT, _CAPTION, _TOGETHER = 5.0, 1.5, 6
"""Room above the foot of a page and around a caption, and maximum lines of a part of a paragraph that is divided."""


class Columns:
    """The columns of a document while they are filled; `label` is at the foot of each page."""

    def __init__(self, document: PdfDocument, label: str, *, number: int, margin: float, gutter: float) -> None:
        self.document, self.label, self._margin = document, label, margin
        self.width = (document.width - 2 * margin - (number - 1) * gutter) / number
        self.bottom = document.height - margin - _FOOT
        self._lefts = [margin + place * (self.width + gutter) for place in range(number)]
        self._tops, self._column, self.y = [margin] * number, 0, margin

    @property
    def place(self) -> tuple[int, int]:
        """The page and the column that are filled now."""
        return self.document.pages, self._column

    def page(self) -> None:
        """Begin a page with its foot."""
        document = self.document
        document.page()
        right, y = document.width - self._margin, document.height - self._margin
        (first, *_) = document.wrap(self.label[:CUT], right - self._margin - 20, SMALL) or [""]
        document.text(first, (self._margin, y), SMALL, colour=GREY, kind="")
        document.text(str(document.pages), (right, y), SMALL, align=1, colour=GREY, kind="")
        self.begin(self._margin)

    def begin(self, *tops: float) -> None:
        """Go on in the first column of this page, and begin each column at a height, the last one of all others."""
        self._tops = [*tops, *[tops[-1]] * (len(self._lefts) - len(tops))]
        self._column, self.y = 0, tops[0]

    def room(self, height: float) -> Point:
        """The upper left corner of the next free millimetres, in this column or in a later one."""
        while self.y + height > self.bottom:
            self._next()
        self.y += height
        return self._lefts[self._column], self.y - height

    def keep(self, height: float) -> None:
        """Go on in a later column if what follows fits into that one undivided, and not into this one."""
        if height <= self.bottom - self._margin:
            while self.y + height > self.bottom:
                self._next()

    def lines(
        self, lines: Sequence[str], size: float, *, indent: float = 0, kind: str = "P", **look: Unpack[TextLook]
    ) -> None:
        """A paragraph, undivided if it is short."""
        step, left = size * STEP, [*lines]
        while left:
            free = int((self.bottom - self.y) / step)
            if free < min(len(left), _TOGETHER):
                self._next()
                continue
            free -= len(left) == free + 1  # no last line alone
            x, top = self.room(min(free, len(left)) * step)
            at = (x + indent, top + step / 2)
            self.document.paragraph(left[:free], at, size, STEP, kind=kind, **look)
            left = left[free:]

    def board(self, scene: Scene, caption: str) -> None:
        """A scene as wide as the column, and its caption."""
        told, step = self.document.wrap(caption[:CUT], self.width, SMALL), SMALL * STEP
        below = len(told) * step + 2 * _CAPTION
        height = min(self.width * scene.height / scene.width, self.bottom - self._margin - below)
        left, top = self.room(height + below)
        self.document.draw(scene, Box(left, top, self.width, height).fitting(scene))
        at = (left + self.width / 2, top + height + _CAPTION + step / 2)
        self.document.paragraph(told, at, SMALL, STEP, align=0.5, colour=GREY)

    def _next(self) -> None:
        if self._column + 1 == len(self._lefts):
            self.page()
        else:
            self._column += 1
            self.y = self._tops[self._column]
