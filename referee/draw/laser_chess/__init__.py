"""Laser Chess, drawn.

`scene` draws a position; `text`, below it, says it without a picture. `targets` finds what was clicked, and
`print_set` makes the kit; both stand on `scene`.
"""

from referee.draw.laser_chess.scene import scene
from referee.draw.laser_chess.targets import composition, targets, trial
from referee.draw.laser_chess.text import board_lines, sentence, standing, words

MARKS = {"blue": ("tile-blue",), "red": ("tile-red", "solid-red")}

__all__ = ["MARKS", "board_lines", "composition", "scene", "sentence", "standing", "targets", "trial", "words"]
