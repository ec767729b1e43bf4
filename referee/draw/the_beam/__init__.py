"""The Beam, drawn.

`scene` draws a position; `text`, below it, says it without a picture. `targets` finds what was clicked, and
`print_set` makes the kit; both stand on `scene`.
"""

from referee.draw.the_beam.scene import scene
from referee.draw.the_beam.targets import composition, targets, trial
from referee.draw.the_beam.text import board_lines, dealt, sentence, standing, words

__all__ = ["board_lines", "composition", "dealt", "scene", "sentence", "standing", "targets", "trial", "words"]
