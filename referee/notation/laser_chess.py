"""The notation of Laser Chess: moves (grammar/laser-chess.lark) and positions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from referee.notation.fields import Fields, Part, board_text, parse_square, read_board
from referee.rules.frozen import Frozen
from referee.rules.laser_chess import LaserChessPosition, Piece, Rotate, Step, Turn
from referee.rules.laser_chess.pieces import (
    FILES,
    LASER_SQUARE,
    LASER_WAYS,
    RANKS,
    SIDES,
    SQUARES,
    TOKENS,
    Kind,
    other,
)
from referee.rules.laser_chess.position import Arrangements
from referee.rules.laser_chess.setups import Board

GRAMMAR = "laser-chess"
WORDS: Mapping[str, str] = Frozen(
    _MOVE="M to move a piece",
    _ROTATE="R to rotate one",
    SQUARE="a square such as e4",
    _TO="a hyphen",
    TURN="a turn: L or R",
)

BEGINNINGS: Mapping[str, str] = Frozen(
    M="move|step|go|swap|switch|exchange",
    R="rotate|turn|spin|twist",
)
PARTS: Mapping[str, str] = Frozen(
    {
        r"([a-j][1-8])[ -]?([a-j][1-8])x[a-j][1-8]": r"\1-\2",
        r"([a-j][1-8])u([a-j][1-8])(?:x[a-j][1-8])?": r"\1-\2",
        r"([a-j][1-8])\+(?:x[a-j][1-8])?": r"R \1 R",
        r"([a-j][1-8])-(?:x[a-j][1-8])?(?! ?[a-j][1-8](?![a-j1-8ux+-]))": r"R \1 L",
        r"\d+ degrees?": "",
        r"(?:counter|anti)[ -]?clockwise|ccw|left": "L",
        r"clockwise|cw|right": "R",
        r"to|with|takes|captures": "-",
        r"([a-j][1-8]):? (?:rotate|turn|spin|twist)(?:s|ed|d)? ([LR])": r"R \1 \2",
        r"(rotate|turn|spin|twist) (?:the |it |my )?([LR]) (.+)": r"\1 \3 \2",
        r"([LR]) (?:rotation|turn|spin|twist) (?:of |on )?([a-j][1-8])": r"R \2 \1",
        r"(?:a |one |1 )?(?:step|notch|quarter(?: turn)?)": "",
        r"[dklsm]([a-j][1-8]) ?[x:-]? ?[dklsm]?([a-j][1-8])": r"M \1-\2",
        r"([a-j][1-8]) ?x ?([a-j][1-8])": r"\1-\2",
        r"[dklsm]([a-j][1-8])(?= ?[LR])": r"\1",
    }
)

ALIASES: Mapping[str, tuple[str, ...]] = Frozen({r"(?:the )?(?:kings?|switch|deflectors?|defenders?|lasers?)": ("",)})


class ToMove:
    """A method or a class for each rule and terminal of the grammar; none of them raises."""

    step = Step
    rotate = Rotate
    SQUARE = staticmethod(parse_square)
    TURN = staticmethod(lambda text: Turn(text.upper()))


FIELDS = ("board", "lost", "stood", "turn")

_NAMES = {str(square): number for number, square in enumerate(SQUARES)}


def position_fields(position: LaserChessPosition) -> Mapping[str, str]:
    """The board as in a set-up, the last shot's emptied square, the board's occurrences, and whose turn it is."""
    return {
        "board": board_text([str(piece or "") for piece in position.squares], FILES),
        "lost": "" if position.lost is None else str(SQUARES[position.lost]),
        "stood": str(position.stood) if position.stood > 1 else "",
        "turn": position.mover,
    }


def standing(position: LaserChessPosition, side: str) -> Mapping[str, str | None]:
    """The squares, each with the owner of its piece."""
    return {str(square): piece and piece.side for square, piece in zip(SQUARES, position.squares, strict=True)}


def position_from(fields: Fields, start: LaserChessPosition) -> LaserChessPosition:
    """The position of these fields; NotationError if it is impossible."""
    squares = _squares(fields["board"])
    winner = _winner(fields["board"], squares)
    lost = _emptied_square(fields["lost"], squares)
    if winner and lost is None:
        raise fields["lost"].expected(f"lost, and the square where {other(winner)}'s king was hit")
    past = _past(fields["stood"], squares)
    if past.before and lost is not None:
        raise fields["stood"].wrong("the last shot removed a piece, so this board occurs for the first time")
    mover = fields["turn"].one_of({side: side for side in SIDES}, "whose turn it is: blue or red")
    return replace(start, squares=squares, mover=mover, winner=winner, lost=lost, past=past)


def _emptied_square(part: Part, squares: Board) -> int | None:
    if not part:
        return None
    lost = part.one_of(_NAMES, "the square that the last shot emptied, such as e4")
    if squares[lost] is not None:
        raise part.wrong(f"a piece stands on {part.text}: the last shot has not emptied it")
    return lost


def _past(part: Part, squares: Board) -> Arrangements:
    """All occurrences of the arrangement; earlier ones are dropped."""
    past = Arrangements(squares, None)
    for _ in range(part.number(2, 3, "how often the board has stood, a number") - 1 if part else 0):
        past = Arrangements(squares, past)
    return past


def _squares(board: Part) -> Board:
    """The piece on each square: lasers on their corners and nothing else there, and no king twice."""
    squares: list[Piece | None] = [None] * len(SQUARES)
    for number, part in read_board(board, FILES, RANKS).items():
        piece = squares[number] = part.one_of(TOKENS, "a piece such as M3, or a number of empty squares")
        corner = LASER_SQUARE[piece.side]
        if piece.kind is Kind.LASER and (number != corner or piece.facing not in LASER_WAYS[piece.side]):
            raise part.wrong(_laser(piece.side))
        if piece.kind is Kind.KING and squares.count(piece) > 1:
            raise part.wrong(f"{piece.side} has one king, and another stands on the board")
    for side, corner in LASER_SQUARE.items():
        piece_there = squares[corner]
        if piece_there is None or piece_there.kind is not Kind.LASER:
            raise board.wrong(_laser(side))
    return tuple(squares)


def _laser(side: str) -> str:
    ways = " or ".join(str(Piece(side, Kind.LASER, way)) for way in LASER_WAYS[side])
    return f"{side} has one laser, on {SQUARES[LASER_SQUARE[side]]}, as {ways}"


def _winner(board: Part, squares: Board) -> str | None:
    kings = [piece.side for piece in squares if piece and piece.kind is Kind.KING]
    if not kings:
        raise board.wrong("a king must be on the board: K0 or k0")
    return kings[0] if len(kings) == 1 else None
