"""From text to moves and back; `str(move)` is the way back."""

from referee.notation.movelist import Line, Written, read_line
from referee.notation.moves import continuations, parse_move, parser
from referee.notation.nearest import nearest
from referee.notation.spoken import suggested

__all__ = ["Line", "Written", "continuations", "nearest", "parse_move", "parser", "read_line", "suggested"]
