"""The reports kept in tests/draw/golden; `python -m tests.draw.golden_reports` rewrites them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from referee.draw.text import report_text
from referee.game import loads, zeroth_ply

FOLDER = Path(__file__).parent / "golden"

SMALL = """\
game: beams
event: Spring cup
date: 2027-03-01
players:
  south: {name: Ada}
  north: {name: Ben}
options: {columns: 9, rows: 12}
moves: |
  1. P M3 C4 12   | P M1 C6 10
  2. P S D5       | P R2V A8 2 !? {in the way}
  3. P S E4       | P S B9
  4. R C4 R       | P M2Y L5 6
"""


def reports() -> Iterator[tuple[str, str]]:
    """The name of each file, and its content."""
    game = loads(SMALL)
    *_, last = game.replay()
    for name, view, unicode in (("south", "south", False), ("north", "north", False), ("unicode", "south", True)):
        yield f"beams-{name}.txt", report_text(game, last, view=view, unicode=unicode) + "\n"
    start = loads("game: beams\n")
    yield "beams-start.txt", report_text(start, zeroth_ply(start), view="south") + "\n"
    ended = loads("end: {how: resignation, by: north}\n" + SMALL)
    *_, last = ended.replay()
    yield "beams-ended.txt", report_text(ended, last, view="south") + "\n"


if __name__ == "__main__":
    for name, text in reports():
        (FOLDER / name).write_text(text, encoding="utf-8")
