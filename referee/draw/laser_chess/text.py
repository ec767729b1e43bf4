"""Laser Chess in plain text: the board with the last shot's path, and what happened in a ply."""

from __future__ import annotations

from referee.rules import Event
from referee.rules.laser_chess import LaserChessPosition, Piece
from referee.rules.laser_chess.events import Fired, Moved, Removed, Rotated, Swapped
from referee.rules.laser_chess.pieces import FILES, FORBIDDEN, NUMBER, RANKS, Kind
from referee.rules.squares import Square
from referee.terminal import counted

_WIDTH = 7
_COMPASS = "nesw"
_ARROWS = "\u2191\u2192\u2193\u2190"
_CORNERS = "\u2517\u250f\u2513\u251b"
_OPENINGS = ("ne", "se", "sw", "nw")


def board(position: LaserChessPosition, *, view: str, unicode: bool, events: tuple[Event, ...]) -> list[str]:
    """The board as one side sees it; blue's pieces are in capitals, red's in small letters.

    The squares of the last shot's path have a star, the one it emptied an x.
    """
    path = {square for event in events if isinstance(event, Fired) for square in event.path}
    gone = {event.square for event in events if isinstance(event, Removed)}
    ranks = range(RANKS, 0, -1) if view == "blue" else range(1, RANKS + 1)
    files = range(1, FILES + 1) if view == "blue" else range(FILES, 0, -1)
    names = " " * 4 + "".join(f"{chr(96 + file):^{_WIDTH}}" for file in files)
    # Arrows point as the viewer sees them; letters name the sides of the board in every view.
    arrows = (0 if view == "blue" else 2) if unicode else None
    lines = [names]
    for rank in ranks:
        cells = (_cell(position, Square(file, rank), path, gone, arrows) for file in files)
        lines += [f"{rank:>3} " + "".join(f"{cell:^{_WIDTH}}" for cell in cells) + f" {rank}", ""]
    return [*lines[:-1], names, "", *_legend(unicode=unicode)]


def _cell(
    position: LaserChessPosition, square: Square, path: set[Square], gone: set[Square], arrows: int | None
) -> str:
    """A square's text; `arrows` are the quarter turns of the view, None for plain ASCII."""
    number = NUMBER[square]
    star = "*" if square in path else ""
    if (piece := position.squares[number]) is not None:
        return star + _shown(piece, arrows)
    if square in gone:
        return f"{star}x"
    if number in FORBIDDEN["red"]:
        return f"{star}+"
    if number in FORBIDDEN["blue"]:
        return f"{star}-"
    return star + ("." if arrows is None else "\u00b7")


def _shown(piece: Piece, arrows: int | None) -> str:
    """A piece's letter in its colour's case, and how it stands; `arrows` as for a square."""
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


def _legend(*, unicode: bool) -> list[str]:
    if unicode:
        return [
            "BLUE red   L laser, K king, S switch, D defender (its shield), M deflector",
            "(where its mirror opens to); * the path of the shot, x a piece that it",
            "removed; + blue's helix, - red's helix",
        ]
    return [
        "BLUE red   L laser, K king, S switch, D defender (its shield), M deflector",
        "(the two sides its mirror opens to); n, e, s, w as on the board; * the path",
        "of the shot, x a piece that it removed; + blue's helix, - red's helix",
    ]


def standing(position: LaserChessPosition) -> list[tuple[str, str]]:
    """How many pieces each side has."""
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
