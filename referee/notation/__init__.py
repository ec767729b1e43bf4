"""From text to moves and back; `str(move)` is the way back.

Whatever only mistakes, lessons and positions need is loaded when it is first used, so that a list of moves is read
quickly.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from referee.notation.movelist import MoveLine, WrittenMove, parse_move_line
from referee.notation.moves import continuations, misfit, move_text, parse_move, parser

if TYPE_CHECKING:
    from referee.notation.lesson import Lesson, lesson_of
    from referee.notation.positions import parse_position, position_text
    from referee.notation.spoken import is_spoken_move, legal_move, suggested

_HOMES = {
    "lesson": ("Lesson", "lesson_of"),
    "positions": ("parse_position", "position_text"),
    "spoken": ("is_spoken_move", "legal_move", "suggested"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Lesson",
    "MoveLine",
    "WrittenMove",
    "continuations",
    "is_spoken_move",
    "legal_move",
    "lesson_of",
    "misfit",
    "move_text",
    "parse_move",
    "parse_move_line",
    "parse_position",
    "parser",
    "position_text",
    "suggested",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'referee.notation' has no attribute {name!r}")
    return getattr(import_module(f"referee.notation.{_HOME[name]}"), name)
