"""The notation of Laser Chess (grammar/laser-chess.lark)."""

from __future__ import annotations

from lark import Token, Transformer, v_args

from referee.notation.squares import square
from referee.rules.laser_chess import Move, Rotate, Step, Turn
from referee.rules.squares import Square

GRAMMAR = "laser-chess"
WORDS = {
    "_MOVE": "M to move a piece",
    "_ROTATE": "R to rotate one",
    "SQUARE": "a square such as e4",
    "_TO": "a hyphen",
    "TURN": "a turn: L or R",
}

BEGINNINGS = {
    "M": "move|step|go|swap|switch|exchange",
    "R": "rotate|turn|spin|twist",
}
PARTS = {
    r"\d+ degrees?": "",
    r"(?:counter|anti)[ -]?clockwise|ccw|left": "L",
    r"clockwise|cw|right": "R",
    r"to|with|takes|captures": "-",
    r"(rotate|turn|spin|twist) (?:the |it |my )?([LR]) (.+)": r"\1 \3 \2",
}


@v_args(inline=True)
class ToMove(Transformer[Token, Move]):
    """One method a rule or terminal of the grammar; none of them raises."""

    def step(self, origin: Square, target: Square) -> Move:
        """A piece moved, or two that change places."""
        return Step(origin, target)

    def rotate(self, at: Square, turn: Turn) -> Move:
        """A rotation."""
        return Rotate(at, turn)

    def SQUARE(self, text: Token) -> Square:
        """A square, on the board or not."""
        return square(text)

    def TURN(self, text: Token) -> Turn:
        """A direction of rotation."""
        return Turn(text.upper())
