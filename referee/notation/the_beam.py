"""The notation of The Beam (grammar/the-beam.lark)."""

from __future__ import annotations

from lark import Token, Transformer, v_args

from referee.rules.the_beam import Allocate, Move, Place, PlaceMirror, Slash, TakeMirror, TurnMirror

GRAMMAR = "the-beam"
WORDS = {
    "_ALLOCATE": "A to allocate the cards",
    "_PLACE": "P to place a mirror",
    "_TURN": "R to turn one",
    "_TAKE": "X to take one away",
    "MIRROR_CARD": "the mirror's card, such as M3",
    "BEAM_CARD": "the beam's card, such as B5",
    "SLASH": "a mirror: / or \\",
    "NUMBER": "a square: its row, a comma and its column, such as 3,1",
    "_COMMA": "a comma between row and column",
}

BEGINNINGS = {
    "A": "allocate|assign|give|split|share",
    "P": "place|put|set|add",
    "R": "rotate|turn|flip",
    "X": "take|remove|capture|clear|delete",
}
PARTS = {
    r"mirror (?:gets |takes |is |to )?([1-6])(?! ?,)": r"m\1",
    r"beam (?:gets |takes |is |to )?([1-6])(?! ?,)": r"b\1",
    r"([1-6]) (?:to |for )?(?:the )?mirror": r"m\1",
    r"([1-6]) (?:to |for )?(?:the )?beam": r"b\1",
    r"back[ -]?slash|falling": r"\\",
    r"(?:forward )?slash|rising": "/",
    r"mirror": "",
}


@v_args(inline=True)
class ToMove(Transformer[Token, Move]):
    """One method a rule or terminal of the grammar; none of them raises."""

    def allocate(self, mirror: int, beam: int) -> Move:
        """Which card is whose."""
        return Allocate(mirror, beam)

    def place(self, slash: Slash, square: Place) -> Move:
        """A new mirror."""
        return PlaceMirror(slash, square)

    def turn(self, square: Place) -> Move:
        """A mirror turned."""
        return TurnMirror(square)

    def take(self, square: Place) -> Move:
        """A mirror taken away."""
        return TakeMirror(square)

    def square(self, row: int, column: int) -> Place:
        """A square, on the grid or not."""
        return Place(row, column)

    def MIRROR_CARD(self, text: Token) -> int:
        """The number on the mirror's card."""
        return int(text[-1])

    BEAM_CARD = MIRROR_CARD
    NUMBER = MIRROR_CARD

    def SLASH(self, text: Token) -> Slash:
        """A mirror's diagonal, as a sign or as a word."""
        return Slash.RISING if text.lower() in ("/", "slash") else Slash.FALLING
