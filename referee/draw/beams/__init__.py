"""Beams, Boosters and Barriers, drawn."""

from referee.draw.beams.scene import scene
from referee.draw.beams.text import board, sentence, standing

__all__ = ["board", "scene", "sentence", "standing"]
