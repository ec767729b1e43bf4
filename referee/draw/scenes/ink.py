"""Text with the paints of a scene: in colour on a terminal, plain everywhere else."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from colorsys import rgb_to_hls
from functools import cache, lru_cache
from operator import itemgetter
from typing import NamedTuple

from referee.draw.scenes.scene import Paint, Paints
from referee.terminal import Pen, visible_lines

_HUES = ((20, "red"), (70, "yellow"), (165, "green"), (200, "cyan"), (260, "blue"), (345, "magenta"), (360, "red"))
"""The ends of the hues of a terminal, in degrees around the circle."""

_GREYEST = 0.25
"""Minimum saturation of a colour; less is grey."""


class Run(NamedTuple):
    """Characters of a line in the paint of one class of the game's scene, or in none.

    The first run of a cell or square has its name, as in the moves of the side that sees the board.
    """

    text: str
    paint: str = ""
    cell: str = ""


class LegendLine(Run):
    """A line of a legend, which a low screen leaves out."""


Line = tuple[Run, ...]
"""One line of text."""


def placed(runs: Iterable[tuple[int, Run]]) -> Line:
    """Runs at their columns, counted from 0, with blanks between them."""
    line: list[Run] = []
    end = 0
    for start, run in sorted(runs, key=itemgetter(0)):
        line += [_blanks(start - end), run]
        end = start + len(run.text)
    return tuple(line)


def centred(line: Line, width: int) -> Line:
    """A line with blanks on both sides, at most one more on the right."""
    free = width - sum(len(run.text) for run in line)
    return (_blanks(free // 2), *line, _blanks(free - free // 2))


@lru_cache(maxsize=1024)
def boxed(marks: Line, line: Line, width: int, *, narrow: bool) -> Line:
    """The text of a square behind its marks; a narrow square has room for the first mark only."""
    if narrow:
        marks = marks[:1] or (Run(" "),)
    return centred((*marks, *line), width)


@cache
def _blanks(width: int) -> Run:
    return Run(" " * width)


def unpainted(lines: Iterable[str]) -> list[Line]:
    """Plain text as lines."""
    return [(Run(line),) for line in lines]


def is_note(line: Line) -> bool:
    """True for a line of a legend."""
    return bool(line) and isinstance(line[0], LegendLine)


def plain_lines(lines: Iterable[Line]) -> list[str]:
    """Lines without their paints, and without blanks at their ends."""
    return ["".join(run.text for run in line).rstrip() for line in lines]


def highlighted(line: Line, cells: Collection[str]) -> Line:
    """A line with a ! before each of some cells: in the blank before its text and its marks, or instead of a mark."""
    text = ""
    for run in line:
        if run.cell in cells:
            if (at := text.rfind(" ", -3)) < 0:
                at = len(text) - 1
            text = f"{text[:at]}!{text[at + 1 :]}"
        text += run.text
    return (Run(text),)


def unlabelled(line: Line) -> Line:
    """A line without the names of columns and rows."""
    return tuple(Run(" " * len(run.text)) if run.paint == "label" else run for run in line)


def painted(lines: Iterable[Line], paints: Paints, pen: Pen) -> Iterator[str]:
    """Lines with each run in the terminal's colour nearest to its paint, safe to print.

    The names of the paints are those of a scene's classes. A class without a paint, or with a grey one, is plain.
    """
    for line in lines:
        end = len("".join(run.text for run in line).rstrip())
        text = ""
        for run in line:
            shown = run.text[: max(0, end)]
            end -= len(run.text)
            style = _style(paints[run.paint]) if run.paint in paints else ""
            text += pen(visible_lines(shown), style) if shown.strip() and style else visible_lines(shown)
        yield text


def _style(paint: Paint) -> str:
    """A terminal's colour for a paint: that of its filling, else of its line; else bold, or nothing."""
    for colour in (paint.fill, paint.stroke):
        if colour is not None and colour[0].startswith("#") and (name := _hue(colour[0])):
            return name
    return "bold" if paint.bold else ""


def _hue(colour: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    hue, _, saturation = rgb_to_hls(red, green, blue)
    return next(name for end, name in _HUES if hue * 360 <= end) if saturation >= _GREYEST else ""


def folded(lines: Iterable[str], width: int) -> list[str]:
    """Text that is too wide in parts, one below the other, divided where all its lines have blanks."""
    rest, parts = [line.rstrip() for line in lines], []
    while any(len(line) > width for line in rest):
        at = _gap(rest, width)
        parts += [*(line[:at].rstrip() for line in rest), ""]
        rest = [line[at:] for line in rest]
    return [*parts, *rest]


def _gap(lines: list[str], width: int) -> int:
    """The last column up to a width before which the lines can be divided; the width if there is none."""
    for at in range(width, width // 2, -1):
        if all(line[at - 1 : at].strip() == "" or line[at : at + 1].strip() == "" for line in lines):
            return at
    return width
