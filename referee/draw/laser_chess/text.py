"""Laser Chess in plain text and in words: the board with the last shot's path, and the events of a ply."""

from __future__ import annotations

from collections.abc import Iterator

from referee.draw.boards import board_rows
from referee.draw.scenes.ink import Line, Run
from referee.draw.text import REPORT_WIDTH, legend
from referee.rules import Event
from referee.rules.laser_chess import LaserChessPosition, Piece
from referee.rules.laser_chess.events import Fired, Moved, Removed, Rotated, Swapped
from referee.rules.laser_chess.pieces import BOARD, FORBIDDEN, NUMBER, SQUARES, Kind, other
from referee.rules.squares import Square
from referee.terminal import counted

_WIDTH = 6
_NARROW = 4
_COMPASS = "nesw"
_ARROWS = "\u2191\u2192\u2193\u2190"
_CORNERS = "\u2517\u250f\u2513\u251b"
_OPENINGS = ("ne", "se", "sw", "nw")
_WINDS = ("north", "east", "south", "west")
_LISTED = {Kind.LASER: "laser", Kind.KING: "king", Kind.SWITCH: "switches"}


def board_lines(
    position: LaserChessPosition, *, view: str, unicode: bool, events: tuple[Event, ...], width: int
) -> list[Line]:
    """The board as one side sees it; blue's pieces are in capitals, red's in small letters.

    The piece that moved last has a >, the squares of the last shot's path have a star, the one it emptied an x.
    Below 78 columns the board is 43 wide, and each square has one mark at most.
    """
    narrow = width < REPORT_WIDTH
    path = {square for event in events if isinstance(event, Fired) for square in event.path}
    gone = {event.square for event in events if isinstance(event, Removed)}
    moved = {square for event in events for square in _touched(event)}
    margin, room = (1, _NARROW) if narrow else (4, _WIDTH)
    # Arrows point as the viewer sees them; letters name the sides of the board in every view.
    arrows = (0 if view == "blue" else 2) if unicode else None

    def cell(square: Square) -> tuple[Line, Line]:
        marks = (*[Run(">", "last-head")] * (square in moved), *[Run("*", "shot")] * (square in path))
        return marks, (_cell(position, square, gone, arrows),)

    names, *rows, _ = board_rows(BOARD, cell, room=room, margin=margin, turned=view == "red", narrow=narrow)
    lines = [line for row in rows for line in (row, ())]
    opens = "where its mirror opens to" if unicode else "the two sides its mirror opens to"
    said = (
        f"BLUE red   L laser; K king; S switch; D defender (its shield); M deflector ({opens});",
        *(() if unicode else ("n, e, s, w as on the board;",)),
        "> moved last; * the shot's path, x a piece that it removed; + blue's helix, - red's helix",
    )
    return [names, *lines[:-1], names, (), *legend(said, width)]


def _touched(event: Event) -> tuple[Square, ...]:
    match event:
        case Moved(_, _, target):
            return (target,)
        case Swapped(_, _, origin, target):
            return origin, target
        case Rotated(_, square):
            return (square,)
        case _:
            return ()


def _cell(position: LaserChessPosition, square: Square, gone: set[Square], arrows: int | None) -> Run:
    """A square's text without its marks; `arrows` are the quarter turns of the view, None for plain ASCII."""
    number = NUMBER[square]
    if (piece := position.squares[number]) is not None:
        return Run(_shown(piece, arrows), f"tile-{piece.side}")
    if square in gone:
        return Run("x", "shot")
    if number in FORBIDDEN["red"]:
        return Run("+", "helix-blue")
    if number in FORBIDDEN["blue"]:
        return Run("-", "helix-red")
    return Run("." if arrows is None else "\u00b7")


def _shown(piece: Piece, arrows: int | None) -> str:
    """A piece's letter in its colour's case, and its direction; `arrows` as for a square."""
    letter = str(piece.kind) if piece.side == "blue" else str(piece.kind).lower()
    turned = (piece.facing + (arrows or 0)) % 4
    match piece.kind:
        case Kind.KING:
            return letter
        case Kind.SWITCH:
            return letter + ("/\\" if arrows is None else "\u2571\u2572")[piece.facing]
        case Kind.DEFLECTOR:
            return letter + (_OPENINGS if arrows is None else _CORNERS)[turned]
        case _:
            return letter + (_COMPASS if arrows is None else _ARROWS)[turned]


def standing(position: LaserChessPosition) -> list[tuple[str, str]]:
    """The number of each side's pieces."""
    owners = [piece.side for piece in position.squares if piece]
    return [(f"{side} has", counted(owners.count(side), "piece", "pieces")) for side in position.sides]


def sentence(event: Event) -> str:
    """An event in words."""
    match event:
        case Moved(piece, origin, target):
            return f"{_named(piece)} moved from {origin} to {target}"
        case Swapped(piece, partner, origin, target):
            return f"{_named(piece)} on {origin} and {_named(partner)} on {target} changed places"
        case Rotated(piece, square):
            return f"{_named(piece)} on {square} was turned"
        case Fired(side, path):
            return f"{side}'s laser: {' '.join(map(str, path)) or 'straight off the board'}"
        case Removed(piece, square):
            return f"{_named(piece)} on {square} was hit and removed"
        case _:
            raise TypeError(f"no event of Laser Chess: {event}")


def _named(piece: Piece) -> str:
    return f"{piece.side}'s {piece.kind.name.lower()}"


def words(position: LaserChessPosition, *, view: str) -> Iterator[str]:
    """Every piece, each kind a line, those of `view` first; then the square that the last shot emptied."""
    yield "North is towards rank 8, and east towards file j."
    for side in (view, other(view)):
        for kind in Kind:
            own = [
                f"{square} {stance(piece)}".rstrip()
                for square, piece in zip(SQUARES, position.squares, strict=True)
                if piece is not None and (piece.side, piece.kind) == (side, kind)
            ]
            if own:
                name = _LISTED.get(kind, f"{kind.name.lower()}s")
                yield f"{side.capitalize()}'s {name}: {'; '.join(own)}."
    if position.lost is not None:
        yield f"The last shot emptied {SQUARES[position.lost]}."


def name_of(piece: Piece) -> str:
    """A piece in words, without its owner."""
    return f"{piece.kind.name.lower()} {stance(piece)}".rstrip()


def stance(piece: Piece) -> str:
    """The direction of a piece on the board, north towards rank 8; empty for a king."""
    match piece.kind:
        case Kind.KING:
            return ""
        case Kind.LASER:
            return f"pointing {_WINDS[piece.facing]}"
        case Kind.DEFENDER:
            return f"with its shield to the {_WINDS[piece.facing]}"
        case Kind.DEFLECTOR:
            return f"open to the {_WINDS[piece.facing]} and {_WINDS[(piece.facing + 1) % 4]}"
        case Kind.SWITCH:
            return f"from {'northwest to southeast' if piece.facing else 'southwest to northeast'}"
