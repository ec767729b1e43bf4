"""The notation of Boundary (grammar/boundary.lark)."""

from __future__ import annotations

from lark import Token, Transformer, v_args

from referee.notation.squares import square
from referee.rules.boundary import Momentum, Move, Walk
from referee.rules.squares import Square

GRAMMAR = "boundary"
WORDS = {
    "_PYRAMID": "P to move a pyramid",
    "_STONE": "S to move a stone-bop first",
    "SQUARE": "a square such as c3",
    "_TO": "a hyphen",
    "_DIVIDER": "a comma",
}

BEGINNINGS = {
    "P": "walk|move|go|pyramids?",
    "S": "push|momentum|stone-?bops?|stones?|bops?",
}
PARTS = {
    r"(?:move|push|walk) (?:the |my |an? )?(stone-?bop|stone|bop|pyramid)": r"\1",
    r"to|takes|captures": "-",
}


@v_args(inline=True)
class ToMove(Transformer[Token, Move]):
    """One method a rule or terminal of the grammar; none of them raises."""

    def walk(self, origin: Square, target: Square) -> Move:
        """A pyramid's own move."""
        return Walk(origin, target)

    def momentum(self, *squares: Square) -> Move:
        """A stone-bop's move and the pyramid's that follows from it."""
        return Momentum(*squares)

    def SQUARE(self, text: Token) -> Square:
        """A square, on the board or not."""
        return square(text)
