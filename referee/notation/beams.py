"""The notation of Beams, Boosters and Barriers (grammar/beams.lark)."""

from __future__ import annotations

from lark import Token, Transformer, v_args

from referee.rules.beams import Cell, Clock, Move, PieceType, Place, Rotate, Turn

GRAMMAR = "beams"
WORDS = {
    "_PLACE": "P to place a piece",
    "_ROTATE": "R to rotate one",
    "PIECE": "a piece: M1, M2V, M2Y, M3, R1, R2V, R2Y, R3",
    "BOOSTER": "S for a booster",
    "CELL": "a cell: a letter and a column, such as B3",
    "CLOCK": "a clock: 12, 2, 4, 6, 8 or 10",
    "TURN": "a turn: L or R",
}

BEGINNINGS = {
    "P": "place|put|set|add|drop|play",
    "R": "rotate|turn|spin|twist",
}
PARTS = {
    r"boosters?": "S",
    r"generator ([123][vy]?)": r"m\1",
    r"barrier ([123][vy]?)": r"r\1",
    r"\d+ degrees?": "",
    r"(?:counter|anti)[ -]?clockwise|ccw|left": "L",
    r"clockwise|cw|right": "R",
    r"(rotate|turn|spin|twist) (?:the |it |my )?([LR]) (.+)": r"\1 \3 \2",
}


@v_args(inline=True)
class ToMove(Transformer[Token, Move]):
    """One method a rule or terminal of the grammar; none of them raises."""

    def place(self, piece: PieceType, cell: Cell, clock: Clock | None = None) -> Move:
        """A placement; a booster has no clock."""
        return Place(piece, cell, clock)

    def rotate(self, cell: Cell, turn: Turn) -> Move:
        """A rotation."""
        return Rotate(cell, turn)

    def PIECE(self, text: Token) -> PieceType:
        """A generator or a barrier."""
        return PieceType(text.upper())

    BOOSTER = PIECE

    def CELL(self, text: Token) -> Cell:
        """A cell, on the board or not."""
        return Cell(ord(text[0].upper()) - 64, int(text[1:]))

    def CLOCK(self, text: Token) -> Clock:
        """A clock position."""
        return Clock(int(text.removesuffix(":00")))

    def TURN(self, text: Token) -> Turn:
        """A direction of rotation."""
        return Turn(text.upper())
