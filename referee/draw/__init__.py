"""Boards, pictures and records.

Each game has a package that draws it as text and as a scene; `scenes` makes pictures of scenes, and `paper` what is
printed. The other modules make records, pages and choices of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

from referee.errors import expect
from referee.rules import Event, Frozen, Position, game_named, part
from referee.rules.guard import Methods

if TYPE_CHECKING:
    from referee.draw.scenes.ink import Line
    from referee.draw.scenes.scene import Scene
    from referee.game import Ply


RECORD_FORMS = ("html", "svg", "png", "pdf", "json", "txt")
"""The forms of a record, which are the suffixes of its file."""

OwnPosition = Any
"""A position of the drawing's own game."""


class Drawing(Protocol):
    """The drawing module of a game, or its `DRAWING`; positions and events are those of that game."""

    def standing(self, position: OwnPosition) -> list[tuple[str, str]]:
        """The rest of a position in words, each line with its heading."""

    def sentence(self, event: Event) -> str:
        """An event in words."""

    def scene(self, position: OwnPosition, *, view: str, events: tuple[Event, ...] = ()) -> Scene:
        """The picture of a position as a side sees it, with the changes of the last ply."""


class PlainDrawing(Drawing, Protocol):
    """A drawing whose boards in text have no paints."""

    def board(self, position: OwnPosition, *, view: str, unicode: bool, events: tuple[Event, ...]) -> list[str]:
        """The board as a side sees it in plain text, at most 78 columns wide, ASCII unless `unicode`."""


@runtime_checkable
class PaintedDrawing(Protocol):
    """A drawing with the board in colours, and narrow, instead of `board`."""

    def board_lines(
        self, position: OwnPosition, *, view: str, unicode: bool, events: tuple[Event, ...], width: int
    ) -> list[Line]:
        """The board with runs in the paints of the scene, and below an empty line the meaning of its signs.

        Below 78 columns it has a form that fits into 45.
        """


@runtime_checkable
class LowDrawing(Protocol):
    """An optional part of a drawing module: the board for a screen of 24 lines, if it is higher otherwise."""

    def low_board_lines(
        self, position: OwnPosition, *, view: str, unicode: bool, events: tuple[Event, ...], width: int
    ) -> list[Line]:
        """The board with as few lines as possible, at most `width` columns wide; a legend is below an empty line."""


@runtime_checkable
class MarkedDrawing(Protocol):
    """An optional part of a drawing module: a mark of each side, for lists of players."""

    MARKS: Mapping[str, tuple[str, ...]]
    """Side -> the classes of one or two circles, the inner one last, in the paints of the scene."""


@runtime_checkable
class SpokenDrawing(Protocol):
    """An optional part of a drawing module: the position in sentences."""

    def words(self, position: OwnPosition, *, view: str) -> Iterable[str]:
        """The facts of the position as sentences, the pieces of `view` first; without score and turn."""


@runtime_checkable
class DealtDrawing(Protocol):
    """An optional part of a drawing module: what chance decided, in writing."""

    def dealt(self, first: OwnPosition, last: OwnPosition) -> Iterable[tuple[str, str]]:
        """The results of chance that a game began with, as far as its last position has shown them, with headings."""


def _scene(_: object, scene: Scene) -> None:
    for _mark in scene.marks():
        pass


def _standing(_: object, lines: list[tuple[str, str]]) -> None:
    expect(list, lines, "a list as standing")
    for heading, text in lines:
        expect(str, heading, "a text as heading")
        expect(str, text, "a text as standing")


_RESULTS: Methods = Frozen({"scene": _scene, "standing": _standing, "sentence": str})
"""The checks of the results of a drawing's functions."""


def drawing(game: str) -> Drawing:
    """The drawing module of a game; the methods of its `DRAWING` are functions of the module."""
    description = game_named(game)
    return cast(Drawing, part(description, description.drawing, _RESULTS))


def scene_of(ply: Ply, view: str) -> Scene:
    """The picture after a ply as a side sees it."""
    return drawing(ply.position.game).scene(ply.position, view=view, events=ply.events)


def chair(position: Position, view: str | None) -> str:
    """The side of this name, or the first; RefereeError `unknown-side`."""
    if view is not None:
        position.expect_side(view)
    return view or position.sides[0]
