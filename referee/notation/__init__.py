"""From text to moves and back; `str(move)` is the way back."""

from referee.notation.lesson import Lesson, lesson_of
from referee.notation.movelist import MoveLine, WrittenMove, parse_move_line
from referee.notation.moves import continuations, move_text, parse_move, parser
from referee.notation.nearest import nearest
from referee.notation.positions import parse_position, position_text
from referee.notation.spoken import is_spoken_move, legal_move, suggested

__all__ = [
    "Lesson",
    "MoveLine",
    "WrittenMove",
    "continuations",
    "is_spoken_move",
    "legal_move",
    "lesson_of",
    "move_text",
    "nearest",
    "parse_move",
    "parse_move_line",
    "parse_position",
    "parser",
    "position_text",
    "suggested",
]
