"""Game files to run commands on."""

from __future__ import annotations

from pathlib import Path

import pytest

AT_ONCE = """\
game: beams
players:
  south: {name: Ada}
  north: {name: Ben}
moves: |
  1. P M1 B3 12 | P S A2 {so?}
  2. P S C4 !   | P R1 B5 4
"""
ONE_BY_ONE = """\
game: beams
options: {mode: synchronous, first: north}
moves: |
  1. P S A2 | P S A4
  2. P S A6
"""


@pytest.fixture
def at_once(tmp_path: Path) -> Path:
    """A game of both at once, two plies old."""
    path = tmp_path / "at-once.yaml"
    path.write_text(AT_ONCE, encoding="utf-8")
    return path


@pytest.fixture
def one_by_one(tmp_path: Path) -> Path:
    """A game of one after the other, three plies old; south is to move."""
    path = tmp_path / "one-by-one.yaml"
    path.write_text(ONE_BY_ONE, encoding="utf-8")
    return path
