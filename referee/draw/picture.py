"""A board for programs, as SVG, PNG or text: its view, size, marks and colours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from types import NoneType
from typing import Literal

from referee.draw import chair, drawing
from referee.draw.scenes.ink import Line, highlighted, plain_lines, unlabelled
from referee.draw.scenes.png import scene_png
from referee.draw.scenes.scene import Label, Paint, Point, Polygon, Scene, without
from referee.draw.scenes.svg import scene_svg
from referee.draw.text import NARROW_WIDTH, REPORT_WIDTH, board_runs
from referee.errors import expect, shown
from referee.game import GameFile, Ply, ply_at
from referee.rules import Event, Position

Board = Position | Ply | GameFile
"""A position; or a ply or a game, whose last position is shown, with the last move marked."""

Last = Ply | tuple[Event, ...]

Colours = Literal["both", "light", "dark"] | Mapping[str, str]

_COLOUR = re.compile("#[0-9a-fA-F]{6}")
_HIGHLIGHT = "highlight"
_MARKED = Paint(fill=("#f2c200", "#f2c200"), opacity=0.4)


def svg(
    board: Board,
    *,
    view: str | None = None,
    size: int | None = None,
    last: Last = (),
    highlight: Iterable[str] = (),
    labels: bool = True,
    colours: Colours = "both",
) -> str:
    """The board as an SVG document; the last move of a ply or a game is marked.

    Args:
        board: a position, a ply or a game.
        view: the side at whose place it is turned, by default the first. It hides nothing: `Position.seen_by` does.
        size: its width in pixels; by default it is as wide as there is room.
        last: the ply whose changes are marked on a position, or the changes, as `Position.events` gives them.
        highlight: the names of cells or squares, as in the moves of the side that sees it.
        labels: with the names beside the board.
        colours: for "light" or "dark" paper, or "both" as the reader prefers; or a colour for each of some classes
            of the picture.

    Raises:
        RefereeError: `unknown-side`.
        FileError: a move of the game is refused.
        ValueError: there is no such cell, class with a colour, or colour; it has no width; or the ply is of another
            game.
        TypeError: it is no board.

    >>> import referee
    >>> referee.svg(referee.start("laser-chess"), view="red", size=400, highlight=["a1", "j8"])[:4]
    '<svg'
    """
    expect((int, NoneType), size, "a width in pixels")
    if size is not None and size < 1:
        raise ValueError(f"expected a width of at least one pixel, not {size}")
    paper = "both" if isinstance(colours, Mapping) else colours
    return scene_svg(_scene(board, view, last, highlight, colours, labels=labels), paper=paper, width=size)


def png(
    board: Board,
    *,
    view: str | None = None,
    size: int = 1000,
    last: Last = (),
    highlight: Iterable[str] = (),
    labels: bool = True,
    colours: Colours = "light",
) -> bytes:
    """The board as a PNG picture; the arguments are those of `svg`, and "both" is light.

    Raises:
        RefereeError: `unknown-side`, `picture-size`, `missing-extra`.
        FileError, ValueError, TypeError: as `svg`.

    >>> import referee
    >>> referee.png(referee.read("games/boundary/trees.yaml"), size=300)[1:4]
    b'PNG'
    """
    expect(int, size, "a width in pixels")
    paper = "dark" if colours == "dark" else "light"
    return scene_png(_scene(board, view, last, highlight, colours, labels=labels), width=size, paper=paper)


def text(
    board: Board,
    *,
    view: str | None = None,
    last: Last = (),
    highlight: Iterable[str] = (),
    labels: bool = True,
    unicode: bool = False,
    width: int = REPORT_WIDTH,
) -> str:
    """The board in plain text; the last move of a ply or a game is marked.

    Args:
        board: a position, a ply or a game.
        view: as for `svg`.
        last: as for `svg`.
        highlight: as for `svg`, with a ! before each.
        labels: as for `svg`.
        unicode: with arrows and lines that ASCII lacks.
        width: its most columns, at least 45; below 78 the board is narrow, or in parts.

    Raises:
        RefereeError, FileError, TypeError: as `svg`.
        ValueError: there is no such cell, or it has fewer columns.

    >>> import referee
    >>> print(referee.text(referee.new("boundary").play("P a1-b2"), highlight=["b2", "d2"]).splitlines()[10])
    2      .        !*GS         .         !.          .          .      2
    """
    position, events = _shown(board, last)
    expect(int, width, "a number of columns")
    if width < NARROW_WIDTH:
        raise ValueError(f"expected at least {NARROW_WIDTH} columns, not {width}")
    lines = board_runs(position, view=chair(position, view), unicode=unicode, events=events, width=width)
    names = {_known(name, _cells(lines), "cell or square") for name in _names(highlight)}
    drawn = lines if labels else map(unlabelled, lines)
    return "\n".join(plain_lines(highlighted(line, names) for line in drawn))


def picture(board: Board, form: str, *, view: str | None) -> bytes:
    """The board as "svg" or "png"."""
    return svg(board, view=view).encode() if form == "svg" else png(board, view=view)


def _shown(board: Board, last: Last) -> tuple[Position, tuple[Event, ...]]:
    """The position of a board, and the changes to mark on it."""
    expect((Position, Ply, GameFile), board, "a position, a ply or a game")
    ply = ply_at(board) if isinstance(board, GameFile) else board
    position, made = (ply.position, ply.events) if isinstance(ply, Ply) else (ply, ())
    if isinstance(last, Ply) and last.position.game != position.game:
        raise ValueError(f"expected a ply of {position.game}, not of {last.position.game}")
    changes = last.events if isinstance(last, Ply) else last
    for one in changes if isinstance(changes, list | tuple) else (changes,):
        expect(Event, one, "a ply, or events as Position.events gives them; a ply or a game brings its own")
    return position, changes or made


def _scene(
    board: Board,
    view: str | None,
    last: Last,
    highlight: Iterable[str],
    colours: Colours,
    *,
    labels: bool,
) -> Scene:
    position, events = _shown(board, last)
    seat = chair(position, view)
    scene = drawing(position.game).scene(position, view=seat, events=events)
    shapes = scene.shapes
    if not labels:
        shapes = without(shapes, lambda one: isinstance(one, Label) and "label" in one.classes)
    outlines = _outlines(position, seat, highlight)
    marks = tuple(Polygon(outline, (_HIGHLIGHT,)) for outline in outlines)
    paints = {**scene.paints, **({_HIGHLIGHT: _MARKED} if marks else {})}
    return replace(scene, shapes=(*shapes, *marks), paints=_painted(paints, colours))


def _cells(lines: Iterable[Line]) -> dict[str, None]:
    """The names of the cells or squares in the lines of a board."""
    return {run.cell: None for line in lines for run in line if run.cell}


def _names(highlight: Iterable[str]) -> tuple[str, ...]:
    return (highlight,) if isinstance(highlight, str) else tuple(highlight)


def _outlines(position: Position, view: str, names: Iterable[str]) -> list[tuple[Point, ...]]:
    """The outlines of what has these names on the board."""
    if not (wanted := _names(names)):
        return []
    from referee.draw.choices import ComposedDrawing

    drawn = drawing(position.game)
    targets = drawn.targets(position, side=view, view=view) if isinstance(drawn, ComposedDrawing) else ()
    cells = _cells(board_runs(position, view=view, unicode=False, events=(), width=REPORT_WIDTH))
    shapes = {target.text: target.outline for target in targets if target.outline and not target.beside}
    known = {name: outline for name, outline in shapes.items() if name in cells or not cells}  # no piece in a hand
    return [known[_known(name, known, "cell or square")] for name in wanted]


def _painted(paints: Mapping[str, Paint], colours: Colours) -> Mapping[str, Paint]:
    """The paints, with other colours for some of them."""
    if not isinstance(colours, Mapping):
        if colours not in ("both", "light", "dark"):
            raise ValueError(f"expected 'light', 'dark' or 'both' as colours, or a mapping, not {shown(colours)}")
        return paints
    changed = dict(paints)
    for name, colour in colours.items():
        paint, pair = paints[_known(name, paints, "class with a colour")], (colour, colour)
        if not (isinstance(colour, str) and _COLOUR.fullmatch(colour)):
            raise ValueError(f"expected a colour such as '#1b1b1b', not {shown(colour)}")
        fills = paint.fill is not None or paint.stroke is None
        changed[name] = replace(paint, fill=pair) if fills else replace(paint, stroke=pair)
    return changed


def _known(name: str, known: Iterable[str], what: str) -> str:
    if name not in (names := [*known]):
        near = get_close_matches(str(name), names, 3)
        said = f"near it: {', '.join(near)}" if near else f"there are: {', '.join(names)}"
        raise ValueError(f"there is no {what} {shown(name)}; {said}")
    return name
