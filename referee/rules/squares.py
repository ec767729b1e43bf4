"""Squares of a chequered board, named by a letter for the file and a number for the rank."""

from __future__ import annotations

from typing import NamedTuple


class Square(NamedTuple):
    """A square such as e4, on some board or on none: `file` and `rank` both count from 1, from the lower left."""

    file: int
    rank: int

    def __str__(self) -> str:
        return f"{chr(96 + self.file)}{self.rank}"
