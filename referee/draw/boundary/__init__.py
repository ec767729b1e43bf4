"""Boundary, drawn."""

from referee.draw.boundary.scene import scene
from referee.draw.boundary.text import board, sentence, standing

__all__ = ["board", "scene", "sentence", "standing"]
