"""Beams, Boosters and Barriers, drawn.

`scene` draws a position from `layout` and `trail`; `text` says it without a picture. `targets` finds what was
clicked, and `print_set` makes the kit from the same parts.
"""

from referee.draw.beams.scene import scene
from referee.draw.beams.targets import composition, targets, trial
from referee.draw.beams.text import board_lines, low_board_lines, sentence, standing, words

MARKS = {"south": ("coin-south",), "north": ("coin-north", "rim")}

__all__ = [
    "MARKS",
    "board_lines",
    "composition",
    "low_board_lines",
    "scene",
    "sentence",
    "standing",
    "targets",
    "trial",
    "words",
]
