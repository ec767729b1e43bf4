"""The drawing of a game on a board of squares or hexagons, in text, in pictures and in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from referee.draw.scenes.grid import INK, LAST_MOVE_PAINTS, SQUARE_PAINTS, Grid, HexGrid
from referee.draw.scenes.ink import Line, Run, boxed
from referee.draw.scenes.scene import NONE, Circle, Group, Label, Paint, Paints, Point, Polygon, Scene, Shape
from referee.draw.scenes.target import Composition, Target, Wording
from referee.draw.text import ending_text, legend, turn_text
from referee.notation.forms.columns import sign_of
from referee.rules import Event, Move, Position, game_named
from referee.rules.contract import Made, blanks
from referee.rules.squares import Board, Square

P = TypeVar("P", bound=Position, contravariant=True)

_MARGIN = 34.0
_CELL = 48.0

_COLOURS = {
    "blue": (("#d5e3fb", "#1c3d6e"), ("#0b57d0", "#8ab4f8")),
    "orange": (("#f9dcc0", "#5c3510"), ("#a14a00", "#ffb870")),
    "green": (("#d4edda", "#16452a"), ("#188038", "#81c995")),
    "violet": (("#e6d9f5", "#3f2a5e"), ("#6b3fa0", "#c6a7ee")),
    "red": (("#fad9d6", "#5e2420"), ("#b3261e", "#f28b82")),
}
"""Fill and line of a side's pieces. A side has the colour of its name, or else the first that is free."""


class Content(NamedTuple):
    """A piece on a board: its owner, its name without the owner, and its sign in text if it is not its owner's.

    A piece that belongs to no side, such as a rock, has "" as its side.
    """

    side: str
    name: str
    sign: str = ""

    def __str__(self) -> str:
        return f"{self.side}'s {self.name}" if self.side else self.name


def side_paints(sides: tuple[str, ...]) -> Paints:
    """The paint of each side, as class `side-red`, of no side, `side-`, and `outline` for shapes without filling."""
    free = iter(name for name in _COLOURS if name not in sides)
    chosen = {side: _COLOURS[side if side in _COLOURS else next(free)] for side in sides}
    paints = {f"side-{side}": Paint(fill=fill, stroke=line, width=2) for side, (fill, line) in chosen.items()}
    paints["side-"] = Paint(fill=("#c4c7cc", "#4a4d52"), stroke=("#5f6368", "#9aa0a6"), width=2)
    return {**paints, "outline": Paint(fill=NONE), "sign": Paint(fill=INK, bold=True)}


def reading_order(board: Board, *, turned: bool) -> list[Square]:
    """The places of a board, row by row from the upper left."""
    ranks = range(1, board.ranks + 1) if board.hexagons else range(board.ranks, 0, -1)
    places = [Square(file, rank) for rank in ranks for file in range(1, board.files + 1)]
    return places[::-1] if turned else places


def board_rows(
    board: Board,
    cell: Callable[[Square], tuple[Line, Line]],
    *,
    room: int,
    margin: int,
    turned: bool,
    narrow: bool,
    shift: int = 0,
) -> list[Line]:
    """The names of files, the rows with the names of their ranks, and the names of files again.

    `cell` gives the marks and the text of a place, which has `room`. Each row is shifted to the right by `shift`.
    """
    places = reading_order(board, turned=turned)
    rows = [places[start : start + board.files] for start in range(0, len(places), board.files)]
    names = [Run(" " * margin)]
    for square in rows[0]:
        names += boxed((), (Run(str(square)[0], "label"),), room, narrow=narrow)
    lines: list[Line] = [tuple(names)]
    for number, row in enumerate(rows):
        line = [Run(" " * (shift * number) + f"{row[0].rank:>{margin - 1}}".ljust(margin), "label")]
        for square in row:
            marks, (first, *more) = cell(square)
            line += boxed(marks, (first._replace(cell=str(square)), *more), room, narrow=narrow)
        lines.append((*line, Run(f" {row[0].rank}", "label")))
    return [*lines, (Run(" " * (shift * len(rows))), *names)]


def places_of(move: object) -> tuple[Square, ...]:
    """The squares that a move or an event names."""
    values = [getattr(move, one.name) for one in fields(move)]  # type: ignore[arg-type]
    return tuple(one for one in values if isinstance(one, Square))


class BoardDrawing(Generic[P]):
    """The drawing of a game whose positions have a `board`; a game defines `content` and `sentence`.

    Attributes:
        legend: what the signs of the board in text mean, with semicolons between them.
        paints: paints of classes that a game uses besides those of this class.
    """

    legend: ClassVar[str] = ""
    paints: ClassVar[Paints] = {}

    def content(self, position: P, square: Square) -> Content | None:
        """The piece on a place."""
        raise NotImplementedError

    def sentence(self, event: Event) -> str:
        """An event in words."""
        raise NotImplementedError

    def standing(self, position: P) -> list[tuple[str, str]]:
        """The rest of a position in words, each line with its heading."""
        return []

    def below(self, position: P, grid: Grid) -> Iterator[Shape]:
        """Shapes below the pieces."""
        return iter(())

    def piece(self, position: P, content: Content, centre: Point, radius: float) -> Iterator[Shape]:
        """A piece in a picture: a circle with its sign, and with a ring if it is the second side's."""
        yield Circle(centre, radius, (f"side-{content.side}",))
        if content.side == position.sides[1]:
            yield Circle(centre, radius * 0.8, (f"side-{content.side}", "outline"))
        yield Label(centre, self._sign(position, content), radius, ("sign",))

    def moved(self, events: Iterable[Event]) -> frozenset[Square]:
        """The places to mark as those of the last ply."""
        return frozenset(
            square for event in events for square in places_of(event.move if isinstance(event, Made) else event)
        )

    # --- In text -------------------------------------------------------------------------------------------------

    def board_lines(
        self, position: P, *, view: str, unicode: bool, events: tuple[Event, ...], width: int
    ) -> list[Line]:
        """The board in text with its paints."""
        board, moved = _board(position), self.moved(events)

        def cell(square: Square) -> tuple[Line, Line]:
            content, star = self.content(position, square), (Run("*", "last-head"),) * (square in moved)
            if content is None:
                return star, (Run("\u00b7" if unicode else "."),)
            return star, (Run(self._sign(position, content), f"side-{content.side}"),)

        shifted = board.ranks if board.hexagons else 0
        narrow = 4 * board.files + 2 * shifted + 8 > width
        room = 2 if narrow else 4
        turned = _turned(position, view)
        lines = board_rows(
            board, cell, room=room, margin=3, turned=turned, narrow=narrow, shift=room // 2 * board.hexagons
        )
        return [*lines, (), *legend((self.legend,), width)] if self.legend else lines

    def _sign(self, position: P, content: Content) -> str:
        return content.sign or (sign_of(position.sides, content.side) if content.side else content.name[0])

    # --- In pictures ---------------------------------------------------------------------------------------------

    def grid(self, position: P, view: str) -> Grid:
        """The places of the board in the picture."""
        board = _board(position)
        kind = HexGrid if board.hexagons else Grid
        return kind(board.files, board.ranks, _CELL, _MARGIN, _MARGIN, turned=_turned(position, view))

    def scene(self, position: P, *, view: str, events: tuple[Event, ...] = ()) -> Scene:
        """The picture of a position as a side sees it."""
        grid, squares = self.grid(position, view), _board(position).numbers
        tint = ["cell-odd", "cell-even"]
        cells = (Polygon(grid.outline(*one), ("cell", tint[sum(one) % 2])) for one in squares)
        pieces = (self._group(position, square, grid) for square in squares)
        last = (Polygon(grid.outline(*one, 2), ("last",)) for one in sorted(self.moved(events)))
        shapes = (
            Group(("cells",), tuple(cells), still=True),
            *self.below(position, grid),
            Group(("pieces",), tuple(filter(None, pieces))),
            Group(("moves",), tuple(last)),
            Group(("labels",), tuple(grid.labels())),
        )
        outcome = position.outcome
        state = ending_text(outcome, position.sides) if outcome else f"{turn_text(position)} to move"
        title, said = f"{game_named(position.game).title}: {state}", " ".join(self.words(position, view=view))
        paints = {**SQUARE_PAINTS, **side_paints(position.sides), **LAST_MOVE_PAINTS, **self.paints}
        return Scene(grid.right + _MARGIN, grid.bottom + _MARGIN, title, said, shapes, paints, legend=self.legend)

    def _group(self, position: P, square: Square, grid: Grid) -> Group | None:
        content = self.content(position, square)
        if content is None:
            return None
        shapes = self.piece(position, content, grid.at(*square), _CELL * 0.36)
        return Group(("piece",), tuple(shapes), f"{content} on {square}")

    # --- In words and choices ------------------------------------------------------------------------------------

    def words(self, position: P, *, view: str) -> Iterator[str]:
        """The pieces of each side by their names, those of `view` first, then those of no side."""
        held: dict[tuple[str, str], list[str]] = {}
        for square in _board(position).numbers:
            if content := self.content(position, square):
                held.setdefault((content.side, content.name), []).append(str(square))
        for side in sorted(position.sides, key=lambda side: side != view):
            own = [(name, squares) for (owner, name), squares in held.items() if owner == side]
            yield from (f"{side.capitalize()} has a {name} on {', '.join(squares)}." for name, squares in own)
            if not own:
                yield f"{side.capitalize()} has nothing on the board."
        for (owner, name), squares in held.items():
            if not owner:
                yield f"There is a {name} on {', '.join(squares)}."
        yield from (f"{heading.capitalize()}: {text}." for heading, text in self.standing(position))

    def targets(self, position: P, *, side: str, view: str) -> Iterator[Target]:
        """All places from the upper left, then everything else that moves name."""
        grid = self.grid(position, view)
        for square in reading_order(_board(position), turned=_turned(position, view)):
            content = self.content(position, square)
            name = str(content) if content else "empty"
            yield Target(str(square), f"{square}, {name}", str(square), "", grid.outline(*square))
        places = {str(square) for square in _board(position).numbers}
        yield from dict.fromkeys(
            one for move in position.legal_moves(side) for one in _steps(move) if one.id not in places
        )

    def composition(self, position: P, side: str, move: Move) -> Composition:
        """The way to a move: its values, in the order of its form."""
        template, names = blanks(move.form)
        said = _sentence(move)
        if not names:
            return Composition(Wording("{0}", f"{said}.", ("a move",)), target_ids(move))
        chosen = ", ".join(f"{{{number}}}" for number in range(len(names)))
        wording = Wording(template, f"{said}: {chosen}.", tuple(f"the {name}" for name in names))
        return Composition(wording, target_ids(move))


def target_ids(move: Move) -> tuple[str, ...]:
    """The ids of a move's values as targets, in the order of its form; that of the move itself if it has none."""
    _, names = blanks(move.form)
    return tuple(_target_id(name, getattr(move, name)) for name in names) or (f"move {move}",)


def _target_id(name: str, value: object) -> str:
    return str(value) if isinstance(value, Square) else f"{name} {value}"


def _steps(move: Move) -> Iterator[Target]:
    """The values of a move as targets, in the order of its form; the move itself if it has none."""
    _, names = blanks(move.form)
    for name in names:
        value = getattr(move, name)
        yield Target(_target_id(name, value), f"{name} {value}", str(value))
    if not names:
        yield Target(f"move {move}", _sentence(move), str(move))


def _sentence(move: Move) -> str:
    """The beginning of what a move's class says about it."""
    return (type(move).__doc__ or str(move)).partition(".")[0].partition(":")[0]


def _board(position: Any) -> Board:  # noqa: ANN401 - of any game with a board
    board: Board = position.board
    return board


def _turned(position: Position, view: str) -> bool:
    return view != position.sides[0] and not _board(position).hexagons
