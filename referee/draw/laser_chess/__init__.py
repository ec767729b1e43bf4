"""Laser Chess, drawn."""

from referee.draw.laser_chess.scene import scene
from referee.draw.laser_chess.text import board, board_lines, sentence, standing

__all__ = ["board", "board_lines", "scene", "sentence", "standing"]
