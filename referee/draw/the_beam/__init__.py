"""The Beam, drawn."""

from referee.draw.the_beam.scene import scene
from referee.draw.the_beam.text import board, sentence, standing

__all__ = ["board", "scene", "sentence", "standing"]
