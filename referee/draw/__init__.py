"""What people look at: boards and reports."""

from referee.draw.text import report

__all__ = ["report"]
