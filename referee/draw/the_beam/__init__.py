"""The Beam, drawn."""

from referee.draw.the_beam.scene import scene
from referee.draw.the_beam.targets import composition, targets, trial
from referee.draw.the_beam.text import board_lines, sentence, standing
from referee.draw.the_beam.words import dealt, words

__all__ = ["board_lines", "composition", "dealt", "scene", "sentence", "standing", "targets", "trial", "words"]
