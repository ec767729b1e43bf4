"""Boundary, drawn.

`scene` draws a position; `text`, below it, says it without a picture. `targets` finds what was clicked, and
`print_set` makes the kit; both stand on `scene`.
"""

from referee.draw.boundary.scene import scene
from referee.draw.boundary.targets import composition, targets
from referee.draw.boundary.text import board_lines, sentence, standing, words

MARKS = {"south": ("stone-south",), "north": ("stone-north",)}

__all__ = ["MARKS", "board_lines", "composition", "scene", "sentence", "standing", "targets", "words"]
