"""Laser Chess, drawn."""

from referee.draw.laser_chess.scene import scene
from referee.draw.laser_chess.text import board, sentence, standing

__all__ = ["board", "scene", "sentence", "standing"]
